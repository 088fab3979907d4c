// SPDX-License-Identifier: LGPL-3.0-or-later
// One slice alone, with every instruction set, against the sum that it stands for, and against fourier-reconstruct.
//
// Noise has as much of the highest frequencies, where gridding errs most, as of all others: relative errors are several
// times those of objects. The tolerance is still far below what any mistake in geometry, weights or filters gives.
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "kernels/single-slice/slice.hpp"
#include "tests/filters/fourier-reconstruct/truth.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/instruction-sets.hpp"

namespace sino::test::single_slice_test {

using fourier_reconstruct::Filter;
using ramp_filter::Window;
using single_slice::Problem;
using single_slice::Slice;
using single_slice::View;

namespace {

constexpr double tolerance = 1e-3, rounding = 2e-5;
constexpr Filter ram_lak{Window::ram_lak, 1, 2, 1, 1};

double whole (double)
{
  return 1;
}

// What level L does to a frequency, in units of Nyquist's: the mean of 2^L pixels along it, up to what pixels can show.
double of_level (int level, double frequency)
{
  const int step = 1 << level;
  double mean = 0;
  for (int i = 0; i < step; i++)
    mean += std::cos (std::numbers::pi * frequency * (i - 0.5 * (step - 1))) / step;
  const double over = frequency * step - 1;
  return level == 0 ? 1 : over > 1e-9 ? 0 : over > -1e-9 ? mean / 2 : mean;
}

Problem problem_of (const NoiseScan &scan)
{
  Problem problem{.columns = scan.columns, .rays = {}};
  for (size_t k = 0; k < scan.angles.size (); k++)
    problem.rays.push_back ({std::cos (scan.angles[k]), std::sin (scan.angles[k]), scan.axis[k] - 0.5,
                             static_cast<float> (scan.weights[k])});
  return problem;
}

std::vector<float> values_of (const NoiseScan &scan)
{
  std::vector<float> values;
  for (const auto value : scan.values)
    values.push_back (static_cast<float> (value));
  return values;
}

// A scan with its slice.
struct Case {
  Monitor monitor;
  Cpu cpu;
  const Problem problem;
  Slice slice;

  explicit Case (const NoiseScan &scan, bool edge = false, int threads = 1)
      : Case (problem_of (scan), edge, threads, values_of (scan))
  {
  }
  Case (Problem p, bool edge, int threads, const std::vector<float> &values)
      : cpu (threads, monitor), problem{p.columns, std::move (p.rays), edge}, slice (problem, cpu)
  {
    broken = slice.take (values.data ());
  }

