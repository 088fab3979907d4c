// SPDX-License-Identifier: LGPL-3.0-or-later
// OpenCL devices, through the Khronos C++ bindings. Only filters that launch kernels include this.
#pragma once
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include "base/error.hpp"
#include "device/device.hpp"
#include "device/facts.hpp"
#include <mutex>
#include <optional>

namespace sino {

// What a status means, in words.
const char *opencl_error_name (cl_int code);

// The compiler refused a program.
struct SINO_INTERNAL BuildError : Error {
  using Error::Error;
};

class SINO_INTERNAL OpenclDevice : public Device
{
public:
  OpenclDevice (int number, const cl::Device &device);

  cl::Device device;
  bool is_gpu;
  bool shares_host_memory; // its buffers are charged to the host's limit
  size_t largest_buffer;   // bytes

  // Runs `work` and turns what the bindings throw into an Error with the call and this device.
  template <class Work> auto attempt (Work &&work) const
  {
    try {
      return work ();
    } catch (const cl::Error &error) {
      failed (error);
    }
  }

  OpenclFacts facts () const; // throws Error
  std::string about () const override;
  std::unique_ptr<Buffer> allocate (Memory memory, size_t bytes) const override;
  size_t largest_block () const override { return largest_buffer; }
  double own_memory () const override;
  // All that a built program depends on besides source and options: names and versions of device and driver.
  std::string identity () const;

  // One context for all who use the device, made at the first call.
  const cl::Context &context () const;
  // The queues of all who use the device, made at the first call; commands in each run in their order.
  struct Queues {
    cl::CommandQueue upload, kernels, download;
  };
  const Queues &queues () const;
  // A program for this device, from the cache of programs where it has it; when it does not build, a BuildError carries
  // the build log. `name` is for messages.
  cl::Program build (const std::string &name, const std::string &source, const std::string &options) const;

private:
  [[noreturn]] void failed (const cl::Error &error) const;
  std::optional<cl::Program> build_kept (const std::string &key, const std::string &options) const;

  mutable std::once_flag once, queues_once;
  mutable cl::Context context_;
  mutable Queues queues_;
};

// All OpenCL devices in the ICD loader's order, enumerated at the first call; empty without a platform. Never throws.
SINO_INTERNAL const std::vector<std::shared_ptr<const OpenclDevice>> &opencl_devices ();

} // namespace sino
