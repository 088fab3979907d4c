// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/devices.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "device/opencl.hpp"
#include "device/opencl/unregistered.hpp"
#include <algorithm>
#include <filesystem>

namespace sino {

using DeviceList = std::vector<std::shared_ptr<const Device>>;

// Loading a driver takes tens of megabytes, so a machine without any is recognised by its registry of drivers alone.
static bool driver_registered ()
{
  namespace fs = std::filesystem;
  for (const char *name : {"OCL_ICD_FILENAMES", "OPENCL_DRIVER_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (g_getenv (name))
      return true;
  return std::ranges::any_of (names_in ("/etc/OpenCL/vendors").list,
                              [] (const fs::path &name) { return name.extension () == ".icd"; });
}

static std::string available ()
{
  auto list = join (all_devices (), ", ", [] (const auto &device) { return device->id + " (" + device->name + ")"; });
  if (const auto &why = why_no_opencl (); !why.empty ())
    list += "; there are no OpenCL devices: " + why;
  return list;
}

static std::shared_ptr<const Device> find_device (const std::string &id)
{
  if (id == "native")
    return native_device ();
  for (const auto &device : all_devices ())
    if (device->id == id)
      return device;
  fail (SINO_ERROR_DEVICE, "no device '%s'; the devices are %s", id.c_str (), available ().c_str ());
}

// A GPU that two drivers offer is listed once.
static bool listed (const DeviceList &list, const OpenclDevice &device)
{
  const auto address = device.nvidia_address ();
  return !address.empty () && std::ranges::any_of (list, [&] (const auto &other) {
    return as_opencl (*other).nvidia_address () == address;
  });
}

// OpenCL was not requested explicitly, so drivers that cannot be loaded are no error. They may want a thread for each
// processor of the machine, which containers may not allow.
static DeviceList gpus ()
{
  DeviceList list;
  try {
    if (!driver_registered ())
      return list;
    if (const auto &why = why_no_opencl (); !why.empty ())
      g_info ("OpenCL devices are left out: %s", why.c_str ());
    for (const auto &device : opencl_devices ())
      if (device->is_gpu && !listed (list, *device))
        list.push_back (device);
  } catch (const Error &error) {
    g_info ("OpenCL devices are left out: %s", error.what ());
  }
  return list;
}

DeviceList find_devices (const std::string &spec)
{
  if (spec.empty () || spec == "all") {
    auto list = gpus ();
    if (spec.empty () && !list.empty ())
      return {list[0]};
    list.push_back (native_device ());
    return list;
  }
  if (spec == "cl") {
    const auto &all = opencl_devices ();
    if (all.empty ())
      fail (SINO_ERROR_DEVICE, "no OpenCL device; the devices are %s", available ().c_str ());
    return {all.begin (), all.end ()};
  }
  DeviceList list;
  for (const auto &id : split (spec, ',')) {
    auto device = find_device (id);
    if (std::ranges::find (list, device) != list.end ())
      fail (SINO_ERROR_DEVICE, "device '%s' is listed twice in '%s'", device->id.c_str (), spec.c_str ());
    list.push_back (std::move (device));
  }
  return list;
}

DeviceList used_as (DeviceList devices, const DeviceUse &use)
{
  if (use == DeviceUse{})
    return devices;
  for (auto &device : devices)
    if (auto other = device->used_as (use))
      device = std::move (other);
  return devices;
}

DeviceList all_devices ()
{
  DeviceList list{native_device ()};
  const auto &opencl = opencl_devices ();
  list.insert (list.end (), opencl.begin (), opencl.end ());
  return list;
}

// A variable of the environment may name a driver, and be unknown to the loader: what counts is the device.
std::vector<UnregisteredDriver> missing_drivers ()
{
  auto drivers = unregistered_drivers ();
  if (!drivers.empty () && driver_registered ())
    for (const auto &device : opencl_devices ())
      std::erase_if (drivers, [&] (const UnregisteredDriver &driver) {
        return device->is_gpu && device->name.find (driver.vendor) != std::string::npos;
      });
  return drivers;
}

const OpenclDevice &as_opencl (const Device &device)
{
  return dynamic_cast<const OpenclDevice &> (device);
}

OpenclFacts facts_of (const OpenclDevice &device)
{
  return device.facts ();
}

} // namespace sino
