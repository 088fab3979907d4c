// SPDX-License-Identifier: LGPL-3.0-or-later
// The native kernel against the definition, with every instruction set that this CPU has, all lanes, precisions and
// interpolations.
//
// Tolerance in single precision: positions are rounded to float within 11 bins from the middle of a window, which errs
// by up to 1e-6 of a bin, a fifth of that in the root mean square, and noise changes by 1.7 times its own interpolated
// value from bin to bin: 5e-7. Sums of at most 40 values of float err by 1e-7, which is all that nearest has. Points
// between the bins are rounded to a four times larger position, but change a quarter as much.
#include "tests/filters/back-project/truth.hpp"
#define HWY_WANT_AVX3_DL 1 // as the kernel
#include "base/half.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/stack.hpp"
#include <cstring>
#include <functional>
#include <glib.h>
#include <hwy/targets.h>
#include <map>
#include <memory>

namespace sino::test::back_project_kernels_test {

using namespace back_project;

namespace {

constexpr int lane_counts[] = {1, 2, 4, 8, 16, 32};

// Instruction sets by name; those that the kernel is not built for fall back to another one and are left out.
void for_each_target (const std::function<void ()> &body)
{
  const auto supported = hwy::SupportedTargets ();
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    // Parts that are not built for it take the next best.
    hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
    if (strcmp (instruction_set (), hwy::TargetName (target)) == 0)
      body ();
  }
  hwy::SetSupportedTargetsForTest (0);
}

// A scan laid out for the kernel. The bins end where the memory ends, so that a sanitizer sees any read past them.
struct Case {
  int lanes;
  bool half = false;
  Interpolation interpolation = Interpolation::linear;
  Precision precision = Precision::single;
  bool mask = false;
};

struct StackScan {
  std::unique_ptr<uint16_t[]> halves;
  std::unique_ptr<float[]> floats;
  std::vector<Ray> rays;
  Job job;

  StackScan (const NoiseScan &scan, const Case &kind, Roi roi)
  {
    const auto [lanes, half, interpolation, precision, mask] = kind;
    const auto n = static_cast<size_t> (lanes * scan.projections () * scan.columns);
    halves = std::make_unique<uint16_t[]> (half ? n : 0);
    floats = std::make_unique<float[]> (half ? 0 : n);
    size_t at = 0;
    for (int64_t k = 0; k < scan.projections (); k++)
      for (int64_t c = 0; c < scan.columns; c++)
        for (int lane = 0; lane < lanes; lane++, at++) {
          const auto v = static_cast<float> (lane < scan.rows ? scan.value (lane, k, c) : 0);
          if (half)
            halves[at] = sino::half_from_float (v); // exact
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
           interpolation,
           precision,
           mask,
           roi};
  }

  using Memory = std::unique_ptr<std::byte, decltype (&std::free)>;
  static Memory allocate (size_t n)
  {
    Memory memory (static_cast<std::byte *> (std::aligned_alloc (64, (n + 64) / 64 * 64)), std::free);
    memset (memory.get (), 0xff, n); // NaN: nothing may rely on what is there
    return memory;
  }

  // The slices; `errors`, if given, gets the rounding errors that the kernel expects.
  std::vector<std::vector<float>> run (int64_t rows, std::vector<double> *errors = nullptr) const
  {
    const auto pixels = static_cast<size_t> (job.roi.width * job.roi.height);
    std::vector<std::vector<float>> slices (static_cast<size_t> (rows), std::vector<float> (pixels, NAN));
    std::vector<float *> pointers;
    for (auto &slice : slices)
      pointers.push_back (slice.data ());
    const auto scratch = allocate (scratch_size (job));
    StackProjector stack (job);
    const auto n = job.rays.size ();
    if (stack.measures ()) {
      stack.measure (job.bins, 0, n / 3);
      stack.measure (job.bins, n / 3, n);
      stack.settle ();
    }
    const TileGrid grid (job.roi);
    for (int64_t i = 0; i < grid.count (); i++)
      stack.tile (job.bins, grid.x (i), grid.y (i), pointers, scratch.get ());
    for (int lane = 0; errors && lane < rows; lane++)
      errors->push_back (stack.rounding_error (lane));
    return slices;
  }
};

void round_for_half (NoiseScan &scan)
{
  for (auto &v : scan.values)
    v = std::round (v * 512) / 512;
}

// The scan is noise, in which rounding errors cancel as the values do. A half is rounded by up to 2^-11 of it, 0.37 of
// that in the root mean square. Integers: weights in steps of 1/8192, 0.29 of that in the root mean square, times 1.7.
// Sums in half: each of 16 is rounded as a value is, but is up to 8 times as large as one.
double tolerance (const Job &job)
{
  const auto how = holding (job);
  if (how.sample == Sample::floats && !how.halved)
    return job.interpolation == Interpolation::nearest ? 2e-7 : 5e-7;
  return how.sample == Sample::pairs ? 8e-5 : how.halved ? 2.5e-4 : 2e-3;
}

// A scan and what its definition gives, computed when it is first asked for.
class Truth
{
public:
  NoiseScan scan;

