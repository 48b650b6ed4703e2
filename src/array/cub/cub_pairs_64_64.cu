#include "src/array/cub/cub_sort.cuh"

namespace heald::cub_sort {

cudaError_t sort_pairs_64_64(heald_cub_sort& sort) {
    return sort_pairs<unsigned long long, unsigned long long>(sort);
}

}  // namespace heald::cub_sort
