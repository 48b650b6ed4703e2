#include "src/backend/cuda/gpu_probe.hpp"

#include "src/backend/cuda/context.hpp"

namespace heald::cuda {

using driver::Result;

GpuProbe::~GpuProbe() {
    for (const Mark& mark : marks_)
        if (mark.event != nullptr) context_.api().cuEventDestroy_v2(mark.event);
}

void GpuProbe::window_end(driver::Stream stream, std::uint64_t launches, PathChooser::Path path,
                          PathChooser& chooser) noexcept {
    driver::Api& api = context_.api();
    const bool whole = !skipped_ && launches - launches_ == PathChooser::window;
    launches_ = launches;
    skipped_ = true;
    collect(chooser);
    if (recorded_ - measured_ >= size) return;  // the oldest mark is still awaited
    Mark& mark = marks_[recorded_ % size];
    if (mark.event == nullptr && api.cuEventCreate(&mark.event, 0) != Result::success) {
        mark.event = nullptr;
        return;
    }
    mark.path = path;
    mark.whole = whole;
    mark.busy = recorded_ > 0 &&
                api.cuEventQuery(marks_[(recorded_ - 1) % size].event) == Result::not_ready;
    if (api.cuEventRecord(mark.event, stream) != Result::success) return;
    ++recorded_;
    skipped_ = false;
}

void GpuProbe::collect(PathChooser& chooser) noexcept {
    driver::Api& api = context_.api();
    while (measured_ + 1 < recorded_) {
        const Mark& begin = marks_[measured_ % size];
        const Mark& end = marks_[(measured_ + 1) % size];
        float milliseconds = 0;
        if (api.cuEventQuery(end.event) != Result::success) break;
        if (api.cuEventElapsedTime(&milliseconds, begin.event, end.event) == Result::success &&
            end.whole)
            chooser.gpu_cost(end.path, 1e3 * milliseconds / PathChooser::window, end.busy);
        ++measured_;
    }
}

}  // namespace heald::cuda
