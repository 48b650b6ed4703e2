#include "src/jit/nvrtc/program.hpp"

#include "src/base/check.hpp"

namespace heald::nvrtc {

Program::Program(const Api& api, const std::string& source, const std::string& name,
                 const std::vector<std::pair<std::string, std::string>>& headers)
    : api_(api) {
    std::vector<const char*> texts;
    std::vector<const char*> names;
    for (const auto& [header, text] : headers) {
        names.push_back(header.c_str());
        texts.push_back(text.c_str());
    }
    check(api_.nvrtcCreateProgram(&handle_, source.c_str(), name.c_str(),
                                  static_cast<int>(headers.size()), texts.data(), names.data()),
          "nvrtcCreateProgram");
}

Program::~Program() {
    api_.nvrtcDestroyProgram(&handle_);
}

void Program::add_name(const std::string& expression) {
    check(api_.nvrtcAddNameExpression(handle_, expression.c_str()), "nvrtcAddNameExpression");
}

Result Program::compile(const std::vector<std::string>& command_line) {
    std::vector<const char*> options;
    for (const std::string& option : command_line) options.push_back(option.c_str());
    return api_.nvrtcCompileProgram(handle_, static_cast<int>(options.size()), options.data());
}

std::string Program::log() const {
    std::size_t size = 0;
    check(api_.nvrtcGetProgramLogSize(handle_, &size), "nvrtcGetProgramLogSize");
    std::string log(size, '\0');
    check(api_.nvrtcGetProgramLog(handle_, log.data()), "nvrtcGetProgramLog");
    log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
    return log;
}

std::optional<std::string> Program::lowered(const std::string& expression) const {
    const char* name = nullptr;
    if (api_.nvrtcGetLoweredName(handle_, expression.c_str(), &name) != Result::success ||
        name == nullptr)
        return std::nullopt;
    return name;
}

std::string Program::code(const std::string& format) const {
    const auto get = [&](auto size_of, auto get_code, const char* call) {
        if (size_of == nullptr || get_code == nullptr)
            fail(ErrorKind::unavailable, "[Program.compile] this NVRTC (", api_.major, ".",
                 api_.minor, ") cannot make ", format, ": ", library().spec().remedy);
        std::size_t size = 0;
        check(size_of(handle_, &size), call);
        std::string code(size, '\0');
        check(get_code(handle_, code.data()), call);
        return code;
    };
    if (format == "cubin") return get(api_.nvrtcGetCUBINSize, api_.nvrtcGetCUBIN, "nvrtcGetCUBIN");
    if (format == "ltoir") return get(api_.nvrtcGetLTOIRSize, api_.nvrtcGetLTOIR, "nvrtcGetLTOIR");
    std::string ptx = get(api_.nvrtcGetPTXSize, api_.nvrtcGetPTX, "nvrtcGetPTX");
    while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
    return ptx;
}

}  // namespace heald::nvrtc
