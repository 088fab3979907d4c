// SPDX-License-Identifier: LGPL-3.0-or-later
// The node on the native device against the sum that it stands for.
//
// Noise has as much of the highest frequencies, where gridding errs most, as of all others: relative errors are several
// times those of objects, which tests/graphs/fourier.py holds to what `accuracy` says. 1e-3 with accuracy=5e-5 is far
// below what any mistake in geometry, weights or filters gives.
#include "kernels/fourier-reconstruct/kaiser-bessel.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "tests/filters/fourier-reconstruct/truth.hpp"
#include "tests/support/expect.hpp"
#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>

namespace sino::test::fourier_reconstruct_test {

namespace {

constexpr double tolerance = 1e-3;

double sinc (double x)
{
  return x == 0 ? 1 : std::sin (std::numbers::pi * x) / (std::numbers::pi * x);
}
double usual_window (double x)
{
  return std::pow (sinc (x / 2), 1.5);
}

Array fourier_of (const Array &scan, Properties properties = {}, Cut cut = {})
{
  if (std::none_of (properties.begin (), properties.end (), [] (const auto &p) { return p.first == "accuracy"; }))
    properties.emplace_back ("accuracy", "0.00005");
  properties.insert (properties.begin (), {"weights", "uniform"}); // angles of noise are uneven
  const auto task = make_task ("fourier-reconstruct", properties);
  return run_task (*task, {&scan}, cut);
}

double usual_error (const NoiseScan &scan, const Array &array, const Properties &properties = {}, Cut cut = {})
{
  return error_of (fourier_of (array, properties, cut), FourierTruth (scan, 2 * scan.columns, usual_window));
}

// Every length, against the definition in double.
void test_transforms ()
{
  const auto lanes = static_cast<size_t> (fourier_reconstruct::stack_lanes ());
  for (int64_t n = fourier_reconstruct::good_length (1); n > 0 && n <= 4096;
       n = fourier_reconstruct::good_length (n + 1)) {
    const fourier_reconstruct::LaneFft fft (n);
    const auto floats = static_cast<size_t> (n) * lanes;
    const auto in = hwy::AllocateAligned<float> (floats), out = hwy::AllocateAligned<float> (floats);
    const auto scratch = hwy::AllocateAligned<float> (static_cast<size_t> (fft.scratch ()) * lanes);
    const NoiseScan noise (1, 1, static_cast<int64_t> (floats), static_cast<unsigned> (n));
    for (size_t i = 0; i < floats; i++)
      in[i] = static_cast<float> (noise.values[i]);
    fourier_reconstruct::transform (fft, in.get (), out.get (), scratch.get ());
    RelativeError error;
    for (const int64_t k : {int64_t{0}, int64_t{1}, n / 3, n / 2, n - 1})
      for (size_t pair = 0; pair < lanes / 2; pair++) {
        std::complex<double> sum = 0;
        for (int64_t j = 0; j < n; j++) {
          const auto at = static_cast<size_t> (j) * lanes + 2 * pair;
          sum += std::complex<double> (noise.values[at], noise.values[at + 1]) *
                 std::polar (1., 2 * std::numbers::pi * static_cast<double> (j * k % n) / static_cast<double> (n));
        }
        const auto at = static_cast<size_t> (k) * lanes + 2 * pair;
        error.add (out[at], sum.real ());
        error.add (out[at + 1], sum.imag ());
      }
    g_assert_cmpfloat (error.value (), <, 5e-7); // a few roundings of 6e-8
  }
}

void test_kaiser_bessel ()
{
  for (const int width : {4, 5, 6}) {
    const fourier_reconstruct::KaiserBessel phi (width, 1.25);
    double sum = 0;
    for (int t = 0; t < width; t++)
      for (int i = 0; i < 100; i++) { // even, and falling off from the middle
        const double f = (i + 0.5) / 100;
        g_assert_cmpfloat_with_epsilon (phi.at (t, f), phi.at (width - 1 - t, 1 - f), 2e-6);
        sum += phi.at (t, f) / 100;
      }
    g_assert_cmpfloat_with_epsilon (phi.transform (0), sum, 1e-4); // the integral, by the midpoint rule
    g_assert_cmpfloat_with_epsilon (phi.at (width / 2, width % 2 ? 0.5 : 0), 1, 1e-5);
    g_assert_cmpfloat (std::abs (phi.transform (1)), <, 2e-3 * phi.transform (0)); // what an alias of the centre keeps
  }
}

// The centre of small grids is all of the grid.
void test_small_grids ()
{
  const std::vector<fourier_reconstruct::Ray> rays{{1, 0, 0, 1}};
  for (const int64_t size : {1, 16, 51, 52, 100, 103})
    for (const int width : {4, 5, 6}) {
      const fourier_reconstruct::StackPlan stack ({.size = size,
                                                   .rays = rays,
                                                   .filter = {ramp_filter::Window::ram_lak, 1, 2, 1, 1},
                                                   .edge = false,
                                                   .width = width,
                                                   .mask = false,
                                                   .roi = {0, 0, size, size}});
      g_assert_cmpint (stack.centre_size % 2, ==, 1);
      g_assert_cmpint (stack.centre_size, <=, stack.gridding.grid + 2 * fourier_reconstruct::margin);
    }
}

void test_sizes ()
{
  struct Case {
    int64_t rows, projections, columns;
  };
  for (const auto &[rows, projections, columns] :
       {Case{1, 7, 16}, Case{2, 5, 1}, Case{2, 5, 2}, Case{3, 5, 7}, Case{2, 9, 33}, Case{3, 30, 64}, Case{5, 11, 65},
        Case{17, 8, 40}, Case{33, 7, 24}}) {
    const NoiseScan scan (rows, projections, columns, static_cast<unsigned> (rows));
    g_assert_cmpfloat (usual_error (scan, to_array (scan)), <, tolerance);
  }
}

// The lengths of vectors decide how many slices are made at once.
void test_instruction_sets ()
{
  const NoiseScan scan (5, 12, 48);
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    if (fourier_reconstruct::stack_lanes () > 0) {
      g_test_message ("%s, %d lanes", hwy::TargetName (target), fourier_reconstruct::stack_lanes ());
      for (const char *accuracy : {"0.001", "0.0002", "0.00005"}) {
        const auto error = usual_error (scan, to_array (scan), {{"accuracy", accuracy}});
        g_assert_cmpfloat (error, <, 10 * g_ascii_strtod (accuracy, nullptr));
      }
      g_assert_cmpfloat (usual_error (scan, to_array (scan), {{"precision", "half-storage"}}), <, tolerance);
    }
    hwy::SetSupportedTargetsForTest (0);
  }
}

// Streams may bring any number of lanes.
void test_lanes ()
{
  const NoiseScan scan (9, 8, 30);
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    g_assert_cmpfloat (usual_error (scan, to_array (scan), {}, {.lanes = lanes}), <, tolerance);
}

void test_windows ()
{
  const NoiseScan scan (2, 9, 48);
  const auto array = to_array (scan);
  const auto check = [&] (const Properties &properties, const std::function<double (double)> &window) {
    g_assert_cmpfloat (error_of (fourier_of (array, properties), FourierTruth (scan, 96, window)), <, tolerance);
  };
  check ({{"window", "ram-lak"}}, [] (double) { return 1; });
  check ({{"window", "sinc"}, {"power", "2"}}, [] (double x) { return std::pow (sinc (x / 2), 2); });
  check ({{"window", "hann"}, {"cutoff", "0.7"}},
         [] (double x) { return x > 0.7 ? 0 : 0.5 + 0.5 * std::cos (std::numbers::pi * x / 0.7); });
  check ({{"window", "butterworth"}, {"cutoff", "0.5"}, {"order", "3"}},
         [] (double x) { return 1 / (1 + std::pow (2 * x, 6)); });
}

void test_not_filtered ()
{
  // The sum of rows as they are: their low frequencies are what gridding is best at.
  const NoiseScan scan (2, 9, 48);
  const auto slices = fourier_of (to_array (scan), {{"window", "none"}});
  RelativeError error;
  for (int64_t row = 0; row < 2; row++)
    for (int64_t j = 0; j < 48; j++)
      for (int64_t i = 0; i < 48; i++)
        if (scan.in_circle (i, j)) {
          double sum = 0;
          for (int64_t k = 0; k < 9; k++) { // band-limited interpolation of rows that are 0 beside the detector
            const double at = scan.seen_at (k, i, j) - 0.5;
            for (int64_t u = 0; u < 48; u++) {
              const double distance = at - static_cast<double> (u), angle = std::numbers::pi * distance / 128;
              const double bell =
                  std::abs (distance) < 1e-9 ? 1 : std::sin (std::numbers::pi * distance) / (128 * std::tan (angle));
              sum += scan.weights[static_cast<size_t> (k)] * bell * scan.value (row, k, u);
            }
          }
          error.add (slices.as<float> ()[(row * 48 + j) * 48 + i], sum);
        }
  g_assert_cmpfloat (error.value (), <, tolerance);
}

void test_padding ()
{
  const NoiseScan scan (2, 9, 50);
  g_assert_cmpfloat (
      error_of (fourier_of (to_array (scan), {{"padding-mode", "edge"}}), FourierTruth (scan, 100, usual_window, true)),
      <, tolerance);
}

void test_axis ()
{
  NoiseScan scan (2, 9, 64);
  const auto plain = to_array (scan);
  scan.axis.assign (9, 42.75); // a third of the width from the middle
  g_assert_cmpfloat (error_of (fourier_of (plain, {{"axis", "42.75"}}), FourierTruth (scan, 128, usual_window)), <,
                     tolerance);
  auto moved = plain;
  auto geometry = *plain.format.geometry;
  for (size_t k = 0; k < 9; k++)
    scan.axis[k] = 28.3 + static_cast<double> (k);
  geometry.axis = scan.axis;
  moved.format.geometry = std::make_shared<Geometry> (geometry);
  g_assert_cmpfloat (error_of (fourier_of (moved), FourierTruth (scan, 128, usual_window)), <, tolerance);

  // Far outside the detector: the padding grows, so that no ray meets the row's next period.
  scan.axis.assign (9, 105);
  const double least = 104.5 + 64 / std::numbers::sqrt2 + 1;
  g_assert_cmpfloat (error_of (fourier_of (plain, {{"axis", "105"}}),
                               FourierTruth (scan, static_cast<int64_t> (least) + 1, usual_window)),
                     <, tolerance);
}

void test_weights ()
{
  NoiseScan scan (1, 6, 40);
  const double degrees[] = {0, 10, 50, 200, -30, 90};
  const double shares[] = {20, 10, 35, 20, 45, 50};
  for (size_t k = 0; k < 6; k++) {
    scan.angles[k] = degrees[k] * std::numbers::pi / 180;
    scan.weights[k] = shares[k] * std::numbers::pi / 180;
  }
  const auto array = to_array (scan);
  g_assert_cmpfloat (usual_error (scan, array, {{"weights", "spacing"}}), <, tolerance);
  for (auto &angle : scan.angles)
    angle += std::numbers::pi / 3;
  g_assert_cmpfloat (usual_error (scan, array, {{"weights", "spacing"}, {"angle-offset", "60"}}), <, tolerance);
}

// All rays in one sector, and in two that are neighbours.
void test_directions ()
{
  for (const double first : {0.3, -0.02}) {
    NoiseScan scan (2, 70, 64);
    for (size_t k = 0; k < 70; k++)
      scan.angles[k] = first + 0.0005 * static_cast<double> (k) + (k % 2 ? std::numbers::pi : 0);
    g_assert_cmpfloat (usual_error (scan, to_array (scan)), <, tolerance);
  }
}

// Slices that share complex values stay apart: also of terms right on a cell, as the mean of a row is, and all terms of
// rays along x and y. Rounding to single precision leaves 1e-7 of the other.
void test_pairs ()
{
  NoiseScan scan (2, 60, 100);
  for (size_t k = 0; k < 60; k++)
    scan.angles[k] = std::numbers::pi * static_cast<double> (k) / 60;
  for (size_t i = 0; i < scan.values.size (); i++)
    scan.values[i] = i < 6000 ? 10 + scan.values[i] : 0;
  for (const char *accuracy : {"0.001", "0.0002", "0.00005"}) {
    const auto slices = fourier_of (to_array (scan), {{"accuracy", accuracy}});
    float full = 0, empty = 0;
    for (int64_t i = 0; i < 10000; i++) {
      full = std::max (full, std::abs (slices.as<float> ()[i]));
      empty = std::max (empty, std::abs (slices.as<float> ()[10000 + i]));
    }
    g_assert_cmpfloat (empty, <, 2e-6 * full);
  }
}

void test_not_finite ()
{
  const NoiseScan scan (4, 9, 40);
  const auto right = fourier_of (to_array (scan), {{"mask", "true"}});
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    auto array = to_array (scan);
    array.as<float> ()[(2 * 9 + 5) * 40 + 17] = bad;
    const auto got = fourier_of (array, {{"mask", "true"}});
    for (int64_t i = 0; i < 4 * 40 * 40; i++) {
      const auto value = got.as<float> ()[i];
      if (i / 1600 < 2)
        g_assert_cmpfloat (value, ==, right.as<float> ()[i]);
      else if (i / 1600 == 3) // but for the rounding of what the other of the pair was
        g_assert_cmpfloat_with_epsilon (value, right.as<float> ()[i], 2e-6);
      else if (scan.in_circle (i % 40, i / 40 % 40))
        g_assert_true (std::isnan (value));
      else
        g_assert_cmpfloat (value, ==, 0);
    }
  }
}

