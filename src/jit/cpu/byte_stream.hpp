#pragma once

// Little-endian fields in a byte string, with a header and a checksum, read with every length
// checked.

#include <heald/error.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heald::cpu {

static_assert(std::endian::native == std::endian::little, "byte strings are little-endian");

/// FNV-1a over eight bytes at a time: finds damage, not attacks.
inline std::uint64_t checksum(std::string_view bytes) {
    constexpr std::uint64_t prime = 0x100000001b3ULL;
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ bytes.size();
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29;
        bytes.remove_prefix(8);
    }
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
    return hash;
}

class ByteWriter {
public:
    ByteWriter(std::uint32_t magic, std::uint32_t version) {
        value(magic);
        value(version);
    }

    template <typename T>
        requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
    void value(T field) {
        char raw[sizeof(T)];
        std::memcpy(raw, &field, sizeof(T));
        bytes_.append(raw, sizeof(T));
    }

    void text(std::string_view field) {
        value(static_cast<std::uint64_t>(field.size()));
        bytes_.append(field);
    }

    template <typename T, typename Write>
    void list(const std::vector<T>& fields, Write write) {
        value(static_cast<std::uint64_t>(fields.size()));
        for (const T& field : fields) write(field);
    }

    [[nodiscard]] std::string finish() && {
        value(checksum(bytes_));
        return std::move(bytes_);
    }

private:
    std::string bytes_;
};

class ByteReader {
public:
    /// Checks magic, version and checksum.
    ByteReader(std::string_view bytes, std::uint32_t magic, std::uint32_t version) {
        std::uint64_t sum = 0;
        if (bytes.size() < 16) fail("it is too short");
        std::memcpy(&sum, bytes.data() + bytes.size() - 8, 8);
        bytes_ = bytes.substr(0, bytes.size() - 8);
        if (value<std::uint32_t>() != magic) fail("it is of another kind");
        if (value<std::uint32_t>() != version) fail("it is of another version");
        if (sum != checksum(bytes_)) fail("it is damaged");
    }

    template <typename T>
        requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
    T value() {
        if (bytes_.size() - at_ < sizeof(T)) fail("it ends early");
        if constexpr (std::is_same_v<T, bool>) {
            return bytes_[at_++] != 0;
        } else {
            T field;
            std::memcpy(&field, bytes_.data() + at_, sizeof(T));
            at_ += sizeof(T);
            return field;
        }
    }

    std::string text() {
        const auto size = value<std::uint64_t>();
        if (bytes_.size() - at_ < size) fail("it ends early");
        std::string field(bytes_.substr(at_, size));
        at_ += size;
        return field;
    }

    template <typename Read>
    auto list(Read read) {
        std::vector<decltype(read())> fields;
        const auto count = value<std::uint64_t>();
        if (count > bytes_.size() - at_) fail("it ends early");
        fields.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) fields.push_back(read());
        return fields;
    }

    void finish() const {
        if (at_ != bytes_.size()) fail("it has too many bytes");
    }

private:
    [[noreturn]] static void fail(const char* why) {
        throw Error(ErrorKind::invalid_value, std::string("compiled code cannot be read: ") + why);
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace heald::cpu
