// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtering rows on the first OpenCL device, by clFFT and by transforms of our own: ramp-filter-opencl [small]. With
// `small`, for a simulator, by our own alone: clFFT's kernels compute with what is not there besides. The truth is
// convolution in double with the sampled ramp. Tolerance: a float transform errs by about 1e-7 sqrt (log N) of the root
// mean square of its values, on the way there and back; 1e-6 of the largest value covers that.
#include "device/fft.hpp"
#include "filters/ramp-filter/family.hpp"
#include "kernels/ramp-filter/response.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <cmath>
#include <limits>
#include <locale>
#include <numbers>
#include <random>
#include <thread>

namespace sino::test::ramp_filter_opencl_test {

namespace {

bool small = false;

// Rows of sinograms in any lanes.
struct Lines {
  int64_t rows, angles, width;
  int lanes;

  int64_t groups () const { return (rows + lanes - 1) / lanes; }
  size_t size () const { return static_cast<size_t> (groups () * lanes * angles * width); }
  size_t at (int64_t row, int64_t angle, int64_t column) const
  {
    return static_cast<size_t> (((row / lanes * angles + angle) * width + column) * lanes + row % lanes);
  }
};

float noise (int64_t row, int64_t angle, int64_t column)
{
  std::minstd_rand random (static_cast<unsigned> (row * 7919 + angle * 104729 + column * 31 + 1));
  random.discard (3);
  return std::uniform_real_distribution<float> (-1, 1) (random);
}

std::vector<float> make (const Lines &lines)
{
  std::vector<float> values (lines.size (), 7); // also where there is no row
  for (int64_t r = 0; r < lines.rows; r++)
    for (int64_t a = 0; a < lines.angles; a++)
      for (int64_t c = 0; c < lines.width; c++)
        values[lines.at (r, a, c)] = noise (r, a, c);
  return values;
}

int64_t usual_length (int64_t width)
{
  return Fft::good_even_length (std::max<int64_t> (2 * width, 32));
}

ramp_filter::SpectrumFilter ramp_of (int64_t length)
{
  const ramp_filter::Ramp ramp (length);
  std::vector<double> response;
  for (int64_t k = 0; k <= length / 2; k++)
    response.push_back (ramp.at (k));
  return ramp_filter::spectrum_filter (response);
}

std::vector<float> filtered (const Lines &lines, const std::vector<float> &values, int64_t length, bool edge,
                             bool own = false)
{
  const cl::CommandQueue queue (first_device ().context (), first_device ().device);
  Bill bill;
  const families::Setting setting{&ramp_filter::family ().kernels[0], {{"FFT", own}}};
  const auto problem = ramp_filter::problem_of (length, edge, lines.lanes);
  const auto ramp = ramp_of (length);
  ramp_filter::rows_memory (first_device (), setting, problem, static_cast<int64_t> (lines.size ()) / lines.width,
                            bill);
  Allotment memory (bill);
  const auto rows = ramp_filter::make_rows ({first_device (), setting, problem, lines.width, ramp, memory});
  const auto out = unwritten (queue, lines.size () * sizeof (float));
  rows->enqueue (queue, upload (values), out, lines.rows, lines.angles);
  return download<float> (queue, out, lines.size ());
}

double ramp (int64_t n)
{
  const double x = std::numbers::pi * static_cast<double> (n);
  return n == 0 ? 0.25 : n % 2 ? -1 / (x * x) : 0;
}

// The row lies on a circle of `length` values: half of the others hold its last value or 0, the rest its first or 0.
std::vector<double> truth (const float *row, int64_t width, int64_t length, bool edge)
{
  std::vector<double> factors;
  for (int64_t n = 0; n < length; n++)
    factors.push_back (ramp (n < length / 2 ? n : length - n));
  std::vector<double> sums (static_cast<size_t> (width));
  for (int64_t i = 0; i < width; i++)
    for (int64_t j = 0; j < (edge ? length : width); j++) {
      const auto from = j < width ? j : j < width + (length - width) / 2 ? width - 1 : 0;
      sums[static_cast<size_t> (i)] +=
          static_cast<double> (row[from]) * factors[static_cast<size_t> ((i - j + length) % length)];
    }
  return sums;
}

void check (const Lines &lines, int64_t length, bool edge, bool own = false)
{
  const auto values = make (lines);
  const auto is = filtered (lines, values, length, edge, own);
  std::vector<bool> known (is.size ());
  for (int64_t r = 0; r < lines.rows; r++)
    for (int64_t a = 0; a < lines.angles; a++) {
      std::vector<float> row;
      for (int64_t c = 0; c < lines.width; c++)
        row.push_back (values[lines.at (r, a, c)]);
      const auto should = truth (row.data (), lines.width, length, edge);
      for (int64_t c = 0; c < lines.width; c++) {
        const double value = is[lines.at (r, a, c)];
        known[lines.at (r, a, c)] = true;
        if (!(std::fabs (value - should[static_cast<size_t> (c)]) <= 1e-6))
          g_error ("width %d, length %d, lanes %d: row %d, angle %d, column %d is %.9g, not %.9g",
                   static_cast<int> (lines.width), static_cast<int> (length), lines.lanes, static_cast<int> (r),
                   static_cast<int> (a), static_cast<int> (c), value, should[static_cast<size_t> (c)]);
      }
    }
  for (size_t i = 0; i < is.size (); i++)
    if (!known[i]) // padding
      g_assert_true (is[i] == 0 && !std::signbit (is[i]));
}

void test_convolves ()
{
  size_t number = 0;
  for (const int64_t width : {1, 37, 250, 1000})
    for (const int lanes : {1, 4, 16})
      for (const bool edge : {false, true})
        if (is_drawn (number++, 23))
          check ({lanes == 4 ? 17 : 5, 2, width, lanes}, usual_length (width), edge);
}

// By one kernel, where steps have one radix or several, and groups several rows.
void test_own ()
{
  for (const int64_t width : small ? std::vector<int64_t>{1, 20} : drawn<int64_t> ({1, 37, 1000}, 3))
    check ({5, 2, width, width == 1000 ? 1 : 4}, usual_length (width), width > 20, true);
}

// Lengths that one kernel of clFFT does, and those that it does in several steps with memory between.
void test_lengths ()
{
  for (const auto length : drawn<int64_t> ({320, 8192, 10240}, 8))
    check ({2, 2, 33, 2}, length, false);
}

// The rows that are filtered with a row, in one launch, in several and in lanes, do not change its bits.
void test_bits ()
{
  for (const auto &[length, own] : drawn<std::pair<int64_t, bool>> ({{256, true}, {128, false}, {2048, false}}, 5)) {
    const Lines whole{17, 3, 61, 1};
    const auto together = filtered (whole, make (whole), length, true, own);
    for (const int lanes : drawn<int> ({2, 4, 16}, 2)) {
      const Lines side_by_side{17, 3, 61, lanes};
      const auto is = filtered (side_by_side, make (side_by_side), length, true, own);
      for (int64_t r = 0; r < 17; r++)
        for (int64_t a = 0; a < 3; a++)
          for (int64_t c = 0; c < 61; c++)
            g_assert_true (is[side_by_side.at (r, a, c)] == together[whole.at (r, a, c)]);
    }
    for (const int64_t rows : {1, 2, 16}) {
      const Lines part{rows, 3, 61, 1};
      const auto is = filtered (part, make (part), length, true, own);
      g_assert_cmpmem (is.data (), is.size () * sizeof (float), together.data (), is.size () * sizeof (float));
    }
  }
}

// More rows than are filtered at once; every row is one of a few.
void test_many ()
{
  const Lines few{1, 5, 40, 1}, many{1, 70001, 40, 1};
  const auto values = make (few);
  std::vector<float> repeated;
  for (int64_t a = 0; a < many.angles; a++)
    repeated.insert (repeated.end (), values.begin () + a % 5 * 40, values.begin () + (a % 5 + 1) * 40);
  const auto should = filtered (few, values, 128, false), is = filtered (many, repeated, 128, false);
  for (size_t i = 0; i < is.size (); i++)
    g_assert_true (is[i] == should[i % should.size ()]);
}

void check_broken_values (bool own)
{
  const Lines lines{5, 2, 50, 4};
  const auto sound = make (lines);
  const auto right = filtered (lines, sound, 128, false, own);
  for (const float broken : {std::numeric_limits<float>::quiet_NaN (), std::numeric_limits<float>::infinity ()}) {
    auto values = sound;
    values[lines.at (2, 1, 17)] = broken;
    const auto is = filtered (lines, values, 128, false, own);
    for (int64_t r = 0; r < 5; r++)
      for (int64_t a = 0; a < 2; a++)
        for (int64_t c = 0; c < 50; c++) {
          const auto i = lines.at (r, a, c);
          g_assert_true (r == 2 && a == 1 ? std::isnan (is[i]) : is[i] == right[i]);
        }
  }
}

void test_broken_values_stay_in_their_row ()
{
  check_broken_values (false);
  if (is_drawn (0, 3)) // a program
    check_broken_values (true);
}

// Threads with a filter each, of the same plans and of others, that are baked and dropped meanwhile.
void test_threads ()
{
  const Lines lines{4, 2, thorough () ? 100 : 30, 2};
  const auto values = make (lines);
  const int64_t length = thorough () ? 256 : 64; // other tests build transforms of 64 and 128, too
  const auto expected = filtered (lines, values, length, false), longer = filtered (lines, values, 2 * length, false);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; t++)
    threads.emplace_back ([&, t] {
      for (int i = 0; i < 8; i++) {
        const bool other = (t + i) % 3 == 0;
        wrong += filtered (lines, values, other ? 2 * length : length, false) != (other ? longer : expected);
      }
    });
  for (auto &thread : threads)
    thread.join ();
  g_assert_cmpint (wrong, ==, 0);
}

// Kernels are written anew for a length that was not there before.
void test_comma ()
{
  struct Comma : std::numpunct<char> {
    char do_decimal_point () const override { return ','; }
    char do_thousands_sep () const override { return '.'; }
    std::string do_grouping () const override { return "\3"; }
  };
  const auto before = std::locale::global (std::locale (std::locale (), new Comma));
  const Lines lines{2, 3, thorough () ? 300 : 30, 1};
  const int64_t length = thorough () ? 640 : 64;
  const auto values = make (lines), found = filtered (lines, values, length, false);
  g_assert_true (std::locale () != before); // it is as the program chose it
  std::locale::global (before);
  g_assert_true (found == filtered (lines, values, length, false));
}

// Rows for which only clFFT has transforms are not said to be done by our own.
void test_refusal ()
{
  OpenclFacts facts{.gpu = true, .local_memory = 49152, .largest_group = 1024};
  const auto refusal = [&] (const char *parameters, int64_t padded) {
    return families::refusal (families::parse_setting (ramp_filter::family (), "opencl", parameters),
                              ramp_filter::problem_of (padded, false, 1), facts);
  };
  g_assert_true (refusal ("FFT=1", 4096).empty ());
  g_assert_true (refusal ("FFT=0", 65536).empty ());
  g_assert_true (refusal ("FFT=1", 65536) ==
                 "FFT=1 does not have rows of 65536 padded values on this device: clFFT has them");
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/ramp-filter/opencl/own", test_own);
    if (small)
      return;
    g_test_add_func ("/ramp-filter/opencl/refusal", test_refusal);
    g_test_add_func ("/ramp-filter/opencl/convolves", test_convolves);
    g_test_add_func ("/ramp-filter/opencl/comma", test_comma);
    g_test_add_func ("/ramp-filter/opencl/lengths", test_lengths);
    g_test_add_func ("/ramp-filter/opencl/bits", test_bits);
    g_test_add_func ("/ramp-filter/opencl/many", test_many);
    g_test_add_func ("/ramp-filter/opencl/broken-values", test_broken_values_stay_in_their_row);
    g_test_add_func ("/ramp-filter/opencl/threads", test_threads);
  });
}

} // namespace sino::test::ramp_filter_opencl_test
