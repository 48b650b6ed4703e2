#include "src/jit/cpu/virtual_files.hpp"

#include "src/jit/cpu/device_headers.hpp"

#include <llvm/Support/MemoryBuffer.h>

namespace heald::cpu {
namespace {

std::unique_ptr<llvm::MemoryBuffer> buffer(std::string_view text, std::string_view name,
                                           bool null_terminated = true) {
    return llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text.data(), text.size()),
                                            llvm::StringRef(name.data(), name.size()),
                                            null_terminated);
}

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const CompileInput& input,
                                                                 const VirtualFiles& files) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->setCurrentWorkingDirectory(std::string(source_root));
    const auto add = [&](const std::string& path, std::string_view text) {
        memory->addFile(path, 0, buffer(text, path));
    };
    for (const DeviceHeader& header : device_headers()) {
        const std::string_view root = header.standalone ? standalone_root : device_root;
        add(std::string(root) + "/" + std::string(header.name), header.text);
    }
    for (const auto& [name, text] : input.headers) {
        add(name.starts_with('/') ? name : std::string(user_header_root) + "/" + name, text);
    }
    static const std::string prelude = std::string("#include <") + prelude_name + ">\n";
    static const std::string half_prelude =
        prelude + "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
    add(std::string(prelude_path), prelude);
    add(std::string(half_prelude_path), half_prelude);
    add(std::string(defines_path), files.defines);
    if (!files.precompiled.empty()) {
        memory->addFile(std::string(precompiled_path), 0,
                        buffer(files.precompiled, precompiled_path, false));
    }
    if (!input.name.empty()) add(input.name, files.main_text);

    auto overlay =
        llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
    overlay->pushOverlay(memory);
    // pushOverlay moved the memory file system to the process's working directory.
    memory->setCurrentWorkingDirectory(std::string(source_root));
    return overlay;
}

std::string user_path(std::string_view path) {
    for (const std::string_view root : {user_header_root, source_root}) {
        if (starts_with(path, root) && path.size() > root.size() && path[root.size()] == '/') {
            return std::string(path.substr(root.size() + 1));
        }
    }
    if (starts_with(path, "./")) path.remove_prefix(2);
    return std::string(path);
}

bool is_internal_path(std::string_view path) {
    return starts_with(path, device_root) || starts_with(path, standalone_root) ||
           starts_with(path, defines_path) || starts_with(path, prelude_path) ||
           starts_with(path, half_prelude_path) || starts_with(path, precompiled_path);
}

}  // namespace heald::cpu
