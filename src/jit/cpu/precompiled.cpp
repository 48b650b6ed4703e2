#include "src/jit/cpu/precompiled.hpp"

#include "src/jit/cpu/clang_instance.hpp"
#include "src/jit/cpu/virtual_files.hpp"

#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/InMemoryModuleCache.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <mutex>

namespace heald::cpu {
namespace {

// clang reads every device function of a PCH back at the end of each compile, to repeat diagnostics
// that it put off. heald's headers have none. The list is private; naming a member in an explicit
// instantiation is allowed.
template <auto Member>
struct Open {
    friend auto deferred_list(clang::Sema&) { return Member; }
};
auto deferred_list(clang::Sema&);
template struct Open<&clang::Sema::DeclsToCheckForDeferredDiags>;

class DropDeferred final : public clang::SemaConsumer {
public:
    void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
    void HandleTranslationUnit(clang::ASTContext&) override {
        (sema_->*deferred_list(*sema_)).clear();
    }

private:
    clang::Sema* sema_ = nullptr;
};

class PrecompileAction final : public clang::ASTFrontendAction {
public:
    explicit PrecompileAction(std::shared_ptr<clang::PCHBuffer> buffer)
        : buffer_(std::move(buffer)) {}

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                          llvm::StringRef) override {
        std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
        consumers.push_back(std::make_unique<DropDeferred>());
        consumers.push_back(std::make_unique<clang::PCHGenerator>(
            instance.getPreprocessor(), instance.getModuleCache(), "", "", buffer_,
            instance.getFrontendOpts().ModuleFileExtensions, false, false));
        return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
    }
    clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
    bool hasASTFileSupport() const override { return false; }

private:
    std::shared_ptr<clang::PCHBuffer> buffer_;
};

}  // namespace

// Bytes that the build put into the plug-in (embedded_pch.cpp); absent in other programs.
extern "C" {
__attribute__((weak)) extern const char heald_pch_plain_begin[];
__attribute__((weak)) extern const char heald_pch_plain_end[];
__attribute__((weak)) extern const char heald_pch_half_begin[];
__attribute__((weak)) extern const char heald_pch_half_end[];
}

namespace {

std::string_view embedded(const ParseMode& mode) {
    ParseMode usual;
    usual.short_floats = mode.short_floats;
    const char* folder = std::getenv("HEALD_DEVICE_HEADERS");
    if (mode.key() != usual.key() || (folder != nullptr && *folder != '\0')) return {};
    const char* begin = mode.short_floats ? heald_pch_half_begin : heald_pch_plain_begin;
    const char* end = mode.short_floats ? heald_pch_half_end : heald_pch_plain_end;
    if (begin == nullptr) return {};
    return {begin, static_cast<std::size_t>(end - begin)};
}

using Result = std::shared_ptr<const std::string>;

struct Made {
    pid_t process = getpid();
    std::mutex mutex;
    std::map<std::string, std::shared_future<Result>> preludes;  // never shrinks: few modes
};

/// A forked child starts afresh: a thread that it does not have may have been making one.
Made& made_in_this_process() {
    static std::atomic<Made*> current{new Made};
    Made* made = current.load(std::memory_order_acquire);
    if (made->process == getpid()) return *made;
    Made* fresh = new Made;
    if (current.compare_exchange_strong(made, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
    return *made;
}

}  // namespace

std::string make_precompiled_prelude(const ParseMode& mode) {
    CompileInput nothing;
    nothing.name.clear();
    std::vector<std::string> arguments = mode_arguments(mode);
    arguments.push_back("-fpch-instantiate-templates");
    arguments.push_back(std::string(mode.prelude()));
    ClangInstance clang = make_clang(arguments, make_file_system(nothing, {}), ~0U);
    auto buffer = std::make_shared<clang::PCHBuffer>();
    PrecompileAction action(buffer);
    if (!clang.compiler->ExecuteAction(action) || !buffer->IsComplete) return {};
    return std::string(buffer->Data.begin(), buffer->Data.end());
}

std::string_view precompiled_prelude(const ParseMode& mode) {
    if (const std::string_view built_in = embedded(mode); !built_in.empty()) return built_in;
    Made& made = made_in_this_process();
    std::promise<Result> promise;
    std::shared_future<Result> future;
    bool mine = false;
    {
        const std::lock_guard lock(made.mutex);
        const auto [entry, inserted] = made.preludes.try_emplace(mode.key());
        if (inserted) entry->second = promise.get_future().share();
        mine = inserted;
        future = entry->second;
    }
    if (mine) {
        try {
            promise.set_value(std::make_shared<const std::string>(make_precompiled_prelude(mode)));
        } catch (...) {
            promise.set_value(std::make_shared<const std::string>());
        }
    }
    return *future.get();
}

}  // namespace heald::cpu
