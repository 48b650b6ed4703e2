#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heald::jit {

/// Values one after another, for files that the same machine reads back.
class ByteWriter {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(std::string_view value) {
        put(static_cast<std::uint64_t>(value.size()));
        bytes_ += value;
    }
    void put(const std::string& value) { put(std::string_view(value)); }
    template <class T, class Put>
    void put_all(const std::vector<T>& items, Put&& put_item) {
        put(static_cast<std::uint64_t>(items.size()));
        for (const T& item : items) put_item(item);
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// Throws std::runtime_error past the end: such bytes are not ours.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    bool get_bool() { return get<std::uint8_t>() != 0; }
    /// An enumerator from the first to `last`.
    template <class T>
    T get_enum(T last) {
        const auto value = get<std::underlying_type_t<T>>();
        if (value > static_cast<std::underlying_type_t<T>>(last))
            throw std::runtime_error("no such enumerator");
        return static_cast<T>(value);
    }
    template <class T>
        requires(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool> && !std::is_enum_v<T>)
    T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string get_string() { return std::string(take(get<std::uint64_t>())); }
    template <class T, class Get>
    std::vector<T> get_all(Get&& get_item) {
        const auto count = get<std::uint64_t>();
        if (count > rest_.size()) throw std::runtime_error("more items than bytes");
        std::vector<T> items;
        items.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) items.push_back(get_item());
        return items;
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

private:
    std::string_view take(std::uint64_t bytes) {
        if (bytes > rest_.size()) throw std::runtime_error("the bytes end early");
        const std::string_view taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }

    std::string_view rest_;
};

}  // namespace heald::jit
