// SPDX-License-Identifier: LGPL-3.0-or-later
// The functions of OpenCL 1.2 for code that is not linked to OpenCL. Each is defined here, hidden in the object that
// uses it, and calls the function of the same name in the libraries that device/opencl/library.hpp loads. So no object
// of ours needs libOpenCL, and none takes the place of libOpenCL for the rest of the process.
#pragma once
#include "device/opencl/library.hpp"
#include <CL/cl.h>
#include <tuple>

namespace sino {

// What a function returns, and the type of its argument `n`.
template <class> struct OpenclCall;
template <class R, class... A> struct OpenclCall<R (*) (A...)> {
  using Result = R;
  template <size_t n> using Argument = std::tuple_element_t<n, std::tuple<A...>>;
};

} // namespace sino

// NOLINTBEGIN(bugprone-macro-parentheses): types cannot have parentheses.
// SINO_OPENCL_CALL (f, n) defines the function `f`, which has `n` arguments, as its header declares it.
#define SINO_OPENCL_CALL(f, n)                                                                                         \
  __attribute__ ((visibility ("hidden"))) inline sino::OpenclCall<decltype (&f)>::Result f (SINO_TAKES_##n (f))        \
  {                                                                                                                    \
    static auto *const loaded = reinterpret_cast<decltype (&f)> (sino::opencl_function (#f));                          \
    return loaded (SINO_GIVES_##n);                                                                                    \
  }

#define SINO_TYPE(f, n) sino::OpenclCall<decltype (&f)>::Argument<n>
#define SINO_TAKES_0(f)
#define SINO_TAKES_1(f) SINO_TYPE (f, 0) a1
#define SINO_TAKES_2(f) SINO_TAKES_1 (f), SINO_TYPE (f, 1) a2
#define SINO_TAKES_3(f) SINO_TAKES_2 (f), SINO_TYPE (f, 2) a3
#define SINO_TAKES_4(f) SINO_TAKES_3 (f), SINO_TYPE (f, 3) a4
#define SINO_TAKES_5(f) SINO_TAKES_4 (f), SINO_TYPE (f, 4) a5
#define SINO_TAKES_6(f) SINO_TAKES_5 (f), SINO_TYPE (f, 5) a6
#define SINO_TAKES_7(f) SINO_TAKES_6 (f), SINO_TYPE (f, 6) a7
#define SINO_TAKES_8(f) SINO_TAKES_7 (f), SINO_TYPE (f, 7) a8
#define SINO_TAKES_9(f) SINO_TAKES_8 (f), SINO_TYPE (f, 8) a9
#define SINO_TAKES_10(f) SINO_TAKES_9 (f), SINO_TYPE (f, 9) a10
#define SINO_TAKES_11(f) SINO_TAKES_10 (f), SINO_TYPE (f, 10) a11
#define SINO_TAKES_12(f) SINO_TAKES_11 (f), SINO_TYPE (f, 11) a12
#define SINO_TAKES_13(f) SINO_TAKES_12 (f), SINO_TYPE (f, 12) a13
#define SINO_TAKES_14(f) SINO_TAKES_13 (f), SINO_TYPE (f, 13) a14
#define SINO_GIVES_0
#define SINO_GIVES_1 a1
#define SINO_GIVES_2 SINO_GIVES_1, a2
#define SINO_GIVES_3 SINO_GIVES_2, a3
#define SINO_GIVES_4 SINO_GIVES_3, a4
#define SINO_GIVES_5 SINO_GIVES_4, a5
#define SINO_GIVES_6 SINO_GIVES_5, a6
#define SINO_GIVES_7 SINO_GIVES_6, a7
#define SINO_GIVES_8 SINO_GIVES_7, a8
#define SINO_GIVES_9 SINO_GIVES_8, a9
#define SINO_GIVES_10 SINO_GIVES_9, a10
#define SINO_GIVES_11 SINO_GIVES_10, a11
#define SINO_GIVES_12 SINO_GIVES_11, a12
#define SINO_GIVES_13 SINO_GIVES_12, a13
#define SINO_GIVES_14 SINO_GIVES_13, a14
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

SINO_OPENCL_CALL (clGetPlatformIDs, 3)
SINO_OPENCL_CALL (clGetPlatformInfo, 5)
SINO_OPENCL_CALL (clGetDeviceIDs, 5)
SINO_OPENCL_CALL (clGetDeviceInfo, 5)
SINO_OPENCL_CALL (clCreateSubDevices, 5)
SINO_OPENCL_CALL (clRetainDevice, 1)
SINO_OPENCL_CALL (clReleaseDevice, 1)
SINO_OPENCL_CALL (clCreateContext, 6)
SINO_OPENCL_CALL (clCreateContextFromType, 5)
SINO_OPENCL_CALL (clRetainContext, 1)
SINO_OPENCL_CALL (clReleaseContext, 1)
SINO_OPENCL_CALL (clGetContextInfo, 5)
SINO_OPENCL_CALL (clRetainCommandQueue, 1)
SINO_OPENCL_CALL (clReleaseCommandQueue, 1)
SINO_OPENCL_CALL (clGetCommandQueueInfo, 5)
SINO_OPENCL_CALL (clCreateBuffer, 5)
SINO_OPENCL_CALL (clCreateSubBuffer, 5)
SINO_OPENCL_CALL (clCreateImage, 6)
SINO_OPENCL_CALL (clRetainMemObject, 1)
SINO_OPENCL_CALL (clReleaseMemObject, 1)
SINO_OPENCL_CALL (clGetSupportedImageFormats, 6)
SINO_OPENCL_CALL (clGetMemObjectInfo, 5)
SINO_OPENCL_CALL (clGetImageInfo, 5)
SINO_OPENCL_CALL (clSetMemObjectDestructorCallback, 3)
SINO_OPENCL_CALL (clRetainSampler, 1)
SINO_OPENCL_CALL (clReleaseSampler, 1)
SINO_OPENCL_CALL (clGetSamplerInfo, 5)
SINO_OPENCL_CALL (clCreateProgramWithSource, 5)
SINO_OPENCL_CALL (clCreateProgramWithBinary, 7)
SINO_OPENCL_CALL (clCreateProgramWithBuiltInKernels, 5)
SINO_OPENCL_CALL (clRetainProgram, 1)
SINO_OPENCL_CALL (clReleaseProgram, 1)
SINO_OPENCL_CALL (clBuildProgram, 6)
SINO_OPENCL_CALL (clCompileProgram, 9)
SINO_OPENCL_CALL (clLinkProgram, 9)
SINO_OPENCL_CALL (clUnloadPlatformCompiler, 1)
SINO_OPENCL_CALL (clGetProgramInfo, 5)
SINO_OPENCL_CALL (clGetProgramBuildInfo, 6)
SINO_OPENCL_CALL (clCreateKernel, 3)
SINO_OPENCL_CALL (clCreateKernelsInProgram, 4)
SINO_OPENCL_CALL (clRetainKernel, 1)
SINO_OPENCL_CALL (clReleaseKernel, 1)
SINO_OPENCL_CALL (clSetKernelArg, 4)
SINO_OPENCL_CALL (clGetKernelInfo, 5)
SINO_OPENCL_CALL (clGetKernelArgInfo, 6)
SINO_OPENCL_CALL (clGetKernelWorkGroupInfo, 6)
SINO_OPENCL_CALL (clWaitForEvents, 2)
SINO_OPENCL_CALL (clGetEventInfo, 5)
SINO_OPENCL_CALL (clCreateUserEvent, 2)
SINO_OPENCL_CALL (clRetainEvent, 1)
SINO_OPENCL_CALL (clReleaseEvent, 1)
SINO_OPENCL_CALL (clSetUserEventStatus, 2)
SINO_OPENCL_CALL (clSetEventCallback, 4)
SINO_OPENCL_CALL (clGetEventProfilingInfo, 5)
SINO_OPENCL_CALL (clFlush, 1)
SINO_OPENCL_CALL (clFinish, 1)
SINO_OPENCL_CALL (clEnqueueReadBuffer, 9)
SINO_OPENCL_CALL (clEnqueueReadBufferRect, 14)
SINO_OPENCL_CALL (clEnqueueWriteBuffer, 9)
SINO_OPENCL_CALL (clEnqueueWriteBufferRect, 14)
SINO_OPENCL_CALL (clEnqueueFillBuffer, 9)
SINO_OPENCL_CALL (clEnqueueCopyBuffer, 9)
SINO_OPENCL_CALL (clEnqueueCopyBufferRect, 13)
SINO_OPENCL_CALL (clEnqueueReadImage, 11)
SINO_OPENCL_CALL (clEnqueueWriteImage, 11)
SINO_OPENCL_CALL (clEnqueueFillImage, 8)
SINO_OPENCL_CALL (clEnqueueCopyImage, 9)
SINO_OPENCL_CALL (clEnqueueCopyImageToBuffer, 9)
SINO_OPENCL_CALL (clEnqueueCopyBufferToImage, 9)
SINO_OPENCL_CALL (clEnqueueMapBuffer, 10)
SINO_OPENCL_CALL (clEnqueueMapImage, 12)
SINO_OPENCL_CALL (clEnqueueUnmapMemObject, 6)
SINO_OPENCL_CALL (clEnqueueMigrateMemObjects, 7)
SINO_OPENCL_CALL (clEnqueueNDRangeKernel, 9)
SINO_OPENCL_CALL (clEnqueueNativeKernel, 10)
SINO_OPENCL_CALL (clEnqueueMarkerWithWaitList, 4)
SINO_OPENCL_CALL (clEnqueueBarrierWithWaitList, 4)
SINO_OPENCL_CALL (clGetExtensionFunctionAddressForPlatform, 2)
SINO_OPENCL_CALL (clCreateCommandQueue, 4)
SINO_OPENCL_CALL (clCreateSampler, 5)
SINO_OPENCL_CALL (clEnqueueTask, 5)

} // extern "C"
