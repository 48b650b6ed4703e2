#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace heald {

/// 128 bits that stand for some content: the same on every machine and in every version.
struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    bool operator==(const Hash128&) const = default;
    auto operator<=>(const Hash128&) const = default;
    [[nodiscard]] std::string hex() const;  ///< 32 digits
};

struct Hash128Hasher {
    std::size_t operator()(const Hash128& hash) const noexcept { return hash.low; }
};

/// MurmurHash3 x64 128: fast (some GB/s) and well mixed. It guards against accidents, not against
/// someone who makes up collisions.
[[nodiscard]] Hash128 hash_bytes(std::string_view bytes, std::uint32_t seed = 0) noexcept;

/// Fields with their lengths, so that ("ab", "c") and ("a", "bc") differ.
class KeyBuilder {
public:
    KeyBuilder& add(std::string_view field) {
        add(static_cast<std::uint64_t>(field.size()));
        bytes_ += field;
        return *this;
    }
    KeyBuilder& add(const char* field) { return add(std::string_view(field)); }
    KeyBuilder& add(std::uint64_t field) {
        char digits[sizeof field];
        std::memcpy(digits, &field, sizeof field);
        bytes_.append(digits, sizeof field);
        return *this;
    }
    KeyBuilder& add(const Hash128& field) { return add(field.low).add(field.high); }
    template <class Range>
    KeyBuilder& add_all(const Range& fields) {
        add(static_cast<std::uint64_t>(fields.size()));
        for (const auto& field : fields) add(std::string_view(field));
        return *this;
    }
    [[nodiscard]] Hash128 hash() const noexcept { return hash_bytes(bytes_); }

private:
    std::string bytes_;
};

}  // namespace heald
