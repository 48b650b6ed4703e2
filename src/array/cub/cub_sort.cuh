#pragma once

#include "src/array/cub/cub_interface.h"

#include <cub/device/device_radix_sort.cuh>

namespace heald::cub_sort {

// One instance in each .cu file, so that they compile side by side.
cudaError_t sort_uint32(heald_cub_sort& sort);
cudaError_t sort_uint64(heald_cub_sort& sort);
cudaError_t sort_float32(heald_cub_sort& sort);
cudaError_t sort_float64(heald_cub_sort& sort);
cudaError_t sort_pairs_32_32(heald_cub_sort& sort);
cudaError_t sort_pairs_64_32(heald_cub_sort& sort);
cudaError_t sort_pairs_32_64(heald_cub_sort& sort);
cudaError_t sort_pairs_64_64(heald_cub_sort& sort);

template <class Key>
cudaError_t sort_keys(heald_cub_sort& sort) {
    std::size_t bytes = sort.temp_bytes;
    const cudaError_t error = cub::DeviceRadixSort::SortKeys(
        sort.temp, bytes, static_cast<const Key*>(sort.keys_in), static_cast<Key*>(sort.keys_out),
        sort.count, 0, sort.bits, static_cast<cudaStream_t>(sort.stream));
    sort.temp_bytes = bytes;
    return error;
}

template <class Key, class Value>
cudaError_t sort_pairs(heald_cub_sort& sort) {
    std::size_t bytes = sort.temp_bytes;
    const cudaError_t error = cub::DeviceRadixSort::SortPairs(
        sort.temp, bytes, static_cast<const Key*>(sort.keys_in), static_cast<Key*>(sort.keys_out),
        static_cast<const Value*>(sort.values_in), static_cast<Value*>(sort.values_out), sort.count,
        0, sort.bits, static_cast<cudaStream_t>(sort.stream));
    sort.temp_bytes = bytes;
    return error;
}

}  // namespace heald::cub_sort