void test_region ()
{
  const NoiseScan scan (3, 9, 61);
  const auto array = to_array (scan);
  const auto whole = fourier_of (array);
  const auto part = fourier_of (array, {{"roi-x", "17"}, {"roi-y", "30"}, {"roi-width", "41"}, {"roi-height", "9"}});
  same (part.format.describe (), "f32 slices (z 3, y 9, x 41)");
  for (int64_t z = 0; z < 3; z++)
    for (int64_t y = 0; y < 9; y++)
      g_assert_cmpmem (part.as<float> () + (z * 9 + y) * 41, 41 * sizeof (float),
                       whole.as<float> () + (z * 61 + y + 30) * 61 + 17, 41 * sizeof (float));
  const FourierTruth truth (scan, 122, usual_window);
  g_assert_cmpfloat (error_of (fourier_of (array, {{"mask", "true"}}), truth, true), <, tolerance);
}

void test_cut ()
{
  const NoiseScan scan (19, 41, 90);
  const auto array = to_array (scan);
  const auto whole = fourier_of (array);
  for (const Cut &cut : {Cut{16, 0, 1}, Cut{5, 0, 2}, Cut{1, 0, 2}, Cut{0, 0, 1}, Cut{0, 0, 3}})
    g_assert_true (fourier_of (array, {}, cut).bytes == whole.bytes);
}