  std::vector<float> make (const View &view)
  {
    const auto size = slice.size (view.level);
    std::vector<float> pixels (static_cast<size_t> (size * size), NAN);
    slice.make (view, pixels.data ());
    return pixels;
  }
  int64_t broken;
};

double error_of (const std::vector<float> &pixels, const NoiseScan &scan, const FourierTruth &truth, int level = 0)
{
  const auto step = int64_t{1} << level, size = (scan.columns + step - 1) / step;
  RelativeError error;
  for (int64_t j = 0; j < size; j++)
    for (int64_t i = 0; i < size; i++) {
      const auto place = [&] (int64_t pixel) {
        return static_cast<double> (step) * (static_cast<double> (pixel) + 0.5) -
               static_cast<double> (scan.columns) / 2;
      };
      if (size < 4 || scan.in_circle (i * step + step / 2, j * step + step / 2))
        error.add (static_cast<double> (pixels[static_cast<size_t> (j * size + i)]),
                   truth.place (0, place (i), place (j)));
    }
  g_test_message ("%ld columns, %ld projections, level %d: %.2g", static_cast<long> (scan.columns),
                  static_cast<long> (scan.projections ()), level, error.value ());
  return error.value ();
}

void for_each_vectors (const std::function<void ()> &body)
{
  for_each_set ([&] {
    if (single_slice::vector_lanes () > 0)
      body ();
  });
}

void test_sizes ()
{
  for_each_vectors ([] {
    for (const auto &[columns, projections] :
         {std::pair{1, 5}, {2, 5}, {7, 5}, {16, 7}, {33, 40}, {64, 33}, {65, 11}, {100, 17}}) {
      const NoiseScan scan (1, projections, columns, static_cast<unsigned> (columns));
      Case one (scan);
      g_assert_cmpfloat (error_of (one.make ({ram_lak}), scan, FourierTruth (scan, 2 * columns, whole)), <, tolerance);
    }
  });
}

void test_levels ()
{
  for (const int64_t columns : {64, 75, 97}) {
    const NoiseScan scan (1, 20, columns);
    Case one (scan);
    for (const int level : {0, 3, 1, 2, 0}) {
      const FourierTruth truth (scan, 2 * columns, [&] (double x) { return of_level (level, x); });
      g_assert_cmpfloat (error_of (one.make ({.filter = ram_lak, .level = level}), scan, truth, level), <, tolerance);
    }
  }
}

// What has only low frequencies looks the same at each level.
void test_levels_are_means ()
{
  constexpr int64_t n = 96;
  const NoiseScan scan (1, 20, n);
  Case one (scan);
  const Filter low{Window::hann, 0.2, 2, 1, 1};
  const auto fine = one.make ({low}), coarse = one.make ({.filter = low, .level = 1});
  RelativeError error;
  for (size_t j = 0; j < n / 2; j++)
    for (size_t i = 0; i < n / 2; i++) {
      const auto *corner = &fine[2 * j * n + 2 * i];
      const auto mean = (corner[0] + corner[1] + corner[n] + corner[n + 1]) / 4;
      error.add (static_cast<double> (coarse[j * n / 2 + i]), static_cast<double> (mean));
    }
  g_assert_cmpfloat (error.value (), <, tolerance);
}

void test_angles ()
{
  for (const double turns : {0.5, 1.0})
    for (const bool rising : {false, true}) {
      NoiseScan scan (1, 24, 50); // with rays along x and y
      for (size_t k = 0; k < 24; k++)
        scan.angles[k] = (rising ? 2 : -2) * std::numbers::pi * turns * static_cast<double> (k) / 24;
      for (size_t k = 0; k < 24; k++)
        scan.weights[k] *= 1 + 0.1 * static_cast<double> (k % 5);
      Case one (scan);
      g_assert_cmpfloat (error_of (one.make ({ram_lak}), scan, FourierTruth (scan, 100, whole)), <, tolerance);
    }
}

void test_filters ()
{
  const NoiseScan scan (1, 9, 48);
  Case one (scan);
  const auto check = [&] (const Filter &filter, const std::function<double (double)> &window) {
    g_assert_cmpfloat (error_of (one.make ({filter}), scan, FourierTruth (scan, 96, window)), <, tolerance);
  };
  for (const auto window : {Window::ram_lak, Window::shepp_logan, Window::cosine, Window::hann, Window::hamming,
                            Window::butterworth, Window::parzen, Window::sinc})
    for (const double cutoff : {1.0, 0.7})
      check ({window, cutoff, 3, 1.5, 2},
             [&] (double x) { return ramp_filter::window_at (window, x, cutoff, 3, 1.5) / 2; });
  const ramp_filter::Ramp ramp (128); // the truth's rows are filtered
  check ({Window::none, 1, 2, 1, 2}, [&] (double x) { return 1 / ramp.at (std::lround (64 * x)); });
}

void test_axis ()
{
  NoiseScan scan (1, 9, 64);
  Case one (scan);
  const auto before = one.make ({ram_lak});
  for (const double axis : {42.75, 3.0, 78.0}) {
    scan.axis.assign (9, axis);
    g_assert_cmpfloat (
        error_of (one.make ({.filter = ram_lak, .shift = axis - 32}), scan, FourierTruth (scan, 128, whole)), <,
        tolerance);
  }
  g_assert_true (one.make ({ram_lak}) == before);
  for (const double shift : {51.0, -51.0}) {
    const auto text = message_of ([&] { one.make ({.filter = ram_lak, .shift = shift}); });
    g_assert_cmpstr (text.c_str (), ==,
                     "the axis lies too far outside of the detector for this picture: it must lie less than 0.29 times "
                     "the detector's width beyond its ends");
  }
  for (size_t k = 0; k < 9; k++)
    scan.axis[k] = 28.3 + static_cast<double> (k);
  Case several (scan);
  g_assert_cmpfloat (error_of (several.make ({ram_lak}), scan, FourierTruth (scan, 128, whole)), <, tolerance);
}

void test_padding ()
{
  const NoiseScan scan (1, 9, 50);
  Case one (scan, true);
  g_assert_cmpfloat (error_of (one.make ({ram_lak}), scan, FourierTruth (scan, 100, whole, true)), <, tolerance);
}

void test_not_finite ()
{
  NoiseScan scan (1, 21, 40);
  const auto problem = problem_of (scan);
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    auto values = values_of (scan);
    values[7 * 40 + 39] = values[20 * 40] = bad;
    Case one (problem, false, 1, values);
    g_assert_cmpint (one.broken, ==, 2);
    std::fill_n (&values[7 * 40], 40, 0.0F);
    std::fill_n (&values[20 * 40], 40, 0.0F);
    Case other (problem, false, 1, values);
    g_assert_cmpint (other.broken, ==, 0);
    g_assert_true (one.make ({ram_lak}) == other.make ({ram_lak}));
  }
}

void test_threads ()
{
  const NoiseScan scan (1, 41, 300);
  Case single (scan);
  for (const int threads : {2, 3, 8}) {
    Case several (scan, false, threads);
    for (int level = 0; level <= single_slice::last_level; level++)
      g_assert_true (several.make ({.filter = ram_lak, .level = level}) ==
                     single.make ({.filter = ram_lak, .level = level}));
  }
}

// Vectors of other lengths round alike but for what is fused.
void test_instruction_sets ()
{
  const NoiseScan scan (1, 41, 90);
  Case usual (scan);
  const auto wanted = usual.make ({ram_lak});
  for_each_vectors ([&] {
    Case other (scan);
    const auto got = other.make ({ram_lak});
    RelativeError error;
    for (size_t i = 0; i < got.size (); i++)
      error.add (static_cast<double> (got[i]), static_cast<double> (wanted[i]));
    g_assert_cmpfloat (error.value (), <, rounding);
  });
}

// The slice of the most accurate fourier-reconstruct.
std::vector<float> usual_slice (const NoiseScan &scan, const Problem &problem)
{
  const Monitor monitor;
  const Cpu cpu (1, monitor);
  const auto n = scan.columns;
  fourier_reconstruct::StackPlan stack ({.size = n,
                                         .rays = problem.rays,
                                         .filter = ram_lak,
                                         .edge = false,
                                         .width = 6,
                                         .mask = false,
                                         .roi = {0, 0, n, n}});
  stack.gridding.set_filter (ram_lak, [&] (int64_t k, const auto &body) { cpu.parallel (k, 64, body); });
  Bill bill;
  fourier_reconstruct::Reconstructor::memory (stack, bill, bill);
  Allotment memory (bill);
  fourier_reconstruct::Reconstructor reconstructor (stack, memory);
  const auto values = values_of (scan);
  std::vector<float> slice (static_cast<size_t> (n * n));
  float *const pointers[] = {slice.data ()};
  reconstructor.run (cpu, monitor, {values.data (), 1, 1}, pointers);
  return slice;
}

void test_like_stacks ()
{
  for (const int64_t columns : {129, 320}) {
    const NoiseScan scan (1, 150, columns);
    Case one (scan);
    const auto got = one.make ({ram_lak}), wanted = usual_slice (scan, one.problem);
    RelativeError error;
    for (int64_t j = 0; j < columns; j++)
      for (int64_t i = 0; i < columns; i++)
        if (const auto at = static_cast<size_t> (j * columns + i); scan.in_circle (i, j))
          error.add (static_cast<double> (got[at]), static_cast<double> (wanted[at]));
    g_test_message ("%.2g", error.value ());
    g_assert_cmpfloat (error.value (), <, tolerance);
  }
}

// A slice of a large scan needs less than 100 MiB.
void test_memory ()
{
  const Monitor monitor;
  const Cpu cpu (2, monitor);
  const Problem problem{.columns = 2048, .rays = std::vector<fourier_reconstruct::Ray> (1500, {1, 0, 1023.5, 1})};
  g_assert_cmpuint (total (Slice::memory (problem, cpu)), <, size_t{100} << 20);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/single-slice/sizes", test_sizes);
  g_test_add_func ("/single-slice/levels", test_levels);
  g_test_add_func ("/single-slice/levels-are-means", test_levels_are_means);
  g_test_add_func ("/single-slice/angles", test_angles);
  g_test_add_func ("/single-slice/filters", test_filters);
  g_test_add_func ("/single-slice/axis", test_axis);
  g_test_add_func ("/single-slice/padding", test_padding);
  g_test_add_func ("/single-slice/not-finite", test_not_finite);
  g_test_add_func ("/single-slice/threads", test_threads);
  g_test_add_func ("/single-slice/instruction-sets", test_instruction_sets);
  g_test_add_func ("/single-slice/like-stacks", test_like_stacks);
  g_test_add_func ("/single-slice/memory", test_memory);
  return g_test_run ();
}

} // namespace sino::test::single_slice_test
