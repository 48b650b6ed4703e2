"""Python's names as names in C++."""

from __future__ import annotations

import keyword

_CPP = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
nullptr operator or or_eq private protected public register reinterpret_cast requires return
short signed sizeof static static_assert static_cast struct switch template this thread_local
throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
xor xor_eq
NULL INFINITY NAN assert printf main std heald_ half threadIdx blockIdx blockDim gridDim warpSize
min max abs fma rsqrt rsqrtf fmaf sqrt sqrtf linux unix index_t
y0 y1 yn j0 j1 jn gamma
""".split()

_RESERVED = frozenset(_CPP) | frozenset(keyword.kwlist)


def c_identifier(name: str) -> str:
    """Different names stay different; a double underscore is left to the translator."""
    text = "".join(c if c.isascii() else f"_u{ord(c):x}_" for c in name)
    text = text.replace("__", "_u_")
    if text in _RESERVED or text.endswith("_") or text.startswith(("heald", "_")):
        text = f"v_{text}" + ("u" if text.endswith("_") else "")
    return text
