#include "src/jit/nvrtc/compiler.hpp"

#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/base/nearest.hpp"
#include "src/jit/nvrtc/cubin_kernels.hpp"
#include "src/jit/nvrtc/declarations.hpp"
#include "src/jit/nvrtc/dependencies.hpp"
#include "src/jit/nvrtc/facts.hpp"
#include "src/jit/nvrtc/log_parser.hpp"
#include "src/jit/nvrtc/options.hpp"
#include "src/jit/nvrtc/program.hpp"
#include "src/jit/nvrtc/signature_tags.hpp"
#include "src/jit/nvrtc/standard_headers.hpp"
#include "src/jit/signature_reader.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace heald::nvrtc {
namespace {

/// What is asked of NVRTC beside the code itself. Nothing here may break a good compile: what
/// NVRTC does not accept is dropped, and the compile tried again.
struct Wishes {
    std::vector<std::string> kernels;    ///< name expressions of kernels, the user's first
    std::vector<std::string> variables;  ///< qualified names
    std::set<std::string> without_tag;   ///< kernels whose signature instance failed
    std::size_t from_user = 0;           ///< the first ones of `kernels`: dropping is an error
    bool append_tags = true;
};

class Compilation {
public:
    Compilation(const core::CompileRequest& request, const std::string& device_architecture)
        : api_(api("Program.compile")),
          request_(request),
          target_(choose_target(facts("Program.compile"), request, device_architecture)),
          command_line_(command_line(request, target_)),
          declarations_(find_declarations(request.source)),
          headers_(headers_for(declarations_.includes, request.options)) {
        wishes_.kernels = request.names;
        wishes_.from_user = request.names.size();
        for (const auto& kernel : declarations_.kernels)
            if (!kernel.is_template && !wished(kernel.name)) wishes_.kernels.push_back(kernel.name);
        for (const auto& variable : declarations_.variables)
            wishes_.variables.push_back(variable.name);
    }

    core::CodeData run() {
        compile_until_accepted();
        core::CodeData data = collect();
        if (ask_for_hidden_kernels(data)) {
            compile_until_accepted();
            data = collect();
        }
        return data;
    }

private:
    [[nodiscard]] bool wished(const std::string& kernel) const {
        return std::find(wishes_.kernels.begin(), wishes_.kernels.end(), kernel) !=
               wishes_.kernels.end();
    }

    [[nodiscard]] bool tagged(const std::string& kernel) const {
        return wishes_.append_tags && !wishes_.without_tag.contains(kernel);
    }

    [[nodiscard]] Result compile_once() {
        std::string source = request_.source;
        if (wishes_.append_tags) source += tag_definitions();
        program_ = std::make_unique<Program>(api_, source, request_.name, headers_);
        for (const std::string& kernel : wishes_.kernels) {
            program_->add_name(kernel);
            if (tagged(kernel)) program_->add_name(tag_of(kernel));
        }
        for (const std::string& variable : wishes_.variables) program_->add_name("&" + variable);
        const Result result = program_->compile(command_line_);
        raw_log_ = program_->log();
        log_ = parse_log(raw_log_);
        return result;
    }

    void compile_until_accepted() {
        for (;;) {
            const Result result = compile_once();
            if (result == Result::success) break;
            if (result == Result::invalid_option)
                fail(ErrorKind::invalid_value, "[Program.compile] NVRTC ", api_.major, ".",
                     api_.minor, " does not accept an option: ", raw_log_,
                     " (the options were: ", join(command_line_, " "), ")");
            if (result != Result::compilation || log_.has_errors() || !drop_what_failed())
                throw_compile_error();
        }
        if (request_.options.warnings_as_errors &&
            std::any_of(log_.diagnostics.begin(), log_.diagnostics.end(),
                        [](const auto& d) { return d.severity == Diagnostic::Severity::warning; }))
            throw_compile_error();
    }

    /// Takes back what NVRTC complained of. False if there was nothing of heald's own in it.
    [[nodiscard]] bool drop_what_failed() {
        if (log_.blames_appended_text && wishes_.append_tags) {
            wishes_.append_tags = false;
            return true;
        }
        bool dropped = false;
        for (const auto& bad : log_.bad_names) {
            for (std::size_t i = 0; i < wishes_.kernels.size();) {
                const std::string& kernel = wishes_.kernels[i];
                if (bad.expression == tag_of(kernel) && tagged(kernel)) {
                    wishes_.without_tag.insert(kernel);
                    dropped = true;
                } else if (bad.expression == kernel) {
                    if (i < wishes_.from_user) throw_unknown_name(bad);
                    wishes_.kernels.erase(wishes_.kernels.begin() + static_cast<std::ptrdiff_t>(i));
                    dropped = true;
                    continue;
                }
                ++i;
            }
            dropped = std::erase(wishes_.variables, bad.expression.substr(1)) > 0 || dropped;
        }
        if (dropped) return true;
        // Something else, perhaps in the way that the tags meet the user's macros.
        if (!wishes_.append_tags) return false;
        wishes_.append_tags = false;
        return true;
    }

    [[noreturn]] void throw_unknown_name(const ParsedLog::BadName& bad) const {
        std::vector<std::string> names;
        for (const auto& kernel : declarations_.kernels) names.push_back(kernel.name);
        const std::string plain = bad.expression.substr(0, bad.expression.find('<'));
        fail(ErrorKind::not_found, "[Program.compile] argument 'names': '", bad.expression,
             "' is not a kernel of '", request_.name, "': ", bad.message,
             did_you_mean(plain, names));
    }

