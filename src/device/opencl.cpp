// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "device/opencl-memory.hpp"
#include "device/pocl-cache.hpp"
#include "device/program-cache.hpp"
#include <unistd.h>

namespace sino {

const char *opencl_error_name (cl_int code)
{
  struct Name {
    cl_int code;
    const char *name;
  };
  static constexpr Name names[] = {
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
  for (const auto &entry : names)
    if (entry.code == code)
      return entry.name;
  return "error";
}

static std::string trimmed (const std::string &s)
{
  const auto begin = s.find_first_not_of (" \t\n");
  const auto end = s.find_last_not_of (std::string (" \t\n\0", 4));
  return begin == s.npos ? "" : s.substr (begin, end - begin + 1);
}

OpenclDevice::OpenclDevice (int number, const cl::Device &d)
    : device (d), is_gpu (d.getInfo<CL_DEVICE_TYPE> () & CL_DEVICE_TYPE_GPU),
      shares_host_memory (d.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY> ()),
      largest_buffer (d.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE> ())
{
  const cl::Platform platform (d.getInfo<CL_DEVICE_PLATFORM> ());
  kind = Kind::opencl;
  id = text ("cl:%d", number);
  name = trimmed (d.getInfo<CL_DEVICE_NAME> ()) + ", " + trimmed (platform.getInfo<CL_PLATFORM_NAME> ());
}

const OpenclDevice &as_opencl (const Device &device)
{
  return dynamic_cast<const OpenclDevice &> (device);
}

OpenclFacts facts_of (const OpenclDevice &device)
{
  return device.facts ();
}

void OpenclDevice::failed (const cl::Error &error) const
{
  fail (SINO_ERROR_DEVICE, "%s failed on %s (%s): %s (%d)", error.what (), id.c_str (), name.c_str (),
        opencl_error_name (error.err ()), error.err ());
}

std::string OpenclDevice::identity () const
{
  return attempt ([this] {
    const cl::Platform platform (device.getInfo<CL_DEVICE_PLATFORM> ());
    std::string all;
    for (const auto &part :
         {device.getInfo<CL_DEVICE_NAME> (), device.getInfo<CL_DEVICE_VENDOR> (), device.getInfo<CL_DEVICE_VERSION> (),
          device.getInfo<CL_DRIVER_VERSION> (), platform.getInfo<CL_PLATFORM_VERSION> ()})
      all += part + "\n";
    return all;
  });
}

const cl::Context &OpenclDevice::context () const
{
  std::call_once (once, [this] {
    if (name.ends_with (", Portable Computing Language"))
      mend_pocl_cache ();
    context_ = attempt ([this] { return cl::Context (device); });
  });
  return context_;
}

const OpenclDevice::Queues &OpenclDevice::queues () const
{
  std::call_once (queues_once, [this] {
    attempt ([this] {
      const auto queue = [this] { return cl::CommandQueue (context (), device, CL_QUEUE_PROFILING_ENABLE); };
      queues_.upload = queue ();
      queues_.kernels = queue ();
      queues_.download = queue ();
    });
  });
  return queues_;
}

std::unique_ptr<Buffer> OpenclDevice::allocate (Memory memory, size_t bytes) const
{
  if (memory == Memory::host)
    return allocate_pages (bytes);
  return std::make_unique<OpenclBuffer> (*this, memory, bytes);
}

double OpenclDevice::own_memory () const
{
  if (shares_host_memory)
    return 0;
  return attempt ([this] { return static_cast<double> (device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE> ()); });
}

cl::Program OpenclDevice::build (const std::string &program_name, const std::string &source,
                                 const std::string &options) const
{
  return attempt ([&] {
    const auto key = program_key ({source, options, identity ()});
    if (auto kept = build_kept (key, options))
      return *kept;
    require_threads (1); // some drivers start compilers, or abort
    cl::Program program (context (), source);
    try {
      program.build (std::vector<cl::Device>{device}, options.c_str ());
    } catch (const cl::Error &error) {
      if (error.err () != CL_BUILD_PROGRAM_FAILURE)
        throw;
      const auto log = trimmed (program.getBuildInfo<CL_PROGRAM_BUILD_LOG> (device));
      throw BuildError (SINO_ERROR_DEVICE,
                        text ("kernel '%s' does not build on %s (%s) with '%s':\n%s", program_name.c_str (),
                              id.c_str (), name.c_str (), options.c_str (), log.c_str ()));
    }
    keep_program (key, program.getInfo<CL_PROGRAM_BINARIES> ().at (0));
    return program;
  });
}

std::optional<cl::Program> OpenclDevice::build_kept (const std::string &key, const std::string &options) const
{
  const auto binary = load_program (key);
  if (binary.empty ())
    return {};
  try {
    cl::Program program (context (), {device}, cl::Program::Binaries{binary});
    program.build (std::vector<cl::Device>{device}, options.c_str ());
    return program;
  } catch (const cl::Error &) { // the driver changed without saying so
    return {};
  }
}

static std::vector<std::shared_ptr<const OpenclDevice>> enumerate ()
{
  std::vector<std::shared_ptr<const OpenclDevice>> list;
  std::vector<cl::Platform> platforms;
  require_threads (static_cast<int> (sysconf (_SC_NPROCESSORS_ONLN)) + 1); // drivers for CPUs start as many, or abort
  try {
    cl::Platform::get (&platforms);
  } catch (const cl::Error &) { // no platform is an error in OpenCL
    return list;
  }
  for (const auto &platform : platforms) {
    try {
      std::vector<cl::Device> devices;
      platform.getDevices (CL_DEVICE_TYPE_ALL, &devices);
      for (const auto &device : devices)
        list.push_back (std::make_shared<OpenclDevice> (static_cast<int> (list.size ()), device));
    } catch (const cl::Error &error) {
      if (error.err () != CL_DEVICE_NOT_FOUND)
        g_debug ("an OpenCL platform is left out: %s (%d)", error.what (), error.err ());
    }
  }
  return list;
}

const std::vector<std::shared_ptr<const OpenclDevice>> &opencl_devices ()
{
  // Never destroyed: at exit drivers may be gone before us.
  static const auto &devices = *new auto(enumerate ());
  return devices;
}

} // namespace sino
