#include "src/backend/cuda/driver_link.hpp"

#include "src/base/check.hpp"

#include <array>
#include <vector>

namespace heald::cuda {

using driver::JitOption;
using driver::Result;

namespace {

class LinkSession {
public:
    LinkSession(Context& context, const ProgramOptions& options) : context_(context) {
        option(JitOption::error_log, error_.data());
        option(JitOption::error_log_bytes, error_.size());
        option(JitOption::info_log, info_.data());
        option(JitOption::info_log_bytes, info_.size());
        if (options.max_registers)
            option(JitOption::max_registers, static_cast<std::size_t>(*options.max_registers));
        if (options.debug) option(JitOption::generate_debug_info, std::size_t{1});
        if (options.line_info) option(JitOption::generate_line_info, std::size_t{1});
        check(context_.api().cuLinkCreate_v2(static_cast<unsigned>(options_.size()),
                                             options_.data(), values_.data(), &state_),
              "cuLinkCreate");
    }
    ~LinkSession() {
        if (state_ != nullptr) context_.api().cuLinkDestroy(state_);
    }
    LinkSession(const LinkSession&) = delete;
    LinkSession& operator=(const LinkSession&) = delete;

    void add(const nvrtc::LinkInput& input) {
        const auto kind = input.format == "ptx" ? driver::JitInput::ptx : driver::JitInput::cubin;
        // The driver does not write there, whatever its declaration says.
        void* const bytes = const_cast<char*>(input.bytes.data());
        const std::size_t size = input.bytes.size() + (input.format == "ptx" ? 1 : 0);
        check(context_.api().cuLinkAddData_v2(state_, kind, bytes, size, input.name.c_str(), 0,
                                              nullptr, nullptr),
              "cuLinkAddData");
    }

    nvrtc::LinkResult complete() {
        void* cubin = nullptr;
        std::size_t size = 0;
        check(context_.api().cuLinkComplete(state_, &cubin, &size), "cuLinkComplete");
        return {std::string(static_cast<const char*>(cubin), size), info_.data()};
    }

private:
    template <class T>
    void option(JitOption option, T value) {
        options_.push_back(option);
        values_.push_back(reinterpret_cast<void*>(value));
    }

    void check(Result result, const char* call) const {
        if (result == Result::success) return;
        if (driver::is_fault(result)) context_.raise(result, call);
        const std::string log = error_.data();
        throw CompileError(text("[Linker.link] ", call, ": ", driver::describe(result),
                                log.empty() ? "" : ". ", log),
                           {}, log);
    }

    Context& context_;
    driver::LinkState state_ = nullptr;
    std::array<char, 16384> error_{};
    std::array<char, 16384> info_{};
    std::vector<JitOption> options_;
    std::vector<void*> values_;
};

}  // namespace

nvrtc::LinkResult driver_link(Context& context, const nvrtc::LinkJob& job) {
    const Current current(context);
    const DuringCapture relaxed(context);
    LinkSession session(context, *job.options);
    for (const nvrtc::LinkInput& input : job.inputs) session.add(input);
    return session.complete();
}

}  // namespace heald::cuda
