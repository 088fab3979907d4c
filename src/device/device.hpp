// SPDX-License-Identifier: LGPL-3.0-or-later
// The device that runs a graph: the CPU with the project's own kernels, or an OpenCL device.
#pragma once
#include "base/visibility.hpp"
#include "stream/block.hpp"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sino {

// Limits and optimisations of a run on its OpenCL devices; optimisations can be switched off to measure their effect.
struct DeviceUse {
  double memory = 0;        // bytes for blocks and buffers; 0: all memory of the device
  double slice_share = 0.5; // share of room () for the slices of a cone beam; groups of its projections get the rest

  bool pinned = true;          // host blocks that are transferred are in pinned memory
  bool local_tile = true;      // kernels keep data of a work-group in local memory
  bool write_combined = false; // memory that the host only writes is requested as write-combined
  bool overlap = true;         // transfers and kernels of all workers overlap

  static constexpr double least_share = 0.05, most_share = 0.95;

  friend bool operator== (const DeviceUse &, const DeviceUse &) = default;
};

struct SINO_VISIBLE Device {
  enum class Kind { native, opencl };

  Kind kind = Kind::native;
  std::string id = "native"; // "native", "cl:0", "cl:1" in the ICD loader's order
  std::string name;          // name that the driver or the CPU reports
  DeviceUse use;

  virtual ~Device ();
  // Description besides the name, in one line, or "". Throws Error if the driver does not give it.
  virtual std::string about () const { return {}; }

  // Kinds of memory for blocks. host: memory of the host only. shared: host memory that the device can access or
  // transfer fast. sent: like shared, but the host only writes and the device only reads. own: the device's memory,
  // which the host cannot access.
  enum class Memory { host, shared, sent, own };
  // Throws Error.
  virtual std::unique_ptr<Buffer> allocate (Memory memory, size_t bytes) const;
  // The largest block in shared or own memory, in bytes.
  virtual size_t largest_block () const { return 0; }
  // Bytes of the device's own memory; 0 if it works in the host's memory.
  virtual double own_memory () const { return 0; }
  // Bytes that a run may use there for blocks and buffers; infinite if only the host's memory limits it.
  double room () const;
  // This device with other settings of use; null if they make no difference.
  virtual std::shared_ptr<const Device> used_as (const DeviceUse &) const { return nullptr; }
  // Loads the driver's data in host memory (hundreds of MiB for some GPUs), so that it can be counted. Throws Error.
  virtual void load_driver () const {}
};

// The device of a run for which nodes choose their methods, independent of the order of devices: choices for OpenCL
// devices, such as packed halves, also work on the CPU.
const std::shared_ptr<const Device> &chief_of (std::span<const std::shared_ptr<const Device>> devices);

// Host pages; large pages if the buffer fills whole ones.
SINO_VISIBLE std::unique_ptr<Buffer> allocate_pages (size_t bytes);
// `bytes` rounded up to whole pages; sizes of at least `large` are rounded up to whole large pages.
SINO_VISIBLE size_t page_rounded (size_t bytes, size_t large = size_t{4} << 20);

// The CPU: always available; does not initialise OpenCL.
SINO_VISIBLE std::shared_ptr<const Device> native_device ();

} // namespace sino
