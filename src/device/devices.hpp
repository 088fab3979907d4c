// SPDX-License-Identifier: LGPL-3.0-or-later
// The devices of this machine, and their choice by `--device`.
#pragma once
#include "device/device.hpp"
#include "device/facts.hpp"

namespace sino {

// "native"; "cl:0" or "cl:0,cl:1,native"; "cl" for all OpenCL devices; "all" for all OpenCL GPUs and native (native
// replaces OpenCL devices that run on the same cores); "" for the first OpenCL GPU, or native if there is none. Throws
// SINO_ERROR_DEVICE, which lists the devices. OpenCL is initialised only if needed: never for "native", and for "" and
// "all" only if a driver is registered.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> find_devices (const std::string &spec);

// The same devices with these settings of use; unchanged if there are none.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> used_as (std::vector<std::shared_ptr<const Device>> devices,
                                                                 const DeviceUse &use);

// Native first, then every OpenCL device.
SINO_VISIBLE std::vector<std::shared_ptr<const Device>> all_devices ();

// GPUs' drivers that lie on the machine, but whose devices are not among these (device/opencl/unregistered.hpp).
struct UnregisteredDriver;
SINO_VISIBLE std::vector<UnregisteredDriver> missing_drivers ();

// Casts to an OpenCL device, for code that does not include its header.
class OpenclDevice;
SINO_VISIBLE const OpenclDevice &as_opencl (const Device &device);
SINO_VISIBLE OpenclFacts facts_of (const OpenclDevice &device); // throws Error

} // namespace sino
