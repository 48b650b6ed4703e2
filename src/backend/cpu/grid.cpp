#include "src/backend/cpu/grid.hpp"

#include "src/backend/cpu/denormals.hpp"
#include "src/backend/cpu/kernel_thread.hpp"
#include "src/base/text.hpp"

namespace heald::cpu {
namespace {

[[gnu::cold, gnu::noinline]] void report(const Grid& grid, const Fault& fault, Queue& queue) {
    std::string message =
        text("[Kernel.launch] kernel '", grid.kernel != nullptr ? *grid.kernel : std::string("?"),
             "' ", describe(fault, grid.grid));
    if (grid.site.file != nullptr)
        message += text("; launched at ", grid.site.file, ":", grid.site.line);
    queue.fail(ErrorKind::kernel_fault, std::move(message));
    queue.stop.store(1, std::memory_order_relaxed);
}

}  // namespace

void run_blocks(const Grid& grid, void* const* arguments, Queue& queue, std::uint64_t first,
                std::uint64_t last) noexcept {
    try {
        KernelThread& thread = KernelThread::current();
        BlockContext context{};
        for (int i = 0; i < 3; ++i) {
            context.grid[i] = grid.grid[i];
            context.block[i] = grid.block[i];
        }
        context.dynamic_shared_bytes = grid.dynamic_shared;
        static_assert(sizeof queue.stop == sizeof *context.cancel);
        context.cancel = reinterpret_cast<const std::uint32_t*>(&queue.stop);
        context.frames = grid.frame_bytes != 0 ? thread.frames.reserve(grid.frame_bytes) : nullptr;
        context.current_block = first;
        std::byte* shared =
            grid.shared_bytes != 0 ? thread.shared.reserve(grid.shared_bytes) : nullptr;
        const DenormalScope denormals(grid.flush_denormals);
        if (!thread.run(grid.function, arguments, context, shared, first, last))
            report(grid, thread.fault, queue);
        if (!thread.printed.empty()) thread.printed.flush();
    } catch (const Error& error) {
        queue.fail(error.kind(), error.what());
    } catch (const std::exception& error) {
        queue.fail(ErrorKind::device, error.what());
    }
}

}  // namespace heald::cpu