// Several stacks under way, with more threads than processors, too.
void test_threads ()
{
  const NoiseScan scan (70, 41, 90);
  const auto array = to_array (scan);
  const auto single = fourier_of (array, {}, {.threads = 1});
  for (const int threads : {2, 3, 8, 24})
    for (const int64_t rows : {0, 21})
      g_assert_true (fourier_of (array, {}, {.rows = rows, .threads = threads}).bytes == single.bytes);
  g_assert_cmpint (fourier_reconstruct::stacks_at_once (16, 2), ==, 1);
  g_assert_cmpint (fourier_reconstruct::stacks_at_once (16, 3), ==, 2);
  g_assert_cmpint (fourier_reconstruct::stacks_at_once (16, 8), ==, 3);
  g_assert_cmpint (fourier_reconstruct::stacks_at_once (32, 16), ==, 3);
  g_assert_cmpint (fourier_reconstruct::stacks_at_once (16, 24), ==, 6);
}

void test_errors ()
{
  const NoiseScan scan (2, 9, 64);
  const auto array = to_array (scan);
  const auto message = [] (const Array &in, const Properties &properties) {
    return message_of ([&] { fourier_of (in, properties); });
  };
  auto wrong = array;
  wrong.format.element = Element::f16;
  same (message (wrong, {}),
        "wants f32 values, got f16 sinograms (row 2, angle 9, column 64): leave out 'half-pack', or put it after this "
        "node");
  wrong.format.element = Element::u16;
  same (
      message (wrong, {}),
      "wants f32 values, got u16 sinograms (row 2, angle 9, column 64): put 'flat-field' before it, which turns counts "
      "into attenuation");
  wrong = array;
  wrong.format.filtered_by = "ramp-filter";
  same (message (wrong, {}),
        "filters rows itself, but 'ramp-filter' has filtered them already: leave out that node, or set window=none");
  same (message (wrong, {{"window", "none"}}), "(no error)");
  same (message (array, {{"roi-x", "64"}}), "roi-x=64 is outside the slice of 64 x 64 pixels");
  for (const auto &[axis, shown] : {std::pair ("1e6", "1e+06"), {"1e19", "1e+19"}, {"-1e300", "-1e+300"}})
    same (message (array, {{"axis", axis}}), text ("no part of the slices is on the detector in any projection: the "
                                                   "axis, at column %s, is too far from columns 0 to 64",
                                                   shown));
  auto wide = array;
  wide.format.axes[2].extent = 14000;
  const auto task = make_task ("fourier-reconstruct");
  const Format *formats[] = {&wide.format};
  same (message_of ([&] { task->negotiate (formats); }),
        "rows of 14000 columns need transforms of 17500 values with this axis, but at most 16384 are possible: use "
        "back-project");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (fourier_reconstruct::stack_lanes () == 0) {
    g_print ("1..0 # SKIP no vectors here\n");
    return 0;
  }
  g_test_add_func ("/fourier-reconstruct/transforms", test_transforms);
  g_test_add_func ("/fourier-reconstruct/kaiser-bessel", test_kaiser_bessel);
  g_test_add_func ("/fourier-reconstruct/small-grids", test_small_grids);
  g_test_add_func ("/fourier-reconstruct/sizes", test_sizes);
  g_test_add_func ("/fourier-reconstruct/instruction-sets", test_instruction_sets);
  g_test_add_func ("/fourier-reconstruct/lanes", test_lanes);
  g_test_add_func ("/fourier-reconstruct/windows", test_windows);
  g_test_add_func ("/fourier-reconstruct/not-filtered", test_not_filtered);
  g_test_add_func ("/fourier-reconstruct/padding", test_padding);
  g_test_add_func ("/fourier-reconstruct/axis", test_axis);
  g_test_add_func ("/fourier-reconstruct/weights", test_weights);
  g_test_add_func ("/fourier-reconstruct/directions", test_directions);
  g_test_add_func ("/fourier-reconstruct/pairs", test_pairs);
  g_test_add_func ("/fourier-reconstruct/not-finite", test_not_finite);
  g_test_add_func ("/fourier-reconstruct/region", test_region);
  g_test_add_func ("/fourier-reconstruct/cut", test_cut);
  g_test_add_func ("/fourier-reconstruct/threads", test_threads);
  g_test_add_func ("/fourier-reconstruct/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::fourier_reconstruct_test
