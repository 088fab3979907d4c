// SPDX-License-Identifier: LGPL-3.0-or-later
// What --device chooses. A machine without OpenCL passes too: then there is no device but native.
#include "device/devices.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "device/opencl.hpp"
#include "device/opencl/unregistered.hpp"
#include <filesystem>
#include <fstream>

namespace sino::test::devices_test {

namespace {

// Drivers are libraries that the loader opens when a platform is first asked for.
bool driver_loaded ()
{
  std::ifstream maps ("/proc/self/maps");
  for (std::string line; std::getline (maps, line);)
    if (line.find ("libpocl") != line.npos || line.find ("liboclgrind") != line.npos)
      return true;
  return false;
}

std::string message_of (const std::string &spec)
{
  try {
    find_devices (spec);
  } catch (const Error &error) {
    g_assert_cmpint (error.code, ==, SINO_ERROR_DEVICE);
    return error.what ();
  }
  return "";
}

void test_native ()
{
  const auto list = find_devices ("native");
  g_assert_cmpuint (list.size (), ==, 1);
  g_assert_true (list[0] == native_device ());
  g_assert_false (driver_loaded ());
}

void test_unknown ()
{
  const auto message = message_of ("cl:99");
  g_assert_true (message.starts_with ("no device 'cl:99'; the devices are native ("));
  for (const auto &device : all_devices ())
    g_assert_true (message.find (device->id + " (" + device->name + ")") != message.npos);
  g_assert_true (message_of ("gpu").starts_with ("no device 'gpu'"));
  g_assert_true (message_of ("native,native") == "device 'native' is listed twice in 'native,native'");
}

void test_opencl ()
{
  const auto all = all_devices ();
  g_assert_true (all[0] == native_device ());
  if (all.size () == 1) {
    g_assert_true (message_of ("cl").starts_with ("no OpenCL device"));
    g_test_skip ("no OpenCL device");
    return;
  }
  g_assert_true (find_devices ("cl").size () == all.size () - 1);
  g_assert_true (find_devices ("cl:0")[0] == all[1]);
  g_assert_true (find_devices ("native,cl:0").size () == 2);

  // The default: the first GPU, else native.
  auto expected = all[0];
  for (const auto &device : opencl_devices ())
    if (device->is_gpu && expected == all[0])
      expected = device;
  g_assert_true (find_devices ("")[0] == expected);

  // All: the GPUs, the first of them first, then native, whose cores other devices of OpenCL have.
  const auto every = find_devices ("all");
  g_assert_true (every[0] == expected);
  g_assert_true (every.back () == all[0]);
  for (size_t i = 0; i + 1 < every.size (); i++)
    g_assert_true (dynamic_cast<const OpenclDevice &> (*every[i]).is_gpu);
}

// The library of a driver that no ICD file names, in a folder of the loader, of a vendor, and of the environment.
void test_unregistered ()
{
  namespace fs = std::filesystem;
  const CharPtr made (g_dir_make_tmp ("devices-XXXXXX", nullptr));
  const std::string root = made.get ();
  const auto put = [&root] (const std::string &path, const std::string &text = {}) {
    fs::create_directories (fs::path (root + path).parent_path ());
    std::ofstream (root + path) << text;
  };
  for (const char *name : {"OCL_ICD_FILENAMES", "OPENCL_DRIVER_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    g_unsetenv (name);
  g_assert_true (unregistered_drivers (root).empty ());
  put ("/etc/OpenCL/vendors/pocl.icd", "libpocl.so.2\n");
  put ("/etc/ld.so.conf.d/nvidia.conf", "# drivers\n/usr/local/of nvidia\n");
  put ("/usr/local/of nvidia/libnvidia-opencl.so.1");
  put ("/opt/rocm/lib/libamdocl64.so");
  put ("/dev/kfd");
  const auto found = unregistered_drivers (root);
  g_assert_cmpuint (found.size (), ==, 2);
  g_assert_true (found[0].vendor == "NVIDIA" && !found[0].has_device && found[1].vendor == "AMD" &&
                 found[1].has_device);
  g_assert_true (found[0].library == root + "/usr/local/of nvidia/libnvidia-opencl.so.1");
  g_assert_true (found[0].command ==
                 "mkdir -p /etc/OpenCL/vendors && echo '" + found[0].library + "' > /etc/OpenCL/vendors/nvidia.icd");
  put ("/usr/lib64/intel-opencl/libigdrcl.so");
  put ("/sys/class/drm/renderD128/device/vendor", "0x1002\n");
  g_assert_false (unregistered_drivers (root)[2].has_device);
  put ("/sys/class/drm/renderD129/device/vendor", "0x8086\n");
  g_assert_true (unregistered_drivers (root)[2].has_device);
  put ("/etc/OpenCL/vendors/nvidia.icd", found[0].library + "\n"); // what the command writes
  g_assert_cmpuint (unregistered_drivers (root).size (), ==, 2);
  g_setenv ("OCL_ICD_VENDORS", "/somewhere", TRUE);
  g_assert_true (unregistered_drivers (root).empty ());
  g_unsetenv ("OCL_ICD_VENDORS");
  fs::remove_all (root);
}

void test_errors ()
{
  if (opencl_devices ().empty ()) {
    g_test_skip ("no OpenCL device");
    return;
  }
  const auto &device = *opencl_devices ()[0];
  std::string message;
  try {
    device.build ("wrong.cl", "kernel void f (global int *a) { *a = undeclared_thing; }", "-DN=1");
  } catch (const Error &error) {
    message = error.what ();
  }
  g_assert_true (message.starts_with ("kernel 'wrong.cl' does not build on cl:0 ("));
  g_assert_true (message.find ("undeclared_thing") != message.npos); // from the build log
  message.clear ();
  try {
    device.attempt ([&] { cl::Kernel (device.build ("right.cl", "kernel void f (void) {}", ""), "absent"); });
  } catch (const Error &error) {
    message = error.what ();
  }
  g_assert_true (message.starts_with ("clCreateKernel failed on cl:0 ("));
  g_assert_true (message.ends_with ("no such kernel (-46)"));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/devices/native", test_native); // first: it must not have loaded a driver
  g_test_add_func ("/devices/unknown", test_unknown);
  g_test_add_func ("/devices/opencl", test_opencl);
  g_test_add_func ("/devices/errors", test_errors);
  g_test_add_func ("/devices/unregistered", test_unregistered);
  return g_test_run ();
}

} // namespace sino::test::devices_test
