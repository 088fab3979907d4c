// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures that the first OpenCL device makes, with every setting of its kernels: live-opencl [small].
#include "filters/live/opencl/family.hpp"
#include "filters/live/opencl/problem.hpp"
#include "tests/support/opencl-buffers.hpp"

namespace sino::test::live_opencl_test {

using namespace live;

namespace {

bool small = false;

void check (const OpenclDevice &device, const families::Setting &setting, bool half)
{
  const double error = family ().trial (device, setting, family_problem (half, 9));
  if (!(error < 2e-6)) // sums of a few float32 values, and positions of 2^-24 columns
    g_error ("%s, halves %d: the error is %.3g", setting.text ().c_str (), half, error);
}

// Planes between rows, upright and tilted; a hole; a projection that is taken away.
void test_settings ()
{
  for (const auto &kernel : family ().kernels)
    for (const auto &parameter : kernel.parameters)
      for (const int value : parameter.values)
        for (const bool half : {false, true}) {
          const families::Setting setting{&kernel, {{parameter.name, value}}};
          check (first_device (), setting, half);
          if (small && !half)
            return;
        }
}

// Where the device's buffers are too small for all projections.
void test_several_buffers ()
{
  const families::Setting setting{&family ().kernels[0], {}};
  for (const size_t bytes : {1, 12000, 20000}) {
    OpenclDevice limited (0, first_device ().device);
    limited.largest_buffer = bytes;
    for (const bool half : {false, true})
      check (limited, setting, half);
  }
}

void add (bool few)
{
  small = few;
  g_test_add_func ("/live/opencl/settings", test_settings);
  g_test_add_func ("/live/opencl/several-buffers", test_several_buffers);
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, add);
}

} // namespace sino::test::live_opencl_test
