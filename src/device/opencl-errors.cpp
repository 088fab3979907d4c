// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl-errors.hpp"
#ifndef CL_TARGET_OPENCL_VERSION // another file in the same unit may define it
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

namespace sino {

namespace {

struct ErrorName {
  cl_int code;
  const char *name;
};
constexpr ErrorName error_names[] = {
    {CL_DEVICE_NOT_FOUND, "no device"},
    {CL_DEVICE_NOT_AVAILABLE, "device not available"},
    {CL_COMPILER_NOT_AVAILABLE, "no compiler"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for a buffer"},
    {CL_OUT_OF_RESOURCES, "out of resources"},
    {CL_OUT_OF_HOST_MEMORY, "out of host memory"},
    {CL_PROFILING_INFO_NOT_AVAILABLE, "no profiling"},
    {CL_MEM_COPY_OVERLAP, "a copy onto itself"},
    {CL_IMAGE_FORMAT_MISMATCH, "images of two formats"},
    {CL_IMAGE_FORMAT_NOT_SUPPORTED, "image format not supported"},
    {CL_BUILD_PROGRAM_FAILURE, "the program does not build"},
    {CL_MAP_FAILURE, "cannot map memory"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "misaligned part of a buffer"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an earlier command failed"},
    {CL_COMPILE_PROGRAM_FAILURE, "the program does not compile"},
    {CL_LINKER_NOT_AVAILABLE, "no linker"},
    {CL_LINK_PROGRAM_FAILURE, "the program does not link"},
    {CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "no description of arguments"},
    {CL_INVALID_VALUE, "invalid value"},
    {CL_INVALID_DEVICE_TYPE, "invalid device type"},
    {CL_INVALID_PLATFORM, "invalid platform"},
    {CL_INVALID_DEVICE, "invalid device"},
    {CL_INVALID_CONTEXT, "invalid context"},
    {CL_INVALID_QUEUE_PROPERTIES, "invalid queue properties"},
    {CL_INVALID_COMMAND_QUEUE, "invalid command queue"},
    {CL_INVALID_HOST_PTR, "invalid host pointer"},
    {CL_INVALID_MEM_OBJECT, "invalid memory object"},
    {CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "invalid image format"},
    {CL_INVALID_IMAGE_SIZE, "invalid image size"},
    {CL_INVALID_SAMPLER, "invalid sampler"},
    {CL_INVALID_BINARY, "invalid binary"},
    {CL_INVALID_BUILD_OPTIONS, "invalid build options"},
    {CL_INVALID_PROGRAM, "invalid program"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "no built program"},
    {CL_INVALID_KERNEL_NAME, "no such kernel"},
    {CL_INVALID_KERNEL_DEFINITION, "invalid kernel definition"},
    {CL_INVALID_KERNEL, "invalid kernel"},
    {CL_INVALID_ARG_INDEX, "no such kernel argument"},
    {CL_INVALID_ARG_VALUE, "invalid kernel argument"},
    {CL_INVALID_ARG_SIZE, "kernel argument of another size"},
    {CL_INVALID_KERNEL_ARGS, "kernel arguments not set"},
    {CL_INVALID_WORK_DIMENSION, "invalid work dimension"},
    {CL_INVALID_WORK_GROUP_SIZE, "invalid work-group size"},
    {CL_INVALID_WORK_ITEM_SIZE, "invalid work-item size"},
    {CL_INVALID_GLOBAL_OFFSET, "invalid global offset"},
    {CL_INVALID_EVENT_WAIT_LIST, "invalid list of events"},
    {CL_INVALID_EVENT, "invalid event"},
    {CL_INVALID_OPERATION, "invalid operation"},
    {CL_INVALID_BUFFER_SIZE, "invalid buffer size"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "invalid global work size"},
    {CL_INVALID_PROPERTY, "invalid property"},
    {CL_INVALID_IMAGE_DESCRIPTOR, "invalid image description"},
};

} // namespace

const char *opencl_error_name (cl_int code)
{
  for (const auto &entry : error_names)
    if (entry.code == code)
      return entry.name;
  return "error";
}

} // namespace sino
