// SPDX-License-Identifier: LGPL-3.0-or-later
// A layer between the programs that call OpenCL and its drivers: the loader puts it there where OPENCL_LAYERS names
// this library.
#include "tests/faults/rules.hpp"
#include <CL/cl_layer.h>
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

const cl_icd_dispatch *drivers = nullptr;
cl_icd_dispatch layer;

// All devices, in the order of the loader.
const std::vector<cl_device_id> &devices ()
{
  static const auto all = [] {
    std::vector<cl_device_id> list;
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    drivers->clGetPlatformIDs (16, platforms, &platform_count);
    for (cl_uint p = 0; p < std::min (platform_count, 16U); p++) {
      cl_device_id some[16];
      cl_uint number = 0;
      if (drivers->clGetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, 16, some, &number) == CL_SUCCESS)
        list.insert (list.end (), some, some + std::min (number, 16U));
    }
    return list;
  }();
  return all;
}

int number_of (cl_device_id device)
{
  return static_cast<int> (std::ranges::find (devices (), device) - devices ().begin ());
}

constexpr size_t handle_bytes = sizeof (void *); // of any of OpenCL's objects

// The number of the device that something belongs to; a context has one in this project.
int device_of (cl_context context)
{
  cl_device_id device = nullptr;
  drivers->clGetContextInfo (context, CL_CONTEXT_DEVICES, handle_bytes, &device, nullptr);
  return number_of (device);
}

int device_of (cl_command_queue queue)
{
  cl_device_id device = nullptr;
  drivers->clGetCommandQueueInfo (queue, CL_QUEUE_DEVICE, handle_bytes, &device, nullptr);
  return number_of (device);
}

int device_of (cl_event event)
{
  cl_command_queue queue = nullptr;
  drivers->clGetEventInfo (event, CL_EVENT_COMMAND_QUEUE, handle_bytes, &queue, nullptr);
  return queue ? device_of (queue) : -1;
}

int device_of (cl_program program)
{
  cl_context context = nullptr;
  drivers->clGetProgramInfo (program, CL_PROGRAM_CONTEXT, handle_bytes, &context, nullptr);
  return device_of (context);
}

// The rule that a call for something falls under.
template <class Subject> const faults::Rule *rule_of (const char *name, Subject subject, const char *path = nullptr)
{
  if (!faults::watched (name))
    return nullptr;
  return faults::due ({name, -1, path ? path : "", 0, device_of (subject)});
}

// Calls that give a status.
template <auto Entry, const char *name> struct Status;
template <class Subject, class... Rest, cl_int (CL_API_CALL *cl_icd_dispatch::*Entry) (Subject, Rest...),
          const char *name>
struct Status<Entry, name> {
  static cl_int CL_API_CALL call (Subject subject, Rest... rest)
  {
    const auto *rule = rule_of (name, subject);
    return rule && rule->error ? static_cast<cl_int> (rule->error) : (drivers->*Entry) (subject, rest...);
  }
};

// Calls that make something: the last argument is where the status goes.
template <auto Entry, const char *name> struct Make;
template <class Made, class Subject, class... Rest, Made (CL_API_CALL *cl_icd_dispatch::*Entry) (Subject, Rest...),
          const char *name>
struct Make<Entry, name> {
  static Made CL_API_CALL call (Subject subject, Rest... rest)
  {
    const auto *rule = rule_of (name, subject);
    if (!rule || !rule->error)
      return (drivers->*Entry) (subject, rest...);
    if (auto *status = std::get<sizeof...(Rest) - 1> (std::tuple (rest...)))
      *status = static_cast<cl_int> (rule->error);
    return Made{};
  }
};

// Wrong values have another sign and another exponent, here and there in what the host is to read.
void spoil (void *memory, size_t n)
{
  auto *words = static_cast<uint32_t *> (memory);
  for (size_t i = 7; i < n / 4; i += 1000)
    words[i] ^= 0x80800000;
}

void *CL_API_CALL map (cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t at, size_t n,
                       cl_uint waits, const cl_event *list, cl_event *event, cl_int *status)
{
  const auto *rule = rule_of ("clEnqueueMapBuffer", queue);
  if (rule && rule->error) {
    *status = static_cast<cl_int> (rule->error);
    return nullptr;
  }
  void *mapped = drivers->clEnqueueMapBuffer (queue, memory, blocking, flags, at, n, waits, list, event, status);
  if (rule && rule->spoil && mapped)
    spoil (mapped, n);
  return mapped;
}

