#include "src/array/indexing/index_kernel.hpp"

#include "src/array/ops/elementwise.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

namespace heald::array {
namespace {

/// `report` is a statement about position base0 and index at0, of the first parameter `found`.
void launch_check(const Array& index, std::int64_t length, const char* report,
                  PackedLaunch& arguments, const Stream& stream) {
    const IndexKernel kernel{
        .parameters = text("long long* __restrict__ found", index_parameters({index})),
        .body = text(index_statements({index}, 1), "    if (!inside) ", report, ";\n"),
        .iteration = simplify(index.shape(), {c_strides(index.shape(), 1), element_strides(index)}),
        .lengths = {length},
        .steps = {1}};
    arguments.add_array(index, false);
    kernel.launch(arguments, stream, "index check");
}

}  // namespace

std::optional<std::int64_t> first_bad_index(const Array& index, std::int64_t length) {
    if (index.size() == 0) return std::nullopt;
    const Stream stream = stream_for(index);
    Array first({1}, DType::int64, stream);
    const std::int64_t none = index.size();
    first.fill(&none, stream);
    PackedLaunch arguments;
    arguments.add_array(first, true);
    launch_check(index, length, "atomicMin(found, (long long)base0)", arguments, stream);
    std::int64_t found = none;
    const std::int64_t stride = sizeof found;
    first.copy_to_host(&found, {&stride, 1}, stream);
    if (found == none) return std::nullopt;
    return found;
}

void check_indices_later(const Array& index, std::int64_t length, int axis) {
    if (index.size() == 0) return;
    const Stream stream = stream_for(index);
    core::StreamState& state = stream.state();
    core::DeviceChecks& checks = state.device.checks();
    std::int64_t* word = checks.take_word();
    PackedLaunch arguments;
    arguments.add_value(word);
    // Some threads may find faults at once: any of them will do.
    launch_check(index, length, "*found = (long long)i0[base1]", arguments, stream);
    checks.watch(word, state, [length, axis, device = state.device.name()](std::int64_t found) {
        fail(ErrorKind::out_of_bounds, "[Array] index ", found, " is out of bounds for axis ", axis,
             " with size ", length, " (found on ", device,
             " by an operation that was enqueued before)");
    });
}

}  // namespace heald::array
