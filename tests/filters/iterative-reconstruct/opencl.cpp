// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterations on an OpenCL device: iterative-reconstruct-opencl [MODE] [PLATFORM]. MODE: few (cases, for programs take
// seconds to build), or all.
//
// The truth are the CPU's kernels, which have tests against plain loops in double.
#include "families/kernels.hpp"
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include "tests/filters/iterative-reconstruct/on-device.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <glib.h>

namespace sino::test::iterative_reconstruct_opencl_test {

namespace {

using namespace iterative_reconstruct;
using iterative_reconstruct::Problem, iterative_reconstruct::family; // not those of others

std::string mode = "few", platform;

Solved on_device (const IteratedSetup &setup, const SomeRows &rows, const Problem &problem)
{
  const auto &device = *device_named (platform);
  Monitor monitor;
  return solve_on (device, iterated_setting (device, setup.parameters), problem, rows, monitor, setup.at_once);
}

// What the report at the end tells of iterations and noise, with as many digits as both have.
std::string told (const std::vector<std::string> &messages)
{
  const auto &last = messages.back ();
  return last.substr (0, last.find (" iterations")) + last.substr (last.find (" times"));
}

void check_like_native (const IteratedSetup &setup, double most)
{
  const auto problem = iterated_problem (setup);
  const auto rows = iterated_rows (setup);
  const auto got = on_device (setup, rows, problem), truth = solve_natively (problem, rows);
  double largest = 0, difference = 0;
  for (size_t row = 0; row < truth.slices.size (); row++)
    for (size_t i = 0; i < truth.slices[row].size (); i++) {
      const auto value = static_cast<double> (truth.slices[row][i]);
      largest = std::max (largest, std::abs (value));
      const double distance = std::abs (value - static_cast<double> (got.slices[row][i]));
      difference = std::isnan (distance) ? INFINITY : std::max (difference, distance);
    }
  g_test_message ("%d columns, %s: %.2g", static_cast<int> (setup.columns), setup.method == Method::tv ? "tv" : "cgls",
                  difference / largest);
  if (!(difference <= most * largest))
    g_error ("%d columns, %d rows: differs by %.3g of the largest value, not %.3g at most",
             static_cast<int> (setup.columns), setup.rows, difference / largest, most);
  same (told (got.messages), told (truth.messages));
}

void test_like_native ()
{
  const std::vector<IteratedSetup> setups{
      {.columns = 64, .projections = 40, .iterations = 40},
      {.columns = 192, .projections = 60, .rows = 2, .lanes = 2},                   // 2^6 3
      {.columns = 320, .projections = 60, .rows = 1, .lanes = 2, .iterations = 10}, // 2^6 5
      {.columns = 256, .projections = 60, .rows = 5, .lanes = 8, .iterations = 10}, // the radix 16 at both ends
      {.columns = 600, .projections = 40, .rows = 1, .lanes = 1, .iterations = 5}}; // 640 = 2^7 5
  for (size_t i = 0; i < setups.size (); i++)
    if (mode == "all" || is_drawn (i, 32))
      check_like_native (setups[i], 1e-4);
  check_like_native ({.rows = 3, .non_negative = false}, 1e-4);
  check_like_native ({.columns = 51, .truncated = true, .mask = true, .noise = 0.4, .roi = {3, 7, 31, 40}}, 1e-4);
  check_like_native ({.rows = 4, .iterations = 300, .tolerance = 3e-3, .pixel_size = 0.25}, 1e-4);
  // Conjugate gradients make roundings larger with each iteration.
  check_like_native ({.method = Method::cgls, .iterations = 4}, 1e-4);
  check_like_native ({.method = Method::cgls, .iterations = 60, .tolerance = 0.2}, 1e-4);
}

// Neither the rows beside a pair, nor lanes, nor how many slices are worked on at once change its bits.
void test_bits ()
{
  const IteratedSetup usual{.rows = 4, .iterations = 5};
  const auto problem = iterated_problem (usual);
  const auto rows = iterated_rows (usual);
  const auto expected = on_device (usual, rows, problem).slices;
  g_assert_true (on_device (usual, rows, problem).slices == expected);
  auto fewer = usual;
  fewer.at_once = 2;
  g_assert_true (on_device (fewer, rows, problem).slices == expected);
  // A length whose radices differ, in groups of a single column.
  IteratedSetup single{.columns = 100, .rows = 2, .iterations = 3};
  single.parameters = ",COLUMNS=1,TOGETHER=2";
  check_like_native (single, 1e-4);
  if (mode == "all" || is_drawn (7, 32)) {
    auto cut = usual;
    cut.parameters = ",ROWS=2,COLUMNS=2,TOGETHER=8";
    g_assert_true (on_device (cut, rows, problem).slices == expected);
  }
  SomeRows pair{.bins = {}, .lanes = 2, .rows = 2};
  for (size_t i = 0; i < rows.bins.size (); i += 4)
    pair.bins.insert (pair.bins.end (), {rows.bins[i + 2], rows.bins[i + 3]});
  const auto alone = on_device (usual, pair, problem).slices;
  g_assert_true (alone[0] == expected[2] && alone[1] == expected[3]);
  auto solving = problem;
  solving.solving.method = Method::cgls;
  solving.solving.non_negative = false;
  g_assert_true (on_device (fewer, rows, solving).slices == on_device (usual, rows, solving).slices);
}

// A value that is not finite spoils its slice, and no other.
void test_broken_values ()
{
  const IteratedSetup setup{.rows = 4, .iterations = 5};
  const auto problem = iterated_problem (setup);
  auto rows = iterated_rows (setup);
  const auto expected = on_device (setup, rows, problem).slices;
  rows.bins[(7 * 64 + 11) * 4 + 1] = NAN;
  const auto slices = on_device (setup, rows, problem).slices;
  const auto largest = std::ranges::max (expected[0]);
  for (size_t row = 0; row < 4; row++)
    for (size_t i = 0; i < slices[row].size (); i++)
      g_assert_true (row == 1   ? std::isnan (slices[row][i])
                     : row == 0 ? std::abs (slices[row][i] - expected[row][i]) < 1e-5F * largest
                                : slices[row][i] == expected[row][i]);
}

void test_nothing ()
{
  const IteratedSetup setup{.rows = 2, .lanes = 2, .tolerance = 1e-3};
  auto rows = iterated_rows (setup);
  std::ranges::fill (rows.bins, 0.0F);
  for (const auto &slice : on_device (setup, rows, iterated_problem (setup)).slices)
    g_assert_true (std::ranges::all_of (slice, [] (float value) { return value == 0; }));
}

void test_cancelled ()
{
  const IteratedSetup setup;
  const auto &device = *device_named (platform);
  Monitor monitor;
  monitor.cancel ();
  g_assert_true (cancelled (
      [&] { solve_on (device, iterated_setting (device), iterated_problem (setup), iterated_rows (setup), monitor); }));
}

// Groups of work-items have what the device can hold.
void test_lines ()
{
  OpenclFacts facts{.gpu = true, .local_memory = 48 << 10, .largest_group = 1024};
  const families::Setting setting{family ().kernels.data (), {}};
  for (int64_t size = 64; size <= 4096; size += 64)
    if (const auto lines = lines_for (size, facts, setting)) {
      const auto &plan = lines->plan;
      g_assert_cmpint (size % plan.lines, ==, 0);
      g_assert_cmpint (size % lines->columns, ==, 0);
      g_assert_cmpint (4 * lines->columns * lines->beside (), <=, 48 << 10);
      g_assert_cmpuint (plan.local_memory (), <=, size_t{48} << 10);
      g_assert_cmpint (plan.items * std::max (plan.lines, lines->columns), <=, 512);
    }
  const auto usual = lines_for (2048, facts, setting).value ();
  g_assert_cmpint (usual.columns, ==, 4);
  g_assert_cmpint (usual.plan.radices.front (), ==, usual.plan.radices.back ());
  facts.local_memory = 16 << 10;
  g_assert_false (lines_for (4096, facts, setting).has_value ());
  const families::Problem words{16, 16, {{"method", 0}, {"size", 4096}}};
  same (families::refusal (setting, words, facts), "a row of 4096 values does not fit in the local memory of a group");
}

} // namespace

int run (int argc, char **argv)
{
  if (!begin_on_device (argc, argv, mode, platform))
    return 0;
  g_test_add_func ("/iterative-reconstruct/opencl/lines", test_lines);
  g_test_add_func ("/iterative-reconstruct/opencl/like-native", test_like_native);
  g_test_add_func ("/iterative-reconstruct/opencl/bits", test_bits);
  g_test_add_func ("/iterative-reconstruct/opencl/broken-values", test_broken_values);
  g_test_add_func ("/iterative-reconstruct/opencl/nothing", test_nothing);
  g_test_add_func ("/iterative-reconstruct/opencl/cancelled", test_cancelled);
  return g_test_run ();
}

} // namespace sino::test::iterative_reconstruct_opencl_test
