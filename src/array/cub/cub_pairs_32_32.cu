#include "src/array/cub/cub_sort.cuh"

namespace heald::cub_sort {

cudaError_t sort_pairs_32_32(heald_cub_sort& sort) {
    return sort_pairs<unsigned int, unsigned int>(sort);
}

}  // namespace heald::cub_sort
