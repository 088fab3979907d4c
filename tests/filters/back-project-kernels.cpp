// SPDX-License-Identifier: LGPL-3.0-or-later
// The native kernel against the definition, with every instruction set that this CPU has, all lanes and both elements.
//
// Tolerance: positions are rounded to float within 11 bins from the middle of a window, which errs by up to 1e-6 of a
// bin, a fifth of that in the root mean square, and noise changes by 1.7 times its own interpolated value from bin to
// bin: 5e-7. Sums of at most 40 values of float err by 1e-7, which is all that nearest has.
#include "back-project-truth.hpp"
#include "back-project/native.hpp"
#include <cstring>
#include <functional>
#include <glib.h>
#include <hwy/targets.h>
#include <memory>

using namespace sino::back_project;
using namespace sino::test;

namespace {

constexpr int lane_counts[] = {1, 2, 4, 8, 16, 32};

// Instruction sets by name; those that the kernel is not built for fall back to another one and are left out.
void for_each_target (const std::function<void ()> &body)
{
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    if (strcmp (instruction_set (), hwy::TargetName (target)) == 0)
      body ();
  }
  hwy::SetSupportedTargetsForTest (0);
}

// A scan laid out for the kernel. The bins end where the memory ends, so that a sanitizer sees any read past them.
struct Stack {
  std::unique_ptr<uint16_t[]> halves;
  std::unique_ptr<float[]> floats;
  std::vector<Ray> rays;
  Job job;

  Stack (const NoiseScan &scan, int lanes, bool half, bool nearest, bool mask, Roi roi)
  {
    const auto n = static_cast<size_t> (lanes * scan.projections () * scan.columns);
    halves = std::make_unique<uint16_t[]> (half ? n : 0);
    floats = std::make_unique<float[]> (half ? 0 : n);
    size_t at = 0;
    for (int64_t k = 0; k < scan.projections (); k++)
      for (int64_t c = 0; c < scan.columns; c++)
        for (int lane = 0; lane < lanes; lane++, at++) {
          const auto v = static_cast<float> (lane < scan.rows ? scan.value (lane, k, c) : 0);
          if (half)
            halves[at] = half_bits (v);
          else
            floats[at] = v;
        }
    for (size_t k = 0; k < scan.angles.size (); k++)
      rays.push_back ({std::cos (scan.angles[k]), std::sin (scan.angles[k]), scan.axis[k] - 0.5,
                       static_cast<float> (scan.weights[k])});
    job = {half ? static_cast<const void *> (halves.get ()) : floats.get (),
           half,
           lanes,
           scan.columns,
           rays,
           nearest,
           mask,
           roi};
  }

  // For values that are whole multiples of 1/512 in [-1, 1): exact.
  static uint16_t half_bits (float v)
  {
    const uint16_t sign = v < 0 ? 0x8000 : 0;
    v = std::abs (v);
    if (v == 0)
      return sign;
    int exponent = 0;
    const float mantissa = std::frexp (v, &exponent); // in [1/2, 1)
    return static_cast<uint16_t> (sign | ((exponent + 14) << 10) | (static_cast<int> (mantissa * 2048) - 1024));
  }

  std::vector<std::vector<float>> run (int64_t rows) const
  {
    const auto pixels = static_cast<size_t> (job.roi.width * job.roi.height);
    std::vector<std::vector<float>> slices (static_cast<size_t> (rows), std::vector<float> (pixels, NAN));
    std::vector<float *> pointers;
    for (auto &slice : slices)
      pointers.push_back (slice.data ());
    const std::unique_ptr<std::byte, decltype (&std::free)> scratch (
        static_cast<std::byte *> (std::aligned_alloc (64, scratch_size (job.lanes))), std::free);
    memset (scratch.get (), 0xff, scratch_size (job.lanes)); // NaN: nothing may rely on what is there
    const TileGrid grid (job.roi);
    for (int64_t i = 0; i < grid.count (); i++)
      back_project_tile (job, grid.x (i), grid.y (i), pointers, scratch.get ());
    return slices;
  }
};

void round_for_half (NoiseScan &scan)
{
  for (auto &v : scan.values)
    v = std::round (v * 512) / 512;
}