  explicit Truth (NoiseScan s) : scan (std::move (s)) {}

  double at (Interpolation interpolation, int64_t row, int64_t i, int64_t j)
  {
    auto &slices = known[interpolation];
    if (slices.empty ())
      for (int64_t r = 0; r < scan.rows; r++)
        for (int64_t y = 0; y < scan.columns; y++)
          for (int64_t x = 0; x < scan.columns; x++)
            slices.push_back (interpolation == Interpolation::nearest      ? scan.nearest (r, x, y)
                              : interpolation == Interpolation::oversample ? scan.oversampled (r, x, y)
                                                                           : scan.linear (r, x, y));
    return slices[static_cast<size_t> ((row * scan.columns + j) * scan.columns + i)];
  }

private:
  std::map<Interpolation, std::vector<double>> known;
};

// Checks as many slices as there are rows, or the first ones as far as the lanes go.
void check (Truth &truth, const Case &kind, Roi roi)
{
  const auto &scan = truth.scan;
  const StackScan stack (scan, kind, roi);
  const auto &job = stack.job;
  const auto rows = std::min<int64_t> (scan.rows, job.lanes);
  const auto slices = stack.run (rows);
  RelativeError error;
  for (int64_t row = 0; row < rows; row++)
    for (int64_t y = 0; y < job.roi.height; y++)
      for (int64_t x = 0; x < job.roi.width; x++) {
        const auto i = job.roi.x + x, j = job.roi.y + y;
        const double got = slices[static_cast<size_t> (row)][static_cast<size_t> (y * job.roi.width + x)];
        if (job.mask && !scan.in_circle (i, j))
          g_assert_cmpfloat (got, ==, 0);
        else
          error.add (got, truth.at (job.interpolation, row, i, j));
      }
  g_test_message ("%s, %d lanes%s, interpolation %d, precision %d, width %d: %.2g", instruction_set (), job.lanes,
                  job.half ? ", half" : "", static_cast<int> (job.interpolation), static_cast<int> (job.precision),
                  static_cast<int> (job.size), error.value ());
  g_assert_cmpfloat (error.value (), <, tolerance (job));
  g_assert_cmpfloat (error.share_counted (), >, 0.7);
}

constexpr struct {
  Interpolation interpolation;
  Precision precision;
} ways[] = {
    {Interpolation::linear, Precision::single},       {Interpolation::nearest, Precision::single},
    {Interpolation::oversample, Precision::single},   {Interpolation::linear, Precision::int16},
    {Interpolation::nearest, Precision::int16},       {Interpolation::oversample, Precision::int16},
    {Interpolation::linear, Precision::half_storage}, {Interpolation::oversample, Precision::half_storage},
    {Interpolation::linear, Precision::half},
};

// Everything at once at small and odd sizes; of most lanes some have no slice.
void test_definition ()
{
  for (const bool half : {false, true})
    for (const int64_t width : {1, 64, 83}) {
      Truth truth (NoiseScan (13, 23, width, static_cast<unsigned> (width + 4)));
      for (auto &w : truth.scan.weights)
        w *= 1 + 0.1 * static_cast<double> (&w - truth.scan.weights.data ());
      if (half)
        round_for_half (truth.scan);
      for_each_target ([&] {
        for (const int lanes : lane_counts)
          for (const auto &[interpolation, precision] : ways)
            check (truth, {lanes, half, interpolation, precision, interpolation == Interpolation::nearest},
                   {0, 0, width, width});
      });
    }
}

// The axis where no bin, few bins or another bin for each projection is seen.
void test_axis ()
{
  for (const double axis : {-20.0, 0.0, 0.5, 63.999, 64.0, 90.25}) {
    Truth truth (NoiseScan (2, 17, 64));
    for (size_t k = 0; k < truth.scan.axis.size (); k++)
      truth.scan.axis[k] = axis + 0.37 * static_cast<double> (k);
    for_each_target ([&] {
      for (const int lanes : {1, 8, 32})
        for (const auto &[interpolation, precision] : ways)
          check (truth, {lanes, false, interpolation, precision}, {0, 0, 64, 64});
    });
  }
  NoiseScan scan (1, 5, 64);
  for (const double axis : {-1e300, -500.0, 600.0, 1e300}) {
    scan.axis.assign (5, axis);
    for_each_target ([&] {
      for (const auto &[interpolation, precision] : ways)
        for (const int lanes : {1, 8}) {
          const auto slices = StackScan (scan, {lanes, false, interpolation, precision}, {0, 0, 64, 64}).run (1);
          for (const float v : slices[0])
            g_assert_cmpfloat (v, ==, 0);
        }
    });
  }
}

// A width at which windows come from the array itself, and exact angles, where positions fall on bins exactly.
void test_wide ()
{
  Truth truth (NoiseScan (3, 40, 250));
  for (size_t k = 0; k < 8; k++)
    truth.scan.angles[k] = static_cast<double> (k) * std::numbers::pi / 4;
  for_each_target ([&] {
    for (const int lanes : {1, 16, 32})
      for (const auto precision : {Precision::single, Precision::int16, Precision::half_storage})
        check (truth, {lanes, false, Interpolation::linear, precision, true}, {0, 0, 250, 250});
  });
}

// The bits of a pixel depend neither on the region nor on the number of lanes, in memory or with a slice; half
// arithmetic takes 32.
void test_bits ()
{
  constexpr int64_t width = 150;
  const NoiseScan scan (31, 37, width);
  const Roi all{0, 0, width, width}, roi{13, 65, 71, 38};
  for_each_target ([&] {
    for (const auto &[interpolation, precision] : ways) {
      const auto of = [&, i = interpolation, p = precision] (int lanes, int64_t rows, bool mask, const Roi &r) {
        return StackScan (scan, {lanes, false, i, p, mask}, r).run (rows);
      };
      const auto full = of (8, 7, false, all), wide = of (32, 31, false, all);
      for (const auto &[lanes, rows] : {std::pair (16, 7), {16, 16}, {8, 3}, {16, 1}, {32, 7}, {32, 2}, {32, 31}}) {
        const auto slices = of (lanes, rows, false, all);
        const auto &same = precision == Precision::half && lanes < 32 ? full : wide;
        g_assert_true (std::equal (slices.begin (), slices.begin () + std::min (rows, 7), same.begin ()));
      }
      if (precision != Precision::half)
        g_assert_true (std::equal (full.begin (), full.end (), wide.begin ()));
      for (const auto &[lanes, rows, whole] : {std::tuple (8, 7, &full), {32, 31, &wide}, {32, 5, &wide}}) {
        const auto part = of (lanes, rows, true, roi);
        for (size_t row = 0; row < part.size (); row++)
          for (int64_t y = 0; y < roi.height; y++)
            for (int64_t x = 0; x < roi.width; x++)
              if (scan.in_circle (roi.x + x, roi.y + y))
                g_assert_true (part[row][static_cast<size_t> (y * roi.width + x)] ==
                               (*whole)[row][static_cast<size_t> ((roi.y + y) * width + roi.x + x)]);
      }
    }
  });
}

// precision=auto relies on it.
void test_rounding_error ()
{
  constexpr int64_t width = 128;
  for (const double spike : {1.0, 30.0, 3000.0}) {
    Truth truth (NoiseScan (3, 64, width));
    truth.scan.values[width / 2] = spike; // leaves few steps for the rest of row 0, none of the others
    for_each_target ([&] {
      for (const int lanes : {4, 16, 32}) {
        std::vector<double> expected;
        const auto slices =
            StackScan (truth.scan, {lanes, false, Interpolation::linear, Precision::int16}, {0, 0, width, width})
                .run (3, &expected);
        for (int64_t row = 0; row < 3; row++) {
          double error = 0;
          int64_t n = 0;
          for (int64_t y = 0; y < width; y++)
            for (int64_t x = 0; x < width; x++)
              if (truth.scan.in_circle (x, y)) { // beyond, some rays see nothing and err nothing
                const double got = slices[static_cast<size_t> (row)][static_cast<size_t> (y * width + x)];
                error += std::pow (got - truth.at (Interpolation::linear, row, x, y), 2);
                n++;
              }
          const double ratio = std::sqrt (expected[static_cast<size_t> (row)] / (error / static_cast<double> (n)));
          g_test_message ("%s, %d lanes, row %d, spike %g: expected %g of the error", instruction_set (), lanes,
                          static_cast<int> (row), spike, ratio);
          g_assert_cmpfloat (ratio, >, 0.9);
          g_assert_cmpfloat (ratio, <, 1.25);
        }
      }
    });
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/back-project/kernels/definition", test_definition);
  g_test_add_func ("/back-project/kernels/axis", test_axis);
  g_test_add_func ("/back-project/kernels/wide", test_wide);
  g_test_add_func ("/back-project/kernels/bits", test_bits);
  g_test_add_func ("/back-project/kernels/rounding-error", test_rounding_error);
  return g_test_run ();
}

} // namespace sino::test::back_project_kernels_test
