#include <heald/program.hpp>

#include "src/base/check.hpp"
#include "src/core/code_state.hpp"
#include "src/core/compile.hpp"

#include <algorithm>
#include <array>

namespace heald {
namespace {

constexpr std::array<std::string_view, 3> gpu_targets{"cubin", "ptx", "ltoir"};

void check_target(const char* operation, const std::string& target, const Device& device) {
    if (target.empty()) return;
    const bool for_gpu =
        std::find(gpu_targets.begin(), gpu_targets.end(), target) != gpu_targets.end();
    HEALD_EXPECTS(for_gpu || target == "cpu", invalid_value, operation, "there is no target '",
                  target, "': targets are cubin, ptx and ltoir for a GPU, and cpu");
    HEALD_EXPECTS(for_gpu == (device.kind() == DeviceKind::cuda), unavailable, operation,
                  "the target '", target, "' is not one of ", device.name(),
                  for_gpu ? ": leave the target empty, or compile for a cuda device"
                          : ": leave the target empty, or compile for the cpu device");
}

void check_no_nul(const char* operation, const char* what, const std::string& value) {
    HEALD_EXPECTS(value.find('\0') == std::string::npos, invalid_value, operation, "the ", what,
                  " has a zero byte at position ", value.find('\0'));
}

}  // namespace

Program::Program(std::string source, std::string name, ProgramOptions options, const Device& device)
    : source_(std::move(source)),
      name_(std::move(name)),
      options_(std::move(options)),
      device_(device) {
    constexpr const char* operation = "[Program] ";
    HEALD_EXPECTS(!trimmed(source_).empty(), invalid_value, operation, "the source is empty");
    check_no_nul(operation, "source", source_);
    check_no_nul(operation, "name", name_);
    HEALD_EXPECTS(!name_.empty(), invalid_value, operation, "the name is empty");
}

ObjectCode Program::compile(const std::string& target,
                            const std::vector<std::string>& names) const {
    constexpr const char* operation = "[Program.compile] ";
    check_target(operation, target, device_);
    for (const std::string& name : names) {
        HEALD_EXPECTS(!trimmed(name).empty(), invalid_value, operation, "a name is empty");
        check_no_nul(operation, "name", name);
    }
    const core::CompileRequest request{source_, name_, options_, target, names};
    return ObjectCode(std::make_shared<core::CodeState>(core::compile(device_.state(), request),
                                                        &device_.state(), request));
}

Linker::Linker(std::vector<ObjectCode> inputs, ProgramOptions options, const Device& device)
    : inputs_(std::move(inputs)), options_(std::move(options)), device_(device) {
    HEALD_EXPECTS(!inputs_.empty(), invalid_value, "[Linker] there is nothing to link");
}

ObjectCode Linker::link(const std::string& target) const {
    constexpr const char* operation = "[Linker.link] ";
    check_target(operation, target, device_);
    std::vector<std::shared_ptr<const core::CodeData>> codes;
    for (const ObjectCode& input : inputs_) {
        const auto& data = input.state().data();
        HEALD_EXPECTS(data->kind == device_.kind(), invalid_value, operation, "'", data->name,
                      "' is ", data->format, " code, which ", device_.name(), " does not run");
        codes.push_back(data);
    }
    core::CompileRequest request;
    request.options = options_;
    request.target = target;
    request.name = "linked";
    return ObjectCode(std::make_shared<core::CodeState>(core::link(device_.state(), codes, request),
                                                        &device_.state(), std::nullopt));
}

}  // namespace heald
