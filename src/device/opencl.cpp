// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "device/opencl-errors.hpp"
#include "device/pages-ahead.hpp"
#include "device/pocl-cache.hpp"
#include "device/program-cache.hpp"
#include <algorithm>
#include <unistd.h>

namespace sino {

static std::string trimmed (const std::string &s)
{
  const auto begin = s.find_first_not_of (" \t\n");
  const auto end = s.find_last_not_of (std::string (" \t\n\0", 4));
  return begin == s.npos ? "" : s.substr (begin, end - begin + 1);
}

static constexpr cl_uint nvidia = 0x10de; // vendor

OpenclDevice::OpenclDevice (int number, const cl::Device &d)
    : device (d), is_gpu (d.getInfo<CL_DEVICE_TYPE> () & CL_DEVICE_TYPE_GPU),
      shares_host_memory (d.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY> ()),
      largest_buffer (d.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE> ()),
      pins_our_pages (d.getInfo<CL_DEVICE_VENDOR_ID> () == nvidia && !shares_host_memory)
{
  const cl::Platform platform (d.getInfo<CL_DEVICE_PLATFORM> ());
  kind = Kind::opencl;
  id = text ("cl:%d", number);
  name = trimmed (d.getInfo<CL_DEVICE_NAME> ()) + ", " + trimmed (platform.getInfo<CL_PLATFORM_NAME> ());
}

namespace {

// Queries of vendor extensions by number: distributions' headers lack most of them.
enum Query : cl_device_info {
  nvidia_capability_major = 0x4000,
  nvidia_capability_minor = 0x4001,
  nvidia_pci_bus = 0x4008,
  nvidia_pci_slot = 0x4009,
  nvidia_pci_domain = 0x400a,
  amd_gfx_major = 0x404a,
  amd_gfx_minor = 0x404b,
  intel_ip_version = 0x4250,
  khronos_pci_bus_info = 0x410f,
};

template <class T> T ask (const cl::Device &device, cl_device_info query, T otherwise)
{
  T value = otherwise;
  return clGetDeviceInfo (device (), query, sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
}

OpenclFacts facts_of (const cl::Device &device)
{
  OpenclFacts facts;
  const cl::Platform platform (device.getInfo<CL_DEVICE_PLATFORM> ());
  facts.gpu = device.getInfo<CL_DEVICE_TYPE> () & CL_DEVICE_TYPE_GPU;
  tell_architecture ({.platform = platform.getInfo<CL_PLATFORM_NAME> (),
                      .vendor = device.getInfo<CL_DEVICE_VENDOR> (),
                      .device = device.getInfo<CL_DEVICE_NAME> (),
                      .extensions = device.getInfo<CL_DEVICE_EXTENSIONS> () + " ",
                      .nvidia_major = ask<cl_uint> (device, nvidia_capability_major, 0),
                      .nvidia_minor = ask<cl_uint> (device, nvidia_capability_minor, 0),
                      .amd_major = ask<cl_uint> (device, amd_gfx_major, 0),
                      .amd_minor = ask<cl_uint> (device, amd_gfx_minor, 0),
                      .intel_version = ask<cl_uint> (device, intel_ip_version, 0)},
                     facts);
  facts.images = device.getInfo<CL_DEVICE_IMAGE_SUPPORT> ();
  facts.units = static_cast<int> (device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS> ());
  facts.clock = std::max (1, static_cast<int> (device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY> ()));
  facts.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE> ();
  facts.constant_memory = device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE> ();
  facts.largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE> ();
  if (facts.images) {
    facts.image_width = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH> ();
    facts.image_height = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT> ();
  }
  // For chips since gfx10, AMD's own driver counts work-group processors, which have two compute units each.
  if (platform.getInfo<CL_PLATFORM_NAME> ().find ("AMD Accelerated") != std::string::npos &&
      facts.architecture.size () == 7)
    facts.units *= 2;
  return facts;
}

} // namespace

OpenclFacts OpenclDevice::facts () const
{
  auto facts = attempt ([this] { return facts_of (device); });
  facts.gpu = is_gpu; // tests pretend to have a GPU
  return facts;
}

std::string OpenclDevice::about () const
{
  const auto facts = this->facts ();
  return text ("%s%s%s %s, %d unit%s at %d MHz, %zu KB local memory, %s", facts.vendor.c_str (),
               facts.architecture.empty () ? "" : " ", facts.architecture.c_str (), facts.gpu ? "GPU" : "CPU",
               facts.units, facts.units == 1 ? "" : "s", facts.clock, facts.local_memory / 1024,
               facts.images ? "images" : "no images");
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

std::string OpenclDevice::nvidia_address () const
{
  constexpr cl_uint none = ~0U;
  struct Place {
    cl_uint domain, bus, device, function;
  };
  if (ask<cl_uint> (device, CL_DEVICE_VENDOR_ID, 0) != nvidia)
    return {};
  auto place = ask<Place> (device, khronos_pci_bus_info, {.domain = 0, .bus = none, .device = 0, .function = 0});
  if (place.bus == none) // older drivers do not answer; a GPU is function 0 of its slot
    place = {.domain = ask<cl_uint> (device, nvidia_pci_domain, 0),
             .bus = ask<cl_uint> (device, nvidia_pci_bus, none),
             .device = ask<cl_uint> (device, nvidia_pci_slot, 0),
             .function = 0};
  return place.bus == none ? "" : text ("%04x:%02x:%02x.%x", place.domain, place.bus, place.device, place.function);
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

const cl::CommandQueue &OpenclDevice::maps () const
{
  std::call_once (maps_once, [this] { maps_ = attempt ([this] { return cl::CommandQueue (context (), device); }); });
  return maps_;
}

const cl::CommandQueue &OpenclDevice::only_queue () const
{
  std::call_once (only_once, [this] {
    only_ = attempt ([this] { return cl::CommandQueue (context (), device, CL_QUEUE_PROFILING_ENABLE); });
  });
  return only_;
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

std::shared_ptr<const Device> OpenclDevice::used_as (const DeviceUse &otherwise) const
{
  auto same = std::make_shared<OpenclDevice> (0, device);
  same->id = id;
  same->use = otherwise;
  return same;
}

void OpenclDevice::load_driver () const
{
  if (shares_host_memory)
    return;
  attempt ([this] {
    const cl::Buffer word (context (), CL_MEM_READ_WRITE, sizeof (cl_int));
    const cl_int zero = 0;
    maps ().enqueueWriteBuffer (word, CL_TRUE, 0, sizeof zero, &zero);
  });
}

cl::Program OpenclDevice::build (const std::string &program_name, const std::string &source,
                                 const std::string &given_options) const
{
  // Drivers print the number of warnings on stderr, for example about long vectors on CPUs without them.
  const auto options = given_options + " -w";
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
  } catch (const cl::Error &) { // the driver was changed without a new version
    return {};
  }
}

static std::vector<std::shared_ptr<const OpenclDevice>> enumerate ()
{
  std::vector<std::shared_ptr<const OpenclDevice>> list;
  std::vector<cl::Platform> platforms;
  if (!why_no_opencl ().empty ())
    return list;
  require_threads (static_cast<int> (sysconf (_SC_NPROCESSORS_ONLN)) +
                   1); // CPU drivers start as many threads, or abort
  try {
    cl::Platform::get (&platforms);
  } catch (const cl::Error &) { // OpenCL reports an error if there is no platform
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
  // Never destroyed: at exit, drivers may be unloaded first.
  static const auto &devices = *new auto(enumerate ());
  return devices;
}

void wait_for (const cl::Event &event)
{
  if (event ())
    event.wait ();
}

// With these flags, drivers may use write-combined memory, and need not transfer the old content.
static cl_mem_flags access_of (Device::Memory memory)
{
  return memory == Device::Memory::sent ? CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY : CL_MEM_READ_WRITE;
}

static cl_map_flags mapping_of (Device::Memory memory)
{
  return memory == Device::Memory::sent ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE;
}

OpenclBuffer::OpenclBuffer (const OpenclDevice &d, Device::Memory where, size_t bytes)
    : Buffer (nullptr, bytes), device (d), kind (where), reached (where == Device::Memory::own || d.shares_host_memory)
{
  device.attempt ([&] {
    const auto &context = device.context ();
    if (kind == Device::Memory::own) {
      memory = cl::Buffer (context, CL_MEM_READ_WRITE, bytes);
    } else if (reached) {
      pages = allocate_pages (bytes);
      memory = cl::Buffer (context, access_of (kind) | CL_MEM_USE_HOST_PTR, bytes, pages->data);
      settle ();
    } else if (device.pins_our_pages && kind == Device::Memory::shared) {
      pages = allocate_pages (bytes);
      bring_all ({pages->data, bytes});
      memory = cl::Buffer (context, access_of (kind) | CL_MEM_USE_HOST_PTR, bytes, pages->data);
      data = pages->data; // transfers use it as host memory; no command uses the buffer
    } else {
      memory = cl::Buffer (context, access_of (kind) | CL_MEM_ALLOC_HOST_PTR, bytes);
      data = static_cast<std::byte *> (device.maps ().enqueueMapBuffer (memory, CL_TRUE, mapping_of (kind), 0, bytes));
    }
  });
}

// Commands that use the memory must end before it is freed. Their failures were reported to those who waited for them.
OpenclBuffer::~OpenclBuffer ()
{
  const auto wait = [] (const User &user) noexcept {
    if (user.last ())
      clWaitForEvents (1, &user.last ());
  };
  wait (writer);
  std::for_each (readers.begin (), readers.end (), wait);
  try {
    const bool mapped = reached || !pages; // pages that are only pinned are not
    if (data && memory () && mapped) {
      cl::Event unmapped;
      device.maps ().enqueueUnmapMemObject (memory, data, nullptr, &unmapped);
      unmapped.wait ();
    }
  } catch (...) {
  }
}

// Events of commands that a queue has to wait for before it uses the memory.
std::vector<cl::Event> OpenclBuffer::users (Use use, const cl::CommandQueue &queue) const
{
  std::vector<cl::Event> events;
  const auto add = [&] (const User &user) {
    if (user.last () && user.queue () != queue ())
      events.push_back (user.last);
  };
  add (writer);
  if (use == Use::write)
    std::for_each (readers.begin (), readers.end (), add);
  return events;
}

void OpenclBuffer::settle ()
{
  const std::lock_guard guard (mutex);
  device.attempt ([&] {
    for (const auto &user : users (Use::write, {}))
      user.wait ();
    writer = {};
    readers.clear ();
    if (!reached || kind == Device::Memory::own || hosted)
      return;
    data = static_cast<std::byte *> (device.maps ().enqueueMapBuffer (memory, CL_TRUE, mapping_of (kind), 0, size));
    hosted = true;
  });
}

const cl::Buffer &OpenclBuffer::lend (const cl::CommandQueue &queue, Use use)
{
  const std::lock_guard guard (mutex);
  if (hosted) { // there are no users; other queues must wait until the host has unmapped it
    cl::Event unmapped;
    queue.enqueueUnmapMemObject (memory, data, nullptr, &unmapped);
    queue.flush ();
    data = nullptr;
    hosted = false;
    writer = {queue, unmapped};
  } else if (const auto before = users (use, queue); !before.empty ()) {
    queue.enqueueBarrierWithWaitList (&before);
  }
  return memory;
}

void OpenclBuffer::until (const cl::Event &event, Use use)
{
  const User user{event.getInfo<CL_EVENT_COMMAND_QUEUE> (), event};
  const std::lock_guard guard (mutex);
  if (use == Use::write) {
    writer = user; // the writer has waited for all other commands
    readers.clear ();
    return;
  }
  std::erase_if (readers, [&] (const User &one) { return one.queue () == user.queue (); });
  readers.push_back (user);
}

} // namespace sino