void check (const NoiseScan &scan, const Stack &stack)
{
  const auto &job = stack.job;
  const auto slices = stack.run (scan.rows);
  RelativeError error;
  for (int64_t row = 0; row < scan.rows; row++)
    for (int64_t y = 0; y < job.roi.height; y++)
      for (int64_t x = 0; x < job.roi.width; x++) {
        const auto i = job.roi.x + x, j = job.roi.y + y;
        const double got = slices[static_cast<size_t> (row)][static_cast<size_t> (y * job.roi.width + x)];
        if (job.mask && !scan.in_circle (i, j))
          g_assert_cmpfloat (got, ==, 0);
        else
          error.add (got, job.nearest ? scan.nearest (row, i, j) : scan.linear (row, i, j));
      }
  g_test_message ("%s, %d lanes%s%s, width %d: %.2g", instruction_set (), job.lanes, job.half ? ", half" : "",
                  job.nearest ? ", nearest" : "", static_cast<int> (job.size), error.value ());
  g_assert_cmpfloat (error.value (), <, job.nearest ? 2e-7 : 5e-7);
  g_assert_cmpfloat (error.share_counted (), >, 0.7);
}

// Everything at once at small and odd sizes.
void test_definition ()
{
  for_each_target ([] {
    for (const int lanes : lane_counts)
      for (const bool half : {false, true})
        for (const bool nearest : {false, true}) {
          const int64_t rows = lanes == 1 ? 1 : std::min (lanes, 17) - lanes / 8;
          for (const int64_t width : {1, 64, 83}) {
            NoiseScan scan (rows, 23, width, static_cast<unsigned> (lanes + width));
            for (auto &w : scan.weights)
              w *= 1 + 0.1 * static_cast<double> (&w - scan.weights.data ());
            if (half)
              round_for_half (scan);
            check (scan, {scan, lanes, half, nearest, nearest, {0, 0, width, width}});
          }
        }
  });
}

// The axis where no bin, few bins or another bin for each projection is seen.
void test_axis ()
{
  for_each_target ([] {
    for (const int lanes : {1, 8, 16})
      for (const double axis : {-20.0, 0.0, 0.5, 63.999, 64.0, 90.25}) {
        NoiseScan scan (2 - (lanes == 1), 17, 64);
        for (size_t k = 0; k < scan.axis.size (); k++)
          scan.axis[k] = axis + 0.37 * static_cast<double> (k);
        check (scan, {scan, lanes, false, false, false, {0, 0, 64, 64}});
      }
    NoiseScan scan (1, 5, 64);
    for (const double axis : {-1e300, -500.0, 600.0, 1e300}) {
      scan.axis.assign (5, axis);
      const auto slices = Stack (scan, 8, false, false, false, {0, 0, 64, 64}).run (1);
      for (const float v : slices[0])
        g_assert_cmpfloat (v, ==, 0);
    }
  });
}

// A width at which windows come from the array itself, and exact angles, where positions fall on bins exactly.
void test_wide ()
{
  for_each_target ([] {
    for (const int lanes : {1, 16}) {
      NoiseScan scan (lanes == 1 ? 1 : 3, 40, 250);
      for (size_t k = 0; k < 8; k++)
        scan.angles[k] = static_cast<double> (k) * std::numbers::pi / 4;
      check (scan, {scan, lanes, false, false, true, {0, 0, 250, 250}});
    }
  });
}

// The bits of a pixel depend neither on the region nor on the lane nor on the number of lanes.
void test_bits ()
{
  constexpr int64_t width = 150;
  const NoiseScan scan (7, 37, width);
  const Roi roi{13, 65, 71, 38};
  for_each_target ([&] {
    for (const bool nearest : {false, true}) {
      const auto full = Stack (scan, 8, false, nearest, false, {0, 0, width, width}).run (7);
      const auto other = Stack (scan, 32, false, nearest, false, {0, 0, width, width}).run (7);
      const auto single = Stack (scan, 1, false, nearest, false, {0, 0, width, width}).run (1);
      g_assert_true (full[0] == single[0]);
      const auto part = Stack (scan, 16, false, nearest, true, roi).run (7);
      for (size_t row = 0; row < 7; row++) {
        g_assert_true (full[row] == other[row]);
        for (int64_t y = 0; y < roi.height; y++)
          for (int64_t x = 0; x < roi.width; x++)
            if (scan.in_circle (roi.x + x, roi.y + y))
              g_assert_true (part[row][static_cast<size_t> (y * roi.width + x)] ==
                             full[row][static_cast<size_t> ((roi.y + y) * width + roi.x + x)]);
      }
    }
  });
}

} // namespace

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/back-project/kernels/definition", test_definition);
  g_test_add_func ("/back-project/kernels/axis", test_axis);
  g_test_add_func ("/back-project/kernels/wide", test_wide);
  g_test_add_func ("/back-project/kernels/bits", test_bits);
  return g_test_run ();
}
