// SPDX-License-Identifier: LGPL-3.0-or-later
// Values to and from the first OpenCL device, for tests of what works on plain buffers.
#pragma once
#include "device/opencl.hpp"
#include <glib.h>
#include <span>

namespace sino::test {

inline const OpenclDevice &first_device ()
{
  return *opencl_devices ().at (0);
}

// The first OpenCL device whose name and description contain the words; null if there is none, which the output says.
inline const OpenclDevice *device_called (std::string_view words)
{
  for (const auto &each : opencl_devices ())
    if ((each->name + " " + each->about ()).find (words) != std::string::npos)
      return each.get ();
  g_print ("1..0 # SKIP no OpenCL device\n");
  return nullptr;
}

template <class T> cl::Buffer upload (const std::vector<T> &values)
{
  return {first_device ().context (), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size () * sizeof (T),
          const_cast<T *> (values.data ())};
}

// A buffer of bytes that no kernel wrote.
inline cl::Buffer unwritten (const cl::CommandQueue &queue, size_t bytes)
{
  cl::Buffer buffer (first_device ().context (), CL_MEM_READ_WRITE, bytes);
  queue.enqueueFillBuffer (buffer, cl_uchar{0xa5}, 0, bytes);
  return buffer;
}

template <class T> std::vector<T> download (const cl::CommandQueue &queue, const cl::Buffer &buffer, size_t n)
{
  std::vector<T> values (n);
  queue.enqueueReadBuffer (buffer, CL_TRUE, 0, n * sizeof (T), values.data ());
  return values;
}

// Runs the tests of a program whose first argument may be `small`, for a simulator; without a device none.
inline int run_on_device (int argc, char **argv, void (*add) (bool small))
{
  g_test_init (&argc, &argv, nullptr);
  if (opencl_devices ().empty ()) {
    g_print ("1..0 # SKIP no OpenCL device\n");
    return 0;
  }
  add (argc > 1 && std::string (argv[1]) == "small");
  return g_test_run ();
}

} // namespace sino::test
