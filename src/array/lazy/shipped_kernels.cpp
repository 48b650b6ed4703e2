#include "src/array/lazy/shipped_kernels.hpp"

#include "src/base/library.hpp"
#include "src/base/log.hpp"
#include "src/base/text.hpp"
#include "src/jit/code_file.hpp"

#include <heald/version.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace heald::array {
namespace {

struct Header {
    std::array<char, 8> magic{'H', 'E', 'A', 'L', 'D', 'K', 'R', 'N'};
    std::uint64_t entries = 0;
    Hash128 version = KeyBuilder().add("kernels 1 of heald " HEALD_VERSION_STRING).hash();
};

struct Entry {
    Hash128 key;
    std::uint64_t offset = 0;  ///< from the start of the file
    std::uint64_t size = 0;
};

/// A file, mapped for the life of the process.
std::string_view mapped(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    struct stat facts{};
    void* data = MAP_FAILED;
    if (fstat(file, &facts) == 0 && facts.st_size > 0)
        data =
            mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED) return {};
    return {static_cast<const char*>(data), static_cast<std::size_t>(facts.st_size)};
}

class ShippedFile {
public:
    explicit ShippedFile(const std::string& path) : bytes_(mapped(path)) {
        if (bytes_.empty()) return;
        Header header;
        const Header own;
        if (bytes_.size() >= sizeof header) std::memcpy(&header, bytes_.data(), sizeof header);
        const std::size_t room = bytes_.size() < sizeof header ? 0 : bytes_.size() - sizeof header;
        if (room == 0 || header.magic != own.magic || header.version != own.version ||
            header.entries > room / sizeof(Entry)) {
            log(LogLevel::info, path, " belongs to another version of heald, and is not used");
            return;
        }
        entries_ = {reinterpret_cast<const Entry*>(bytes_.data() + sizeof header), header.entries};
    }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

    [[nodiscard]] std::string_view find(const Hash128& key) const noexcept {
        const auto found = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
        if (found == entries_.end() || found->key != key) return {};
        if (found->offset > bytes_.size() || found->size > bytes_.size() - found->offset) return {};
        return bytes_.substr(found->offset, found->size);
    }

private:
    std::string_view bytes_;
    std::span<const Entry> entries_;
};

/// The file for the device's level, or the next lower one that there is.
const ShippedFile& shipped_for(const std::string& architecture) {
    static const ShippedFile& file = *[&] {
        auto levels = std::vector<std::string>{"x86-64-v4", "x86-64-v3", "x86-64-v2"};
        levels.erase(levels.begin(), std::ranges::find(levels, architecture));
        for (const std::string& level : levels)
            if (auto found = std::make_unique<ShippedFile>(
                    text(own_folder(), "/", shipped_file_name(level)));
                !found->empty())
                return found.release();  // lives as long as the process
        return std::make_unique<ShippedFile>("").release();
    }();
    return file;
}

}  // namespace

std::string shipped_file_name(const std::string& architecture) {
    return text("heald_kernels.", architecture, ".bin");
}

std::string shipped_file(const std::map<Hash128, std::string>& codes) {
    Header header;
    header.entries = codes.size();
    std::string index(reinterpret_cast<const char*>(&header), sizeof header);
    std::string contents;
    for (const auto& [key, code] : codes) {
        const Entry entry{key, sizeof header + codes.size() * sizeof(Entry) + contents.size(),
                          code.size()};
        index.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        contents += code;
    }
    return index + contents;
}

std::shared_ptr<const core::CodeData> shipped_code(core::DeviceState& device,
                                                   const std::string& source) {
    if (device.kind() != DeviceKind::cpu) return nullptr;
    const ShippedFile& file = shipped_for(device.backend().properties().architecture);
    if (file.empty()) return nullptr;
    const std::string_view bytes = file.find(hash_bytes(source));
    if (bytes.empty()) return nullptr;
    auto code = jit::deserialize(bytes);
    return code ? std::make_shared<const core::CodeData>(*std::move(code)) : nullptr;
}

}  // namespace heald::array
