#pragma once

// Signatures from clang's types.

#include <heald/signature.hpp>

#include <clang/AST/Decl.h>

#include <string>

namespace heald::cpu {

/// A type as C++ writes it, typedefs resolved: "const float *".
std::string type_text(const clang::ASTContext& context, clang::QualType type);

/// The element type that memory of this C++ type holds; opaque for structures.
DType dtype_of(const clang::ASTContext& context, clang::QualType type);

Parameter parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& declaration);

Signature signature_of(const clang::FunctionDecl& kernel);

/// "ns::scale<float, 4>"
std::string display_name_of(const clang::NamedDecl& declaration);

}  // namespace heald::cpu
