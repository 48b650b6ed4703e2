#include "src/jit/nvrtc/signature_tags.hpp"

#include "src/base/text.hpp"
#include "src/jit/signature_reader.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace heald::nvrtc {

std::string_view tag_definitions() noexcept {
    // Sizes come before alignments. A variable costs a byte where a kernel would cost kilobytes.
    return R"(
#line 1 "heald_signatures"
namespace heald_ {
template <unsigned long long... SizesAndAlignments> struct layout {};
template <class F> struct kernel;
template <class... P> struct kernel<void (*)(P...)> {
    using type = void(P...);
    using numbers = layout<sizeof(P)..., alignof(P)...>;
};
template <class F, class Numbers> __device__ char tag;
}
)";
}

std::string_view tag_file() noexcept {
    return "heald_signatures";
}

std::string tag_of(std::string_view kernel) {
    const std::string type = text("heald_::kernel<decltype(&", kernel, ")>::");
    return text("&heald_::tag<", type, "type, ", type, "numbers>");
}

namespace {

/// The literals at the end of "…EJLy8ELy4EEE" or "…ELy8ELy4EEE", in order.
std::vector<std::size_t> trailing_numbers(std::string_view mangled) {
    while (mangled.ends_with("EE")) mangled.remove_suffix(1);
    std::vector<std::size_t> numbers;
    while (mangled.ends_with('E')) {
        const std::size_t begin = mangled.rfind("Ly");
        if (begin == std::string_view::npos) break;
        const std::string_view digits = mangled.substr(begin + 2, mangled.size() - begin - 3);
        const bool is_number =
            !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
                return std::isdigit(static_cast<unsigned char>(c)) != 0;
            });
        if (!is_number) break;
        numbers.push_back(std::stoull(std::string(digits)));
        mangled = mangled.substr(0, begin);
    }
    std::reverse(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

std::optional<Signature> signature_from_tag(std::string_view lowered) {
    auto signature = jit::signature_from_mangled(lowered);
    if (!signature) return std::nullopt;
    const std::vector<std::size_t> numbers = trailing_numbers(lowered);
    const std::size_t count = signature->parameters.size();
    if (numbers.size() != 2 * count) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        signature->parameters[i].size = numbers[i];
        signature->parameters[i].alignment = numbers[count + i];
    }
    return signature;
}

}  // namespace heald::nvrtc
