#include "src/backend/cpu/arena.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/base/check.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <bit>

namespace heald::cpu {
namespace {

// Masked vector loads that begin before the first element (`tile[threadIdx.x - d]`) reach back up
// to a vector of a warp. Where nothing is mapped, the processor takes some hundred times as long.
constexpr std::size_t lead = 2 * arena_alignment;
static_assert(lead % arena_alignment == 0 && lead >= 32 * 16);

}  // namespace

Arena::~Arena() {
    unmap();
}

void Arena::unmap() noexcept {
    if (mapping_ != nullptr) munmap(mapping_, mapped_);
    mapping_ = nullptr;
    data_ = nullptr;
    size_ = 0;
}

std::byte* Arena::grow(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    // Doubling keeps a series of slightly larger launches from mapping anew each time.
    const std::size_t wanted = lead + std::max({bytes, size_ * 2, std::size_t{16} << 10});
    const std::size_t usable = (wanted + page - 1) / page * page;
    void* mapping =
        mmap(nullptr, usable + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED || mprotect(mapping, usable, PROT_READ | PROT_WRITE) != 0) {
        if (mapping != MAP_FAILED) munmap(mapping, usable + page);
        fail(ErrorKind::out_of_memory, "[Kernel.launch] no memory for ", bytes,
             " bytes of a block's shared memory or frames");
    }
    unmap();
    mapping_ = mapping;
    mapped_ = usable + page;
    data_ = static_cast<std::byte*>(mapping) + lead;
    size_ = usable - lead;
    return data_;
}

}  // namespace heald::cpu
