#include "src/backend/cpu/host_pieces.hpp"

#include "src/backend/cpu/piecewise.hpp"

#include <exception>
#include <utility>

namespace heald::cpu {
namespace {

using Run = std::function<void(std::uint64_t, std::uint64_t)>;

void run_caught(const Run& run, Queue& queue, std::uint64_t first, std::uint64_t last) noexcept {
    try {
        run(first, last);
    } catch (const Error& error) {
        queue.fail(error.kind(), error.what());
    } catch (const std::exception& error) {
        queue.fail(ErrorKind::device, error.what());
    }
}

class HostPieces final : public PiecewiseOperation {
public:
    HostPieces(std::uint64_t pieces, Run run) : run_(std::move(run)) { total_ = pieces; }

protected:
    void run_range(Queue& queue, std::uint64_t first, std::uint64_t last) noexcept override {
        run_caught(run_, queue, first, last);
    }

private:
    Run run_;
};

}  // namespace

void enqueue_host_pieces(Queue& queue, std::uint64_t pieces, bool short_work, Run run) {
    if (pieces == 0) return;
    if (short_work && queue.try_begin()) {
        run_caught(run, queue, 0, pieces);
        return queue.end();
    }
    queue.push(new HostPieces(pieces, std::move(run)));
}

}  // namespace heald::cpu
