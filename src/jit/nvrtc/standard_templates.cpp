// <type_traits>, <utility> and <limits> for NVRTC: see standard_texts.hpp.

namespace heald::nvrtc {

extern const char* const standard_type_traits;
extern const char* const standard_utility;
extern const char* const standard_limits;

const char* const standard_type_traits = R"(#pragma once
#include <cstddef>
namespace std {
template <class T, T V> struct integral_constant {
    static constexpr T value = V;
    using value_type = T;
    using type = integral_constant;
    constexpr __host__ __device__ operator T() const noexcept { return V; }
    constexpr __host__ __device__ T operator()() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class...> using void_t = void;
template <class T> struct type_identity { using type = T; };
template <class T> using type_identity_t = typename type_identity<T>::type;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv { using type = T; };
template <class T> struct remove_cv<const T> { using type = T; };
template <class T> struct remove_cv<volatile T> { using type = T; };
template <class T> struct remove_cv<const volatile T> { using type = T; };
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> struct remove_cvref : remove_cv<typename remove_reference<T>::type> {};
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> struct remove_pointer<T* const> { using type = T; };
template <class T> struct remove_pointer<T* volatile> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, size_t N> struct remove_extent<T[N]> { using type = T; };
template <class T> struct remove_all_extents { using type = T; };
template <class T> struct remove_all_extents<T[]> : remove_all_extents<T> {};
template <class T, size_t N> struct remove_all_extents<T[N]> : remove_all_extents<T> {};
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <class T> struct add_const { using type = const T; };
template <class T> using add_const_t = const T;
template <class T> struct add_volatile { using type = volatile T; };
template <class T> using add_volatile_t = volatile T;
namespace __heald {
template <class T> type_identity<T&> lref(int);
template <class T> type_identity<T> lref(...);
template <class T> type_identity<T&&> rref(int);
template <class T> type_identity<T> rref(...);
template <class T> type_identity<remove_reference_t<T>*> pointer(int);
template <class T> type_identity<T> pointer(...);
}
template <class T> struct add_lvalue_reference : decltype(__heald::lref<T>(0)) {};
template <class T> struct add_rvalue_reference : decltype(__heald::rref<T>(0)) {};
template <class T> struct add_pointer : decltype(__heald::pointer<T>(0)) {};
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> __host__ __device__ add_rvalue_reference_t<T> declval() noexcept;
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <class T> struct is_null_pointer : is_same<remove_cv_t<T>, nullptr_t> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T&> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T&&> : true_type {};
template <class T> struct is_reference
    : bool_constant<is_lvalue_reference<T>::value || is_rvalue_reference<T>::value> {};
template <class T> struct is_pointer : bool_constant<!is_same<remove_pointer_t<T>, T>::value> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t N> struct is_array<T[N]> : true_type {};
template <class T, class... U> struct __is_one_of : bool_constant<(is_same<T, U>::value || ...)> {};
template <class T> struct is_integral
    : __is_one_of<remove_cv_t<T>, bool, char, signed char, unsigned char, wchar_t, char16_t,
                  char32_t, short, unsigned short, int, unsigned, long, unsigned long, long long,
                  unsigned long long> {};
template <class T> struct is_floating_point : __is_one_of<remove_cv_t<T>, float, double> {};
template <class T> struct is_arithmetic
    : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_union : bool_constant<__is_union(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> struct is_empty : bool_constant<__is_empty(T)> {};
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class T> struct is_standard_layout : bool_constant<__is_standard_layout(T)> {};
template <class T, class... A> struct is_constructible
    : bool_constant<__is_constructible(T, A...)> {};
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class F, class T> struct is_convertible : bool_constant<__is_convertible_to(F, T)> {};
template <class T> struct underlying_type { using type = __underlying_type(T); };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T, bool = is_arithmetic<T>::value> struct is_signed : bool_constant<(T(-1) < T(0))> {};
template <class T> struct is_signed<T, false> : false_type {};
template <class T, bool = is_arithmetic<T>::value> struct is_unsigned
    : bool_constant<(T(0) < T(-1))> {};
template <class T> struct is_unsigned<T, false> : false_type {};
template <class T> struct is_scalar
    : bool_constant<is_arithmetic<T>::value || is_enum<T>::value || is_pointer<T>::value ||
                    is_null_pointer<T>::value> {};
namespace __heald {
template <class T> struct signs;
template <> struct signs<char> { using s = signed char; using u = unsigned char; };
template <> struct signs<signed char> : signs<char> {};
template <> struct signs<unsigned char> : signs<char> {};
template <> struct signs<short> { using s = short; using u = unsigned short; };
template <> struct signs<unsigned short> : signs<short> {};
template <> struct signs<int> { using s = int; using u = unsigned; };
template <> struct signs<unsigned> : signs<int> {};
template <> struct signs<long> { using s = long; using u = unsigned long; };
template <> struct signs<unsigned long> : signs<long> {};
template <> struct signs<long long> { using s = long long; using u = unsigned long long; };
template <> struct signs<unsigned long long> : signs<long long> {};
}
template <class T> struct make_signed { using type = typename __heald::signs<T>::s; };
template <class T> struct make_unsigned { using type = typename __heald::signs<T>::u; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct __decay_plain { using type = remove_cv_t<T>; };
template <class T> struct __decay_plain<T[]> { using type = T*; };
template <class T, size_t N> struct __decay_plain<T[N]> { using type = T*; };
template <class R, class... A> struct __decay_plain<R(A...)> { using type = R (*)(A...); };
template <class T> struct decay : __decay_plain<remove_reference_t<T>> {};
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T, size_t N> struct rank<T[N]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <class... B> struct conjunction : bool_constant<(bool(B::value) && ...)> {};
template <class... B> struct disjunction : bool_constant<(bool(B::value) || ...)> {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... T> struct common_type {};
template <class T> struct common_type<T> : decay<T> {};
template <class T, class U> struct common_type<T, U> {
    using type = decay_t<decltype(false ? declval<T>() : declval<U>())>;
};
template <class T, class U, class... R> struct common_type<T, U, R...>
    : common_type<typename common_type<T, U>::type, R...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class F, class... A> struct invoke_result {
    using type = decltype(declval<F>()(declval<A>()...));
};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
#define __HEALD_V(name) template <class T> inline constexpr bool name##_v = name<T>::value;
__HEALD_V(is_void) __HEALD_V(is_null_pointer) __HEALD_V(is_const) __HEALD_V(is_volatile)
__HEALD_V(is_lvalue_reference) __HEALD_V(is_rvalue_reference) __HEALD_V(is_reference)
__HEALD_V(is_pointer) __HEALD_V(is_array) __HEALD_V(is_integral) __HEALD_V(is_floating_point)
__HEALD_V(is_arithmetic) __HEALD_V(is_enum) __HEALD_V(is_union) __HEALD_V(is_class)
__HEALD_V(is_empty) __HEALD_V(is_trivially_copyable) __HEALD_V(is_standard_layout)
__HEALD_V(is_signed) __HEALD_V(is_unsigned) __HEALD_V(is_scalar) __HEALD_V(negation)
#undef __HEALD_V
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <class B, class D> inline constexpr bool is_base_of_v = is_base_of<B, D>::value;
template <class F, class T> inline constexpr bool is_convertible_v = is_convertible<F, T>::value;
template <class T, class... A> inline constexpr bool is_constructible_v =
    is_constructible<T, A...>::value;
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class T> inline constexpr size_t rank_v = rank<T>::value;
}
)";

const char* const standard_utility = R"(#pragma once
#include <type_traits>
namespace std {
// NVRTC itself has std::move and std::forward.
template <class T> constexpr __host__ __device__ void swap(T& a, T& b) noexcept {
    T held = static_cast<T&&>(a);
    a = static_cast<T&&>(b);
    b = static_cast<T&&>(held);
}
template <class T, class U = T> constexpr __host__ __device__ T exchange(T& object, U&& value) {
    T old = static_cast<T&&>(object);
    object = static_cast<U&&>(value);
    return old;
}
template <class T> constexpr __host__ __device__ const T& as_const(T& v) noexcept { return v; }
template <class T, T... I> struct integer_sequence {
    using value_type = T;
    static constexpr __host__ __device__ size_t size() noexcept { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
namespace __heald {
template <class T, class A, class B> struct joined;
template <class T, T... I, T... J> struct joined<T, integer_sequence<T, I...>, integer_sequence<T, J...>> {
    using type = integer_sequence<T, I..., (T(sizeof...(I)) + J)...>;
};
template <class T, size_t N> struct counted
    : joined<T, typename counted<T, N / 2>::type, typename counted<T, N - N / 2>::type> {};
template <class T> struct counted<T, 0> { using type = integer_sequence<T>; };
template <class T> struct counted<T, 1> { using type = integer_sequence<T, T(0)>; };
}
template <class T, T N> using make_integer_sequence = typename __heald::counted<T, size_t(N)>::type;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
template <class A, class B> struct pair {
    using first_type = A;
    using second_type = B;
    A first{};
    B second{};
    constexpr pair() = default;
    constexpr __host__ __device__ pair(const A& a, const B& b) : first(a), second(b) {}
    friend constexpr __host__ __device__ bool operator==(const pair& x, const pair& y) {
        return x.first == y.first && x.second == y.second;
    }
    friend constexpr __host__ __device__ bool operator<(const pair& x, const pair& y) {
        return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
    }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B>
constexpr __host__ __device__ pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
    return {static_cast<A&&>(a), static_cast<B&&>(b)};
}
}
)";

const char* const standard_limits = R"(#pragma once
#include <cfloat>
#include <climits>
namespace std {
enum float_round_style { round_indeterminate = -1, round_toward_zero = 0, round_to_nearest = 1 };
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
template <class T> struct numeric_limits<volatile T> : numeric_limits<T> {};
#define __HEALD_F static constexpr __host__ __device__
template <class T, bool Signed, int Digits> struct __integer_limits {
    static constexpr bool is_specialized = true, is_signed = Signed, is_integer = true;
    static constexpr bool is_exact = true, is_bounded = true, is_modulo = !Signed;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, is_iec559 = false;
    static constexpr int digits = Digits, digits10 = Digits * 30103 / 100000, radix = 2;
    __HEALD_F T max() noexcept {
        return T((((1ull << (Digits - 1)) - 1) << 1) | 1);
    }
    __HEALD_F T min() noexcept { return Signed ? T(-max() - 1) : T(0); }
    __HEALD_F T lowest() noexcept { return min(); }
    __HEALD_F T epsilon() noexcept { return T(0); }
    __HEALD_F T infinity() noexcept { return T(0); }
    __HEALD_F T quiet_NaN() noexcept { return T(0); }
};
#define __HEALD_LIMITS(type, is_signed, digits) \
    template <> struct numeric_limits<type> : __integer_limits<type, is_signed, digits> {};
__HEALD_LIMITS(bool, false, 1) __HEALD_LIMITS(char, true, 7) __HEALD_LIMITS(signed char, true, 7)
__HEALD_LIMITS(unsigned char, false, 8) __HEALD_LIMITS(short, true, 15)
__HEALD_LIMITS(unsigned short, false, 16) __HEALD_LIMITS(int, true, 31)
__HEALD_LIMITS(unsigned, false, 32) __HEALD_LIMITS(long, true, 63)
__HEALD_LIMITS(unsigned long, false, 64) __HEALD_LIMITS(long long, true, 63)
__HEALD_LIMITS(unsigned long long, false, 64)
#undef __HEALD_LIMITS
template <class T> struct __float_limits {
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false;
    static constexpr bool is_exact = false, is_bounded = true, is_modulo = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true;
    static constexpr int radix = 2;
    static constexpr float_round_style round_style = round_to_nearest;
};
#define __HEALD_LIMITS(type, P, inf, nan)                                                    \
    template <> struct numeric_limits<type> : __float_limits<type> {                         \
        static constexpr int digits = P##_MANT_DIG, digits10 = P##_DIG;                      \
        static constexpr int max_digits10 = P##_DECIMAL_DIG;                                 \
        static constexpr int min_exponent = P##_MIN_EXP, max_exponent = P##_MAX_EXP;         \
        static constexpr int min_exponent10 = P##_MIN_10_EXP, max_exponent10 = P##_MAX_10_EXP; \
        __HEALD_F type min() noexcept { return P##_MIN; }                                    \
        __HEALD_F type max() noexcept { return P##_MAX; }                                    \
        __HEALD_F type lowest() noexcept { return -P##_MAX; }                                \
        __HEALD_F type epsilon() noexcept { return P##_EPSILON; }                            \
        __HEALD_F type denorm_min() noexcept { return P##_TRUE_MIN; }                        \
        __HEALD_F type round_error() noexcept { return type(0.5); }                          \
        __HEALD_F type infinity() noexcept { return inf; }                                   \
        __HEALD_F type quiet_NaN() noexcept { return nan; }                                  \
    };
__HEALD_LIMITS(float, FLT, __builtin_bit_cast(float, 0x7f800000),
               __builtin_bit_cast(float, 0x7fc00000))
__HEALD_LIMITS(double, DBL, __builtin_bit_cast(double, 0x7ff0000000000000ll),
               __builtin_bit_cast(double, 0x7ff8000000000000ll))
#undef __HEALD_LIMITS
#undef __HEALD_F
}
)";

}  // namespace heald::nvrtc
