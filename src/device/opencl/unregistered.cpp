// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl/unregistered.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glib.h>

namespace sino {

namespace fs = std::filesystem;

namespace {

struct Driver {
  const char *vendor, *name; // the library's name begins with this
  const char *library;       // the library's whole name, as ICD files have it
  const char *file;          // usual name of the ICD file
  const char *nodes[2];      // files of the kernel's devices; /dev/dxg is that of Windows, for all vendors
};
constexpr Driver drivers[] = {
    {"NVIDIA", "libnvidia-opencl", "libnvidia-opencl.so.1", "nvidia.icd", {"/dev/nvidiactl", "/dev/dxg"}},
    {"AMD", "libamdocl64", "libamdocl64.so", "amdocl64.icd", {"/dev/kfd", "/dev/dxg"}},
    {"Intel", "libigdrcl", "libigdrcl.so", "intel.icd", {nullptr, "/dev/dxg"}},
};

bool exists (const std::string &path)
{
  std::error_code error;
  return fs::exists (path, error);
}

// Whether a graphics device of the kernel is one of Intel's.
bool has_intel_graphics (const std::string &root)
{
  const auto folder = root + "/sys/class/drm/";
  return std::ranges::any_of (names_in (folder).list, [&] (const std::string &name) {
    std::string vendor;
    std::ifstream file (text ("%s%s/device/vendor", folder.c_str (), name.c_str ()));
    return name.starts_with ("renderD") && file >> vendor && vendor == "0x8086";
  });
}

// The text of all ICD files.
std::string registered (const std::string &root)
{
  std::string all;
  const auto folder = root + "/etc/OpenCL/vendors";
  for (const auto &name : names_in (folder).list)
    if (fs::path (name).extension () == ".icd") {
      std::ifstream file (fs::path (folder) / name);
      all.append (std::istreambuf_iterator<char> (file), {});
    }
  return all;
}

// Folders in which libraries are looked for: those of the environment and of the loader, and of the vendors' packages.
std::vector<std::string> library_folders (const std::string &root)
{
  std::vector<std::string> folders;
  if (const char *path = g_getenv ("LD_LIBRARY_PATH"))
    folders = split (path, ':');
  const auto configured = root + "/etc/ld.so.conf.d";
  for (const auto &name : names_in (configured).list) {
    std::ifstream file (fs::path (configured) / name);
    for (std::string line; std::getline (file, line);)
      if (line.starts_with ('/'))
        folders.push_back (root + line);
  }
  for (const auto &name : names_in (root + "/usr/lib").list)
    if (name.ends_with ("-linux-gnu"))
      for (const char *below : {"", "/intel-opencl"})
        folders.push_back (text ("%s/usr/lib/%s%s", root.c_str (), name.c_str (), below));
  for (const char *usual : {"/usr/lib64", "/usr/lib", "/usr/local/lib", "/usr/local/nvidia/lib64",
                            "/usr/lib64/intel-opencl", "/usr/lib/wsl/lib", "/opt/rocm/lib", "/opt/amdgpu-pro/lib64"})
    folders.push_back (root + usual);
  return folders;
}

} // namespace

std::string UnregisteredDriver::advice () const
{
  return "the OpenCL driver of " + vendor + " is on this machine, but no ICD file names it; as root: " + command;
}

std::vector<UnregisteredDriver> unregistered_drivers (const std::string &root)
{
  for (const char *name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (g_getenv (name))
      return {};
  std::vector<UnregisteredDriver> found;
  const auto known = registered (root);
  const auto folders = library_folders (root);
  for (const auto &driver : drivers) {
    if (known.find (driver.name) != known.npos)
      continue;
    const auto has_it = [&] (const std::string &folder) { return exists (folder + "/" + driver.library); };
    const auto folder = std::ranges::find_if (folders, has_it);
    if (folder == folders.end ())
      continue;
    const auto library = *folder + "/" + driver.library;
    const bool has_device = std::ranges::any_of (
        driver.nodes, [&] (const char *node) { return node ? exists (root + node) : has_intel_graphics (root); });
    const CharPtr quoted (g_shell_quote (library.c_str ()));
    found.push_back (
        {driver.vendor, library, has_device,
         text ("mkdir -p /etc/OpenCL/vendors && echo %s > /etc/OpenCL/vendors/%s", quoted.get (), driver.file)});
  }
  return found;
}

} // namespace sino
