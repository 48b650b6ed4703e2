#include "src/array/cub/cub_library.hpp"

#include "src/array/cub/cub_interface.h"
#include "src/array/memory_use.hpp"
#include "src/base/check.hpp"
#include "src/base/library.hpp"
#include "src/core/ordering.hpp"

#include <memory>

namespace heald::array {
namespace {

Library& library() {
    static Library& cub = *std::make_unique<Library>([] {
                               LibrarySpec spec;
                               spec.name = "libheald_cub";
                               spec.purpose = "CUB's sorts for GPUs";
                               spec.sonames = {"libheald_cub.so"};
                               spec.remedy = "build heald with -DHEALD_CUB=ON where nvcc is";
                               spec.beside_heald = true;
                               spec.must_define = "heald_cub_run";
                               return spec;
                           }())
                               .release();
    return cub;
}

int cub_key(DType dtype) {
    switch (dtype) {
        case DType::uint64:
            return heald_cub_uint64;
        case DType::float32:
            return heald_cub_float32;
        case DType::float64:
            return heald_cub_float64;
        default:
            return heald_cub_uint32;
    }
}

void run(heald_cub_sort& sort) {
    static const auto run = library().function<int (*)(heald_cub_sort*)>("heald_cub_run");
    const int error = run(&sort);
    HEALD_EXPECTS(error == 0, device, "[sort] CUB failed with cudaError ", error);
}

void enqueue(heald_cub_sort sort, std::vector<MemoryUse> uses, const Stream& stream) {
    sort.device = stream.device().ordinal();
    run(sort);
    const Array temp({static_cast<std::int64_t>(std::max<std::uint64_t>(sort.temp_bytes, 1))},
                     DType::uint8, stream);
    sort.temp = temp.data();
    uses.push_back(use_of(temp, true));
    core::enqueue(stream.state(), uses, [&](core::QueueImpl& queue) {
        sort.stream = reinterpret_cast<void*>(queue.handle());
        run(sort);
    });
}

}  // namespace

bool cub_available(const Stream& stream) {
    if (stream.device().kind() != DeviceKind::cuda) return false;
    static const bool available = [] {
        if (!library().available()) return false;
        const auto version = library().function<int (*)()>("heald_cub_get_version");
        return version != nullptr && version() == heald_cub_version;
    }();
    return available;
}

void cub_sort_keys(const Array& from, const Array& to, int bits, const Stream& stream) {
    heald_cub_sort sort{};
    sort.key = cub_key(from.dtype());
    sort.bits = bits;
    sort.count = from.size();
    sort.keys_in = from.data();
    sort.keys_out = to.data();
    enqueue(sort, {use_of(from, false), use_of(to, true)}, stream);
}

void cub_sort_pairs(const Array& keys, const Array& to_keys, const Array& places,
                    const Array& to_places, int bits, const Stream& stream) {
    heald_cub_sort sort{};
    sort.key = cub_key(keys.dtype());
    sort.value_bytes = static_cast<int>(size_of(places.dtype()));
    sort.bits = bits;
    sort.count = keys.size();
    sort.keys_in = keys.data();
    sort.keys_out = to_keys.data();
    sort.values_in = places.data();
    sort.values_out = to_places.data();
    enqueue(sort,
            {use_of(keys, false), use_of(to_keys, true), use_of(places, false),
             use_of(to_places, true)},
            stream);
}

}  // namespace heald::array
