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
#include "device/opencl/calls.hpp"
#include "device/opencl/time-shares.hpp"
#include <mutex>
#include <optional>

namespace sino {

// The compiler rejected a program.
struct SINO_VISIBLE BuildError : Error {
  using Error::Error;
};

class SINO_VISIBLE OpenclDevice : public Device
{
public:
  OpenclDevice (int number, const cl::Device &device);

  cl::Device device;
  mutable TimeShares kernel_time;
  bool is_gpu;
  bool shares_host_memory; // its buffers are charged to the host's limit
  size_t largest_buffer;   // bytes
  bool pins_our_pages;     // a buffer that uses pages of the host pins them, and takes no memory of the device

  // Runs `work`; converts exceptions of the bindings to an Error that names the call and this device.
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
  std::shared_ptr<const Device> used_as (const DeviceUse &) const override;
  void load_driver () const override;
  // Everything that a built program depends on besides source and options: names and versions of device and driver.
  virtual std::string identity () const;
  // PCI address of an NVIDIA GPU, "0000:41:00.0"; "" for other devices, and if no driver gives it.
  std::string nvidia_address () const;

  // One context for all users of the device, created at the first call.
  const cl::Context &context () const;
  // The queue with which the host maps memory and fills tables; created at the first call. Workers have their own
  // queues: device/opencl-queues.hpp.
  const cl::CommandQueue &maps () const;
  // The queue of all workers if commands must not overlap; created at the first call.
  const cl::CommandQueue &only_queue () const;
  // A program for this device, from the cache if possible. If it does not build, throws a BuildError with the build
  // log. `name` is for messages.
  cl::Program build (const std::string &name, const std::string &source, const std::string &options) const;

private:
  [[noreturn]] void failed (const cl::Error &error) const;
  std::optional<cl::Program> build_kept (const std::string &key, const std::string &options) const;

  mutable std::once_flag once, maps_once, only_once;
  mutable cl::Context context_;
  mutable cl::CommandQueue maps_, only_;
};

// Own memory: only of the device. Shared and sent memory: if the device works in the host's memory, the same pages for
// both; otherwise pinned pages, so that transfers are fast and asynchronous.
class SINO_VISIBLE OpenclBuffer final : public Buffer
{
public:
  OpenclBuffer (const OpenclDevice &device, Device::Memory memory, size_t bytes);
  ~OpenclBuffer () override;

  void settle ()
      override; // after this the host may read and write it; sent memory only write, as the old content may be lost

  // Whether kernels can access it; otherwise it is read and written by transfers.
  bool in_reach () const { return reached; }
  // Lends the memory to a queue: later commands of the queue wait until they may use the memory in this way. The rule
  // is in device/opencl-memory.hpp.
  enum class Use { read, write };
  const cl::Buffer &lend (const cl::CommandQueue &queue, Use use);
  // Sets the last command, so far, of the queue that it was lent to. The command must be flushed.
  void until (const cl::Event &event, Use use);

private:
  const OpenclDevice &device;
  const Device::Memory kind;
  const bool reached;
  std::mutex mutex;
  std::unique_ptr<Buffer> pages; // memory of the host that `memory` uses
  cl::Buffer memory;
  bool hosted = false; // mapped: the host may use it
  // The last command that writes the memory, and the last one of each queue that reads it after that.
  struct User { // NOLINT(bugprone-exception-escape): assignment in the bindings throws where a handle is none
    cl::CommandQueue queue;
    cl::Event last;
  };
  User writer;
  std::vector<User> readers;

  std::vector<cl::Event> users (Use use, const cl::CommandQueue &queue) const;
};

// All OpenCL devices in the ICD loader's order, enumerated at the first call; empty without a platform, and without the
// libraries of OpenCL. Never throws.
SINO_VISIBLE const std::vector<std::shared_ptr<const OpenclDevice>> &opencl_devices ();

// Waits for an event; does nothing if it is null. Throws cl::Error if the command failed.
SINO_VISIBLE void wait_for (const cl::Event &event);

} // namespace sino