// A kernel that is spoilt is not run, so that what it should write is as it was.
cl_int CL_API_CALL run (cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *first,
                        const size_t *items, const size_t *group, cl_uint waits, const cl_event *list, cl_event *event)
{
  char name[200] = "";
  if (faults::watched ("clEnqueueNDRangeKernel"))
    drivers->clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
  const auto *rule = rule_of ("clEnqueueNDRangeKernel", queue, name);
  if (rule && rule->error)
    return static_cast<cl_int> (rule->error);
  return rule && rule->spoil
             ? drivers->clEnqueueMarkerWithWaitList (queue, waits, list, event)
             : drivers->clEnqueueNDRangeKernel (queue, kernel, axes, first, items, group, waits, list, event);
}

cl_int CL_API_CALL wait (cl_uint number, const cl_event *events)
{
  const auto *rule = number > 0 ? rule_of ("clWaitForEvents", events[0]) : nullptr;
  return rule && rule->error ? static_cast<cl_int> (rule->error) : drivers->clWaitForEvents (number, events);
}

// A program that does not build is one in which no word begins a kernel, so that there is a log.
cl_int CL_API_CALL build (cl_program program, cl_uint number, const cl_device_id *list, const char *options,
                          void (CL_CALLBACK *notify) (cl_program, void *), void *data)
{
  const auto *rule = rule_of ("clBuildProgram", program);
  if (rule && rule->error == CL_BUILD_PROGRAM_FAILURE)
    return drivers->clBuildProgram (program, number, list, "-D__kernel=no -Dkernel=no", notify, data);
  return rule && rule->error ? static_cast<cl_int> (rule->error)
                             : drivers->clBuildProgram (program, number, list, options, notify, data);
}

template <template <auto, const char *> class Kind, auto Entry, const char *name> void put ()
{
  layer.*Entry = Kind<Entry, name>::call;
}

constexpr char create_buffer[] = "clCreateBuffer", create_queue[] = "clCreateCommandQueue",
               create_image[] = "clCreateImage", create_kernel[] = "clCreateKernel", finish[] = "clFinish",
               flush[] = "clFlush", write_buffer[] = "clEnqueueWriteBuffer", write_rows[] = "clEnqueueWriteBufferRect",
               read_buffer[] = "clEnqueueReadBuffer", read_rows[] = "clEnqueueReadBufferRect",
               copy_buffer[] = "clEnqueueCopyBuffer", copy_image[] = "clEnqueueCopyBufferToImage",
               unmap[] = "clEnqueueUnmapMemObject", barrier[] = "clEnqueueBarrierWithWaitList",
               marker[] = "clEnqueueMarkerWithWaitList";

} // namespace

extern "C" {
#pragma GCC visibility push(default)

cl_int CL_API_CALL clGetLayerInfo (cl_layer_info what, size_t room, void *to, size_t *size)
{
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what != CL_LAYER_API_VERSION || (to && room < sizeof version))
    return CL_INVALID_VALUE;
  if (to)
    *static_cast<cl_layer_api_version *> (to) = version;
  if (size)
    *size = sizeof version;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer (cl_uint entries, const cl_icd_dispatch *target, cl_uint *own,
                                const cl_icd_dispatch **to)
{
  if (entries < sizeof layer / sizeof layer.clGetPlatformIDs)
    return CL_INVALID_VALUE;
  drivers = target;
  layer = *target;
  put<Make, &cl_icd_dispatch::clCreateBuffer, create_buffer> ();
  put<Make, &cl_icd_dispatch::clCreateCommandQueue, create_queue> ();
  put<Make, &cl_icd_dispatch::clCreateImage, create_image> ();
  put<Make, &cl_icd_dispatch::clCreateKernel, create_kernel> ();
  put<Status, &cl_icd_dispatch::clFinish, finish> ();
  put<Status, &cl_icd_dispatch::clFlush, flush> ();
  put<Status, &cl_icd_dispatch::clEnqueueWriteBuffer, write_buffer> ();
  put<Status, &cl_icd_dispatch::clEnqueueWriteBufferRect, write_rows> ();
  put<Status, &cl_icd_dispatch::clEnqueueReadBuffer, read_buffer> ();
  put<Status, &cl_icd_dispatch::clEnqueueReadBufferRect, read_rows> ();
  put<Status, &cl_icd_dispatch::clEnqueueCopyBuffer, copy_buffer> ();
  put<Status, &cl_icd_dispatch::clEnqueueCopyBufferToImage, copy_image> ();
  put<Status, &cl_icd_dispatch::clEnqueueUnmapMemObject, unmap> ();
  put<Status, &cl_icd_dispatch::clEnqueueBarrierWithWaitList, barrier> ();
  put<Status, &cl_icd_dispatch::clEnqueueMarkerWithWaitList, marker> ();
  layer.clBuildProgram = build;
  layer.clEnqueueMapBuffer = map;
  layer.clEnqueueNDRangeKernel = run;
  layer.clWaitForEvents = wait;
  *to = &layer;
  *own = sizeof layer / sizeof layer.clGetPlatformIDs;
  return CL_SUCCESS;
}

#pragma GCC visibility pop
}
