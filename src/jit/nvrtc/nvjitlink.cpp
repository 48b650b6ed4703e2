#include "src/jit/nvrtc/nvjitlink.hpp"

#include "src/base/check.hpp"
#include "src/base/settings.hpp"
#include "src/jit/nvrtc/api.hpp"

#include <algorithm>
#include <array>

namespace heald::nvrtc::nvjitlink {
namespace {

struct Api {
#define HEALD_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
    HEALD_NVJITLINK_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
    std::string missing;  ///< the first function that the library lacks
    unsigned major = 0;
    unsigned minor = 0;
};

const Api& api() {
    static const Api* const instance = [] {
        auto* api = new Api;
#define HEALD_LOOK_UP(name, ...)                                            \
    api->name = library().function<std::add_pointer_t<__VA_ARGS__>>(#name); \
    if (api->name == nullptr && api->missing.empty()) api->missing = #name;
        HEALD_NVJITLINK_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
        if (api->missing.empty()) api->nvJitLinkVersion(&api->major, &api->minor);
        return api;
    }();
    return *instance;
}

Input kind_of(const std::string& format) {
    return format == "cubin" ? Input::cubin : format == "ptx" ? Input::ptx : Input::ltoir;
}

std::vector<std::string> command_line(const LinkJob& job) {
    const bool lto = std::any_of(job.inputs.begin(), job.inputs.end(),
                                 [](const LinkInput& input) { return input.format == "ltoir"; });
    std::vector<std::string> line{"-arch=" + job.architecture};
    if (lto) line.emplace_back("-lto");
    if (lto && job.format == "ptx") line.emplace_back("-ptx");
    const ProgramOptions& options = *job.options;
    if (options.debug) line.emplace_back("-g");
    if (options.line_info && !options.debug) line.emplace_back("-lineinfo");
    if (options.max_registers)
        line.push_back("-maxrregcount=" + std::to_string(*options.max_registers));
    if (lto && options.fast_math)
        for (const char* option : {"-ftz=1", "-prec-div=0", "-prec-sqrt=0"})
            line.emplace_back(option);
    if (lto && !options.contract) line.emplace_back("-fma=0");
    line.insert(line.end(), options.extra.begin(), options.extra.end());
    return line;
}

class Link {
public:
    explicit Link(const LinkJob& job) : job_(job) {
        const auto line = command_line(job);
        std::vector<const char*> options;
        for (const std::string& option : line) options.push_back(option.c_str());
        check(api().nvJitLinkCreate(&handle_, static_cast<std::uint32_t>(options.size()),
                                    options.data()),
              "nvJitLinkCreate");
    }
    ~Link() {
        if (handle_ != nullptr) api().nvJitLinkDestroy(&handle_);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    LinkResult run() {
        for (const LinkInput& input : job_.inputs)
            check(api().nvJitLinkAddData(handle_, kind_of(input.format), input.bytes.data(),
                                         input.bytes.size(), input.name.c_str()),
                  "nvJitLinkAddData");
        check(api().nvJitLinkComplete(handle_), "nvJitLinkComplete");
        LinkResult result;
        std::size_t size = 0;
        if (job_.format == "ptx") {
            check(api().nvJitLinkGetLinkedPtxSize(handle_, &size), "nvJitLinkGetLinkedPtxSize");
            result.bytes.resize(size);
            check(api().nvJitLinkGetLinkedPtx(handle_, result.bytes.data()),
                  "nvJitLinkGetLinkedPtx");
            while (!result.bytes.empty() && result.bytes.back() == '\0') result.bytes.pop_back();
        } else {
            check(api().nvJitLinkGetLinkedCubinSize(handle_, &size), "nvJitLinkGetLinkedCubinSize");
            result.bytes.resize(size);
            check(api().nvJitLinkGetLinkedCubin(handle_, result.bytes.data()),
                  "nvJitLinkGetLinkedCubin");
        }
        result.log = text_of(api().nvJitLinkGetInfoLogSize, api().nvJitLinkGetInfoLog);
        return result;
    }

private:
    template <class SizeOf, class Get>
    [[nodiscard]] std::string text_of(SizeOf size_of, Get get) const {
        std::size_t size = 0;
        if (handle_ == nullptr || size_of(handle_, &size) != Result::success || size == 0)
            return {};
        std::string text(size, '\0');
        get(handle_, text.data());
        text.resize(std::string_view(text.c_str()).size());
        return text;
    }

    void check(Result result, const char* call) const {
        if (result == Result::success) return;
        const std::string log = text_of(api().nvJitLinkGetErrorLogSize, api().nvJitLinkGetErrorLog);
        throw CompileError(text("[Linker.link] ", call, " failed (nvJitLink error ",
                                static_cast<int>(result), ")", log.empty() ? "" : ": ", log),
                           {}, log);
    }

    const LinkJob& job_;
    Handle handle_ = nullptr;
};

}  // namespace

Library& library() {
    static Library* const nvjitlink = new Library({
        .name = "nvJitLink",
        .purpose = "links code for the GPU",
        .sonames = {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"},
        .path_setting = Setting::nvjitlink_path,
        .package_folders = {"nvidia/cu13/lib", "nvidia/nvjitlink/lib", "nvidia/*/lib"},
        .remedy = "pip install nvidia-nvjitlink (with pip's CUDA 12 packages: pip install "
                  "nvidia-nvjitlink-cu12)",
    });
    return *nvjitlink;
}

bool usable(std::string& why) {
    if (!library().available()) {
        why = library().why_missing();
        return false;
    }
    if (api().missing.empty()) return true;
    why = library().too_old(api().missing);
    return false;
}

std::string version() {
    std::string why;
    return usable(why) ? text(api().major, ".", api().minor) : std::string();
}

LinkResult link(const LinkJob& job) {
    return Link(job).run();
}

}  // namespace heald::nvrtc::nvjitlink
