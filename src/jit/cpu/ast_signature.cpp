#include "src/jit/cpu/ast_signature.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <string_view>

namespace heald::cpu {
namespace {

clang::PrintingPolicy policy_for(const clang::ASTContext& context) {
    clang::PrintingPolicy policy(context.getLangOpts());
    policy.PrintCanonicalTypes = true;
    policy.SuppressTagKeyword = true;
    policy.Bool = true;
    return policy;
}

DType integer_dtype(std::size_t bytes, bool is_signed) {
    switch (bytes) {
        case 1:
            return is_signed ? DType::int8 : DType::uint8;
        case 2:
            return is_signed ? DType::int16 : DType::uint16;
        case 4:
            return is_signed ? DType::int32 : DType::uint32;
        case 8:
            return is_signed ? DType::int64 : DType::uint64;
        default:
            return DType::opaque;
    }
}

/// 16-bit floats are classes in CUDA C++; complex numbers come from several libraries.
DType record_dtype(const clang::ASTContext& context, const clang::RecordDecl& record) {
    const llvm::StringRef name = record.getName();
    if (name == "__half" || name == "half") return DType::float16;
    if (name == "__nv_bfloat16" || name == "nv_bfloat16") return DType::bfloat16;
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    if (name == "complex" && instance != nullptr && instance->getTemplateArgs().size() == 1 &&
        instance->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type) {
        switch (dtype_of(context, instance->getTemplateArgs()[0].getAsType())) {
            case DType::float32:
                return DType::complex64;
            case DType::float64:
                return DType::complex128;
            default:
                break;
        }
    }
    return DType::opaque;
}

}  // namespace

std::string type_text(const clang::ASTContext& context, clang::QualType type) {
    return type.getCanonicalType().getAsString(policy_for(context));
}

DType dtype_of(const clang::ASTContext& context, clang::QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto* enumeration = type->getAs<clang::EnumType>()) {
        const clang::QualType underlying = enumeration->getDecl()->getIntegerType();
        return underlying.isNull() ? DType::opaque : dtype_of(context, underlying);
    }
    if (const auto* complex = type->getAs<clang::ComplexType>()) {
        switch (dtype_of(context, complex->getElementType())) {
            case DType::float32:
                return DType::complex64;
            case DType::float64:
                return DType::complex128;
            default:
                return DType::opaque;
        }
    }
    if (const auto* record = type->getAs<clang::RecordType>()) {
        return record_dtype(context, *record->getDecl());
    }
    const auto* builtin = type->getAs<clang::BuiltinType>();
    if (builtin == nullptr) return DType::opaque;
    switch (builtin->getKind()) {
        case clang::BuiltinType::Bool:
            return DType::boolean;
        case clang::BuiltinType::Float16:
        case clang::BuiltinType::Half:
            return DType::float16;
        case clang::BuiltinType::BFloat16:
            return DType::bfloat16;
        case clang::BuiltinType::Float:
            return DType::float32;
        case clang::BuiltinType::Double:
            return DType::float64;
        default:
            break;
    }
    if (!builtin->isInteger()) return DType::opaque;
    return integer_dtype(static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity()),
                         builtin->isSignedInteger());
}

Parameter parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& declaration) {
    Parameter parameter;
    const clang::QualType type = declaration.getType().getCanonicalType().getUnqualifiedType();
    parameter.name = declaration.getNameAsString();
    parameter.type_name = type_text(context, type);
    parameter.size = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
    parameter.alignment = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
    if (type->isPointerType()) {
        const clang::QualType pointee = type->getPointeeType();
        parameter.kind = Parameter::Kind::pointer;
        parameter.is_const = pointee.isConstQualified();
        parameter.is_void = pointee->isVoidType();
        parameter.dtype = pointee->isVoidType() || pointee->isFunctionType()
                              ? DType::opaque
                              : dtype_of(context, pointee);
        return parameter;
    }
    parameter.dtype = dtype_of(context, type);
    parameter.kind =
        parameter.dtype == DType::opaque ? Parameter::Kind::record : Parameter::Kind::scalar;
    return parameter;
}

Signature signature_of(const clang::FunctionDecl& kernel) {
    Signature signature;
    signature.source = Signature::Source::exact;
    for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
        signature.parameters.push_back(parameter_of(kernel.getASTContext(), *parameter));
    }
    return signature;
}

std::string display_name_of(const clang::NamedDecl& declaration) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    declaration.getNameForDiagnostic(stream, policy_for(declaration.getASTContext()), true);
    return text;
}

}  // namespace heald::cpu
