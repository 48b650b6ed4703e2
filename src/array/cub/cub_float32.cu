#include "src/array/cub/cub_sort.cuh"

namespace heald::cub_sort {

cudaError_t sort_float32(heald_cub_sort& sort) {
    return sort_keys<float>(sort);
}

}  // namespace heald::cub_sort
