// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/device.hpp"
#include "base/error.hpp"
#include "stream/host-buffer.hpp"
#include <algorithm>
#include <fstream>
#include <limits>
#include <sys/mman.h>

namespace sino {

Device::~Device () = default;

const std::shared_ptr<const Device> &chief_of (std::span<const std::shared_ptr<const Device>> devices)
{
  const auto found = std::ranges::find (devices, Device::Kind::opencl, [] (const auto &each) { return each->kind; });
  return found == devices.end () ? devices.front () : *found;
}

namespace {
constexpr size_t page = 4096, large_page = size_t{2} << 20;

struct Pages final : HostBuffer {
  explicit Pages (size_t n)
      : HostBuffer (
            static_cast<std::byte *> (mmap (nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)), n)
  {
    if (data == MAP_FAILED)
      fail (SINO_ERROR_MEMORY, "no memory for a block of %s", bytes_text (static_cast<double> (n)).c_str ());
    if (n % large_page == 0)
      madvise (data, n, MADV_HUGEPAGE);
  }
  ~Pages () override { munmap (data, size); }
};
} // namespace

size_t page_rounded (size_t bytes, size_t large)
{
  const auto unit = bytes >= large ? large_page : page;
  return round_up (bytes, unit);
}

std::unique_ptr<Buffer> allocate_pages (size_t bytes)
{
  return std::make_unique<Pages> (std::max<size_t> (bytes, 1));
}

// Drivers use some of a device's own memory.
double Device::room () const
{
  constexpr double share = 0.9, any = std::numeric_limits<double>::infinity ();
  const double has = own_memory () > 0 ? share * own_memory () : any;
  return use.memory > 0 ? std::min (use.memory, has) : has;
}

std::unique_ptr<Buffer> Device::allocate (Memory, size_t bytes) const
{
  return allocate_pages (bytes);
}

static std::string cpu_name ()
{
  std::ifstream info ("/proc/cpuinfo");
  for (std::string line; std::getline (info, line);)
    if (line.starts_with ("model name")) {
      const auto colon = line.find (':');
      return colon + 2 < line.size () ? line.substr (colon + 2) : "CPU";
    }
  return "CPU";
}

std::shared_ptr<const Device> native_device ()
{
  static const auto device = [] {
    auto d = std::make_shared<Device> ();
    d->name = cpu_name ();
    return d;
  }();
  return device;
}

} // namespace sino
