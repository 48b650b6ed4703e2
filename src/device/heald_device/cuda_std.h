#pragma once

// cuda::std is the C++ library that kernels see.

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
