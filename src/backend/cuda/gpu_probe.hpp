#pragma once

#include "src/backend/cuda/driver/types.hpp"
#include "src/backend/cuda/path_chooser.hpp"

#include <array>
#include <cstdint>

namespace heald::cuda {

class Context;

/// Times windows of launches on the GPU with a ring of timing events, and sees whether the GPU
/// lagged behind so far that it never waited for the host. Asks nothing but events that are long
/// recorded, and only at a window's end.
class GpuProbe {
public:
    explicit GpuProbe(Context& context) : context_(context) {}
    ~GpuProbe();
    GpuProbe(const GpuProbe&) = delete;
    GpuProbe& operator=(const GpuProbe&) = delete;

    /// A window whose launches went down `path` ends here, when the queue has had `launches` of any
    /// kind. Tells `chooser` of windows that the GPU has finished since the last call.
    void window_end(driver::Stream stream, std::uint64_t launches, PathChooser::Path path,
                    PathChooser& chooser) noexcept;

private:
    void collect(PathChooser& chooser) noexcept;

    static constexpr std::uint64_t size = 16;  // windows: more than a full queue holds

    struct Mark {
        driver::Event event = nullptr;
        PathChooser::Path path = PathChooser::Path::plain;
        bool busy = false;   // when recorded, the mark before was not reached yet
        bool whole = false;  // exactly one window, and no other launch, since the mark before
    };

    Context& context_;
    std::array<Mark, size> marks_{};
    std::uint64_t recorded_ = 0;
    bool skipped_ = true;         // the last window's end was not recorded
    std::uint64_t launches_ = 0;  // of the queue at the last window's end
    std::uint64_t measured_ = 0;  // windows told of; marks before this one are done
};

}  // namespace heald::cuda
