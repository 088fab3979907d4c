// SPDX-License-Identifier: LGPL-3.0-or-later
// Rounding to halves on the first OpenCL device: half-pack-opencl [small].
#include "filters/half-pack/opencl-packer.hpp"
#include "kernels/opencl/source.hpp"
#include "tests/filters/half-pack/truth.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <algorithm>

namespace sino::test::half_pack_opencl_test {

namespace {

bool small = false;

struct Packed {
  std::vector<uint16_t> halves;
  int64_t overflows;
};

Packed pack (half_pack::OpenclPacker &packer, const std::vector<float> &values)
{
  const cl::CommandQueue queue (first_device ().context (), first_device ().device);
  const auto in = upload (values);
  const auto out = unwritten (queue, (values.size () + 1) * sizeof (uint16_t));
  packer.enqueue (queue, in, std::ssize (values), out);
  Packed packed{download<uint16_t> (queue, out, values.size () + 1), packer.overflows (queue)};
  g_assert_cmphex (packed.halves.back (), ==, 0xa5a5); // not ours
  packed.halves.pop_back ();
  return packed;
}

void check (half_pack::OpenclPacker &packer, const std::vector<float> &values)
{
  const auto is = pack (packer, values);
  int64_t overflows = 0;
  for (size_t i = 0; i < values.size (); i++) {
    const auto should =
        std::isnan (values[i]) ? (std::signbit (values[i]) ? 0xfe00 : 0x7e00) : int{nearest_half (values[i])};
    if (is.halves[i] != should)
      g_error ("%.9g became %#x, not %#x", static_cast<double> (values[i]), is.halves[i], should);
    overflows += std::isfinite (values[i]) && (should & 0x7fff) == 0x7c00;
  }
  g_assert_cmpint (is.overflows, ==, overflows);
}

// One packer for all: what it counted it must forget.
void test_rounds ()
{
  const families::Setting setting{&half_pack::family ().kernels[0], {}};
  half_pack::OpenclPacker packer (first_device (), setting, half_pack::family ().usual);
  for (auto values : {all_halves (), random_bits (300001), about_halves (300001)}) {
    if (small) { // still of all sizes
      size_t kept = 0;
      for (size_t i = 0; i < values.size (); i += values.size () / 777)
        values[kept++] = values[i];
      values.resize (kept);
    }
    check (packer, values);
  }
  check (packer, {65519.996f, 65520, -65520, INFINITY, -INFINITY, NAN, -NAN, 0, -0.f, 1e-8f});
  check (packer, {1});
}

// The counter is 64 bits, of which devices add to 32 at a time.
void test_counts_many ()
{
  const auto &device = first_device ();
  const cl::CommandQueue queue (device.context (), device.device);
  const auto program = device.build ("half-pack/half-pack.cl", opencl::opencl_source ("half-pack/half-pack.cl"), "");
  cl::Kernel kernel (program, "half_pack");
  const auto counter = upload (std::vector<cl_uint>{0xfffffffe, 6});
  const auto values = upload (std::vector<float>{1e6f, -1e6f, 1, 2e9f});
  const auto halves = unwritten (queue, 8);
  kernel.setArg (0, values);
  kernel.setArg (1, cl_ulong{4});
  kernel.setArg (2, halves);
  kernel.setArg (3, counter);
  queue.enqueueNDRangeKernel (kernel, cl::NullRange, cl::NDRange (4));
  const auto is = download<cl_uint> (queue, counter, 2);
  g_assert_cmpuint (is[0], ==, 1);
  g_assert_cmpuint (is[1], ==, 7);
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/half-pack/opencl/rounds", test_rounds);
    g_test_add_func ("/half-pack/opencl/counts-many", test_counts_many);
  });
}

} // namespace sino::test::half_pack_opencl_test
