#include "src/jit/cpu/device_headers.hpp"

#include "src/jit/cpu/embedded_headers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace heald::cpu {
namespace {

struct Headers {
    std::deque<std::string> storage;  // keeps addresses
    std::vector<DeviceHeader> list;
    std::string hash = embedded_hash;
};

std::string_view keep(Headers& headers, std::string text) {
    return headers.storage.emplace_back(std::move(text));
}

void read_folder(Headers& headers, const std::filesystem::path& root) {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        const auto name = std::filesystem::relative(entry.path(), root).generic_string();
        headers.list.push_back({keep(headers, name), keep(headers, text.str())});
        all += name + text.str();
    }
    headers.hash += "-" + std::to_string(std::hash<std::string>{}(all));
}

Headers load() {
    Headers headers;
    const char* folder = std::getenv("HEALD_DEVICE_HEADERS");
    if (folder != nullptr && *folder != '\0') {
        read_folder(headers, folder);
    } else {
        for (const EmbeddedHeader* header = embedded_headers; header->name != nullptr; ++header) {
            headers.list.push_back({header->name, header->text});
        }
    }
    std::sort(headers.list.begin(), headers.list.end(),
              [](const DeviceHeader& a, const DeviceHeader& b) { return a.name < b.name; });
    return headers;
}

const Headers& headers() {
    static const Headers loaded = load();
    return loaded;
}

}  // namespace

const std::vector<DeviceHeader>& device_headers() { return headers().list; }

std::string_view passes_hash() { return headers().hash; }

}  // namespace heald::cpu