    [[noreturn]] void throw_compile_error() const {
        std::vector<Diagnostic> errors;
        for (const Diagnostic& diagnostic : log_.diagnostics)
            if (diagnostic.severity == Diagnostic::Severity::error) errors.push_back(diagnostic);
        std::string message = text("[Program.compile] '", request_.name, "' does not compile");
        if (errors.empty() && request_.options.warnings_as_errors && !log_.diagnostics.empty()) {
            const Diagnostic& first = log_.diagnostics.front();
            message += text(": ", first.file, ":", first.line,
                            ": warning (an error as asked): ", first.message);
        } else if (!errors.empty()) {
            const Diagnostic& first = errors.front();
            message += ": ";
            if (!first.file.empty()) {
                message += text(first.file, ":", first.line);
                if (first.column > 0) message += text(":", first.column);
                message += ": ";
            }
            message += first.message;
            if (errors.size() > 1) message += text(" (and ", errors.size() - 1, " more)");
        } else if (!log_.bad_names.empty()) {
            message += text(": ", log_.bad_names.front().message);
        }
        const std::string& log = log_.user_log.empty() ? raw_log_ : log_.user_log;
        throw CompileError(message + "\n" + log, log_.diagnostics, log);
    }

    [[nodiscard]] core::CodeData collect() {
        core::CodeData data;
        data.kind = DeviceKind::cuda;
        data.format = target_.format;
        data.name = request_.name;
        data.bytes = program_->code(target_.format);
        data.warnings = log_.diagnostics;
        data.log = log_.user_log;
        Dependencies dependencies = find_dependencies(declarations_, request_.options);
        data.dependencies = std::move(dependencies.files);
        data.has_mutable_globals =
            declarations_.has_mutable_globals || dependencies.has_mutable_globals;
        collect_kernels(data);
        for (const std::string& name : wishes_.variables)
            if (const auto lowered = program_->lowered("&" + name))
                data.variables.push_back({*lowered, name, is_constant(name)});
        return data;
    }

    [[nodiscard]] bool is_constant(const std::string& name) const {
        return std::any_of(declarations_.variables.begin(), declarations_.variables.end(),
                           [&](const auto& v) { return v.name == name && v.is_constant; });
    }

    void collect_kernels(core::CodeData& data) const {
        std::vector<std::string> all = target_.format == "cubin" ? kernels_of_cubin(data.bytes)
                                       : target_.format == "ptx" ? kernels_of_ptx(data.bytes)
                                                                 : std::vector<std::string>();
        data.symbols_complete = target_.format == "cubin" || target_.format == "ptx";
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < wishes_.kernels.size(); ++i) {
            const std::string& expression = wishes_.kernels[i];
            const auto lowered = program_->lowered(expression);
            if (!lowered) continue;
            std::erase(all, *lowered);
            core::KernelSymbol symbol;
            symbol.lowered = *lowered;
            symbol.display = jit::display_name(*lowered);
            if (i < wishes_.from_user) symbol.expression = expression;
            set_signature(symbol, expression);
            data.kernels.push_back(std::move(symbol));
        }
        for (const std::string& lowered : all) {
            core::KernelSymbol symbol;
            symbol.lowered = lowered;
            symbol.display = jit::display_name(lowered);
            const auto signature = jit::signature_from_mangled(lowered);
            symbol.has_signature = signature.has_value();
            if (signature) symbol.signature = *signature;
            data.kernels.push_back(std::move(symbol));
        }
    }

    void set_signature(core::KernelSymbol& symbol, const std::string& expression) const {
        std::optional<Signature> signature;
        if (tagged(expression))
            if (const auto tag = program_->lowered(tag_of(expression)))
                signature = signature_from_tag(*tag);
        if (!signature) signature = jit::signature_from_mangled(symbol.lowered);
        symbol.has_signature = signature.has_value();
        if (!signature) return;
        symbol.signature = std::move(*signature);
        const std::string plain = expression.substr(0, expression.find('<'));
        for (const auto& kernel : declarations_.kernels) {
            if (kernel.name != plain ||
                kernel.parameters.size() != symbol.signature.parameters.size())
                continue;
            for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
                symbol.signature.parameters[i].name = kernel.parameters[i];
        }
    }

    /// Kernels that macros hid from the scan and whose names do not tell their types, extern "C"
    /// ones: their exact signatures are worth a second compile.
    [[nodiscard]] bool ask_for_hidden_kernels(const core::CodeData& data) {
        if (!wishes_.append_tags) return false;
        bool any = false;
        for (const auto& symbol : data.kernels) {
            if (symbol.has_signature || symbol.lowered.starts_with("_Z") || wished(symbol.lowered))
                continue;
            wishes_.kernels.push_back(symbol.lowered);
            any = true;
        }
        return any;
    }

    const Api& api_;
    const core::CompileRequest& request_;
    Target target_;
    std::vector<std::string> command_line_;
    Declarations declarations_;
    std::vector<std::pair<std::string, std::string>> headers_;
    Wishes wishes_;
    std::unique_ptr<Program> program_;
    std::string raw_log_;
    ParsedLog log_;
};

}  // namespace

std::string identity(const core::CompileRequest& request, const std::string& device_architecture) {
    const Facts& nvrtc = facts("Program.compile");
    const Target target = choose_target(nvrtc, request, device_architecture);
    return text("NVRTC ", nvrtc.major, ".", nvrtc.minor, " ", nvrtc.path, " ", target.format, " ",
                target.architecture, " ", join(nvrtc.include_folders, ":"), " tags 1 headers 1");
}

core::CodeData compile(const core::CompileRequest& request,
                       const std::string& device_architecture) {
    return Compilation(request, device_architecture).run();
}

}  // namespace heald::nvrtc
