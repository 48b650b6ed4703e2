#pragma once

// heald: CUDA C++ kernels, buffers and arrays on GPUs and CPUs. This header is the whole C++ API.

#include <heald/array.hpp>
#include <heald/buffer.hpp>
#include <heald/device.hpp>
#include <heald/doctor.hpp>
#include <heald/dtype.hpp>
#include <heald/elementwise.hpp>
#include <heald/error.hpp>
#include <heald/fft.hpp>
#include <heald/kernel.hpp>
#include <heald/operations.hpp>
#include <heald/program.hpp>
#include <heald/random.hpp>
#include <heald/settings.hpp>
#include <heald/signature.hpp>
#include <heald/stream.hpp>
#include <heald/version.hpp>
