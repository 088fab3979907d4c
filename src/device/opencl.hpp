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

// The compiler refused a program.
struct SINO_VISIBLE BuildError : Error {
  using Error::Error;
};

class SINO_VISIBLE OpenclDevice : public Device
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
  std::shared_ptr<const Device> used_as (const DeviceUse &) const override;
  void load_driver () const override;
  // All that a built program depends on besides source and options: names and versions of device and driver.
  std::string identity () const;
  // Where a GPU of NVIDIA's is on the PCI bus, "0000:41:00.0"; "" of other devices, and where no driver tells.
  std::string nvidia_address () const;

  // One context for all who use the device, made at the first call.
  const cl::Context &context () const;
  // The queue in which the host asks for memory that both work in, and fills tables; made at the first call. Workers
  // have queues of their own: device/opencl-queues.hpp.
  const cl::CommandQueue &maps () const;
  // The queue of all workers where nothing is to overlap; made at the first call.
  const cl::CommandQueue &only_queue () const;
  // A program for this device, from the cache of programs where it has it; when it does not build, a BuildError carries
  // the build log. `name` is for messages.
  cl::Program build (const std::string &name, const std::string &source, const std::string &options) const;

private:
  [[noreturn]] void failed (const cl::Error &error) const;
  std::optional<cl::Program> build_kept (const std::string &key, const std::string &options) const;

  mutable std::once_flag once, maps_once, only_once;
  mutable cl::Context context_;
  mutable cl::CommandQueue maps_, only_;
};

// Own memory: of the device alone. Shared memory, and such that is sent: where the device works in the host's memory,
// the same pages for both; else pages that stay in place, so that transfers are fast and need no wait.
class SINO_VISIBLE OpenclBuffer final : public Buffer
{
public:
  OpenclBuffer (const OpenclDevice &device, Device::Memory memory, size_t bytes);
  ~OpenclBuffer () override;

  void settle () override; // the host may read and write it; write, where it is sent: what was there may be gone

  // Whether kernels work in it; otherwise it is read and written by transfers.
  bool in_reach () const { return reached; }
  // For commands that are put in the queue from now on: they wait until they may use the memory so. The rule is in
  // device/opencl-memory.hpp.
  enum class Use { read, write };
  const cl::Buffer &lend (const cl::CommandQueue &queue, Use use);
  // The last command, so far, of the queue that it was lent to. It has been flushed.
  void until (const cl::Event &event, Use use);

private:
  const OpenclDevice &device;
  const Device::Memory kind;
  const bool reached;
  std::mutex mutex;
  std::unique_ptr<Buffer> pages; // memory that both work in
  cl::Buffer memory;
  bool hosted = false; // mapped: the host may use it
  // The last command that writes the memory, and the last one of each queue that reads what it wrote.
  struct User { // NOLINT(bugprone-exception-escape): assignment in the bindings throws where a handle is none
    cl::CommandQueue queue;
    cl::Event last;
  };
  User writer;
  std::vector<User> readers;

  std::vector<cl::Event> users (Use use, const cl::CommandQueue &queue) const;
};

// All OpenCL devices in the ICD loader's order, enumerated at the first call; empty without a platform. Never throws.
SINO_VISIBLE const std::vector<std::shared_ptr<const OpenclDevice>> &opencl_devices ();

// Waits for an event, where it is one. Throws cl::Error when the command failed.
SINO_VISIBLE void wait_for (const cl::Event &event);

} // namespace sino
