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

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// As embed_headers.cmake does.
void read_folder(Headers& headers, const std::filesystem::path& root) {
    std::istringstream lines(read_file(root / "headers.txt"));
    std::string all;
    bool standalone = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('[')) standalone = line != "[always]";
        const auto equals = line.find(" = ");
        if (line.starts_with('#') || equals == std::string::npos) continue;
        std::string text = read_file(root / line.substr(equals + 3));
        all += line + text;
        headers.list.push_back(
            {keep(headers, line.substr(0, equals)), keep(headers, std::move(text)), standalone});
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
            headers.list.push_back({header->name, header->text, header->standalone});
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

const std::vector<DeviceHeader>& device_headers() {
    return headers().list;
}

std::string_view passes_hash() {
    return headers().hash;
}

}  // namespace heald::cpu
