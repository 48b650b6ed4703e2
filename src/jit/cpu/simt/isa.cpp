// What a target can do with vectors, from LLVM's feature string.

#include "src/jit/cpu/simt/simt.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

namespace heald::cpu::simt {
namespace {

llvm::StringSet<> enabled_features(llvm::StringRef features) {
    llvm::SmallVector<llvm::StringRef, 64> parts;
    features.split(parts, ',', -1, false);
    llvm::StringSet<> enabled;
    for (llvm::StringRef part : parts) {
        if (part.consume_front("-")) {
            enabled.erase(part);
        } else {
            part.consume_front("+");
            enabled.insert(part);
        }
    }
    return enabled;
}

}  // namespace

VectorIsa vector_isa(const std::string& triple, const std::string& features) {
    VectorIsa isa;
    if (!llvm::StringRef(triple).starts_with("x86_64")) return isa;
    const llvm::StringSet<> enabled = enabled_features(features);
    const auto has = [&](const char* feature) { return enabled.contains(feature); };
    // The letters of the x86-64 vector function ABI: b SSE4, c AVX, d AVX2, e AVX-512.
    if (has("sse4.1") || has("sse4.2")) isa.math_letters = "b";
    if (has("avx")) {
        isa.vector_bits = 256;
        isa.masked_memory = true;
        isa.math_letters = "cb";
    }
    if (has("avx2")) {
        isa.gather = true;
        isa.math_letters = "db";
    }
    if (has("avx512f") && has("avx512vl") && has("avx512dq") && has("avx512bw")) {
        isa.vector_bits = 512;
        isa.scatter = true;
        isa.math_letters = "edb";
    }
    return isa;
}

}  // namespace heald::cpu::simt
