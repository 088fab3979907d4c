// SPDX-License-Identifier: LGPL-3.0-or-later
// The devices of this machine, and what `--device` chooses among them.
#pragma once
#include "device/device.hpp"
#include "device/facts.hpp"

namespace sino {

// "native"; "cl:0" or "cl:0,cl:1,native"; "cl" for all OpenCL devices; "all" for all OpenCL GPUs and native, which has
// the cores that other OpenCL devices would take from it; "" for the first OpenCL GPU, else native. Throws
// SINO_ERROR_DEVICE that names what there is. OpenCL is initialised only by the specs that have a use for it: never by
// "native", and by "" and "all" only where a driver is registered.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> find_devices (const std::string &spec);

// The same devices for a run that uses them so; as they are where it asks for nothing.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> used_as (std::vector<std::shared_ptr<const Device>> devices,
                                                                 const DeviceUse &use);

// Native first, then every OpenCL device.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> all_devices ();

// A device whose kind is opencl, for those who hand it on to who knows what that is.
class OpenclDevice;
SINO_VISIBLE const OpenclDevice &as_opencl (const Device &device);
SINO_VISIBLE OpenclFacts facts_of (const OpenclDevice &device); // throws Error

} // namespace sino
