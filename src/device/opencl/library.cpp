// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl/library.hpp"
#include "base/error.hpp"
#include "base/modules.hpp"
#include <dlfcn.h>

namespace sino {

namespace {

constexpr const char *opencl_module = "opencl/sinograph-opencl.so";

struct OpenclLibraries {
  void *module = nullptr;
  std::string why; // why there is no module
};

// The libraries stay loaded: drivers have threads of their own.
OpenclLibraries load_opencl ()
{
  const auto paths = module_files (opencl_module);
  if (paths.empty ())
    return {nullptr, text ("%s is not in %s; install its package, or add its parent folder to SINOGRAPH_PLUGIN_PATH",
                           opencl_module, join (module_folders ()).c_str ())};
  std::string why;
  for (const auto &path : paths) {
    const auto fault = module_fault (path);
    if (void *module = fault.empty () ? dlopen (path.c_str (), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : nullptr)
      return {module, ""};
    why += why.empty () ? "" : "; ";
    if (!fault.empty ())
      why += text ("%s cannot be loaded: %s; install it again", path.c_str (), fault.c_str ());
    else
      why += text ("%s cannot be loaded: %s; install the libraries that it needs, a loader of OpenCL drivers and clFFT",
                   path.c_str (), dlerror ());
  }
  return {nullptr, why};
}

const OpenclLibraries &opencl_libraries ()
{
  // Never destroyed: buffers are freed while the process leaves.
  static const auto &loaded = *new OpenclLibraries (load_opencl ());
  return loaded;
}

} // namespace

const std::string &why_no_opencl ()
{
  return opencl_libraries ().why;
}

// As for a linked library, one that was loaded before all others comes first: simulators stand in for OpenCL in this
// way.
void *opencl_function (const char *name)
{
  if (!opencl_libraries ().module)
    fail (SINO_ERROR_DEVICE, "%s cannot be called: %s", name, why_no_opencl ().c_str ());
  void *found = dlsym (RTLD_DEFAULT, name);
  if (!found)
    found = dlsym (opencl_libraries ().module, name);
  if (!found)
    fail (SINO_ERROR_DEVICE, "the OpenCL library has no function %s; install a newer one", name);
  return found;
}

} // namespace sino
