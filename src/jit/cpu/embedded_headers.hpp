#pragma once

// What embed_headers.cmake generates.

namespace heald::cpu {

struct EmbeddedHeader {
    const char* name;
    const char* text;
    bool standalone;  ///< stands in for the C++ library
};

extern const EmbeddedHeader embedded_headers[];  ///< ends with a null name
extern const char* const embedded_hash;

}  // namespace heald::cpu
