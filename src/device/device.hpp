// SPDX-License-Identifier: LGPL-3.0-or-later
// What a graph runs on: the CPU through the project's own kernels, or an OpenCL device.
#pragma once
#include "base/visibility.hpp"
#include "device/device-use.hpp"
#include "stream/block.hpp"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sino {

struct SINO_VISIBLE Device {
  enum class Kind { native, opencl };

  Kind kind = Kind::native;
  std::string id = "native"; // "native", "cl:0", "cl:1" in the ICD loader's order
  std::string name;          // as the driver or the CPU reports it
  DeviceUse use;

  virtual ~Device ();
  // What it is besides its name, in a line, or "". Throws Error when the driver does not say.
  virtual std::string about () const { return {}; }

  // Where blocks lie: in memory of the host; in such that the device reaches, or transfers fast; the same where the
  // host only writes and the device only reads; in the device's own, which the host does not see.
  enum class Memory { host, shared, sent, own };
  // Throws Error.
  virtual std::unique_ptr<Buffer> allocate (Memory memory, size_t bytes) const;
  // The largest block that may lie in shared or own memory, in bytes.
  virtual size_t largest_block () const { return 0; }
  // Bytes that the device has besides the host's; 0 when it works in the host's memory.
  virtual double own_memory () const { return 0; }
  // Bytes of blocks and buffers that a run may have there; infinite where only the host's memory bounds it.
  double room () const;
  // The same device for a run that uses it so; null where that makes no difference.
  virtual std::shared_ptr<const Device> used_as (const DeviceUse &) const { return nullptr; }
  // Loads what the driver keeps in the host's memory, hundreds of MiB of some GPUs, so that it can be counted. Throws
  // Error.
  virtual void load_driver () const {}
};

// The one of a run's devices that nodes choose their methods for, whatever their order: what is right for OpenCL
// devices, as packed halves are, the CPU can do as well.
const std::shared_ptr<const Device> &chief_of (std::span<const std::shared_ptr<const Device>> devices);

// Pages of the host, large ones where they are filled by whole ones.
SINO_VISIBLE std::unique_ptr<Buffer> allocate_pages (size_t bytes);
// The bytes of the pages that hold so many; from `large` on in large pages.
SINO_VISIBLE size_t page_rounded (size_t bytes, size_t large = size_t{4} << 20);

// The CPU: always there, and asking for it never initialises an OpenCL platform.
SINO_VISIBLE std::shared_ptr<const Device> native_device ();

} // namespace sino
