// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval on the first OpenCL device, by transforms of our own and by clFFT: retrieve-phase-opencl [small].
// With `small`, for a simulator, by our own alone: clFFT's kernels compute with what is not there besides. The truth is
// the filter in double, by plain sums. Tolerance: four float transforms err by some 1e-7 of the largest values. 8 s,
// nearly all for the compiler.
#include "filters/retrieve-phase/opencl/family.hpp"
#include "filters/retrieve-phase/opencl/maker.hpp"
#include "filters/retrieve-phase/opencl/trial.hpp"
#include "kernels/flat-field/correct.hpp"
#include "tests/filters/retrieve-phase/truth.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <cmath>

namespace sino::test::retrieve_phase_opencl_test {

using namespace retrieve_phase;
using retrieve_phase_test::filtered;

namespace {

bool small = false;

struct Case {
  Method method;
  Plane plane;
  bool own;

  bool gives_phase () const { return method != Method::paganin && method != Method::bronnikov_aided; }
};

// Falls from 1 (paganin), or crosses zero.
double response (const Case &c, double squared)
{
  return c.gives_phase () ? std::cos (40 * squared) : 1 / (1 + 30 * squared);
}

float transmission (const Plane &plane, int64_t i)
{
  const auto x = static_cast<double> (i % plane.columns), y = static_cast<double> (i / plane.columns);
  return static_cast<float> (0.7 + 0.2 * std::sin (0.31 * x + 0.07 * y * y) + 0.1 * std::cos (1.9 * x * y));
}

std::vector<float> images (const Plane &plane, int64_t count)
{
  std::vector<float> values;
  for (int64_t i = 0; i < count * plane.rows * plane.columns; i++)
    values.push_back (transmission (plane, i));
  return values;
}

struct Result {
  std::vector<float> values;
  int64_t replaced, clamped, odd;
};

class Device
{
public:
  Device (const Case &c, int64_t most) : of (c)
  {
    const Monitor monitor;
    const families::Setting setting{&family ().kernels[0],
                                    {{"FFT", of.own}, {"UNROLL", 0}, {"COLUMNS", 2}, {"ROWS", of.own ? 2 : 0}}};
    const auto problem = problem_of (of.method, of.plane);
    const auto responses = responses_of (
        of.plane, [&] (double squared) { return response (of, squared); }, Cpu (1, monitor));
    Bill bill;
    retrieval_memory (first_device (), setting, of.plane, most, bill);
    memory = std::make_unique<Allotment> (bill);
    retrieval = make_retrieval ({first_device (), setting, problem, of.plane, responses, *memory});
  }

  Result run (const std::vector<float> &values, Interval wanted) const
  {
    const cl::CommandQueue queue (first_device ().context (), first_device ().device);
    const auto count = std::ssize (values) / (of.plane.rows * of.plane.columns);
    const auto size = static_cast<size_t> (count * wanted.size () * of.plane.columns);
    const auto out = unwritten (queue, size * sizeof (float));
    retrieval->enqueue (queue, {upload (values), count, wanted, out});
    return {download<float> (queue, out, size), retrieval->replaced (queue), retrieval->clamped (queue),
            retrieval->odd (queue)};
  }
  Result run (const std::vector<float> &values) const { return run (values, {0, of.plane.rows}); }

private:
  const Case of;
  std::unique_ptr<Allotment> memory;
  std::unique_ptr<OpenclRetrieval> retrieval;
};

void check (const Case &c)
{
  const auto &plane = c.plane;
  const auto size = static_cast<size_t> (plane.rows * plane.columns);
  const auto values = images (plane, 2);
  const auto got = Device (c, 2).run (values);
  g_assert_cmpint (got.replaced, ==, 0);
  g_assert_cmpint (got.clamped, ==, 0);
  g_assert_cmpint (got.odd, ==, 0);
  for (size_t image = 0; image < 2; image++) {
    const auto of = [&] (int64_t y, int64_t x) {
      return static_cast<double> (values[image * size + static_cast<size_t> (y * plane.columns + x)]);
    };
    const auto truth = filtered ([&] (int64_t y, int64_t x) { return 1 - of (y, x); }, plane.rows, plane.columns,
                                 plane.height, plane.width, [&] (double squared) { return response (c, squared); });
    double most = 0, error = 0;
    for (size_t i = 0; i < size; i++) {
      const auto own = of (static_cast<int64_t> (i) / plane.columns, static_cast<int64_t> (i) % plane.columns);
      const double should = c.gives_phase ()              ? truth[i]
                            : c.method == Method::paganin ? -std::log (1 - truth[i])
                                                          : -std::log (own / (own + truth[i]));
      most = std::max (most, std::abs (should));
      error = std::max (error, std::abs (static_cast<double> (got.values[image * size + i]) - should));
    }
    g_test_message ("error %g of %g", error, most);
    g_assert_cmpfloat (error, <, 3e-6 * most);
  }
}

// One radix and several, equal ones at both ends and others; odd sizes, and the smallest.
void test_filters ()
{
  if (small)
    return check ({Method::paganin, Plane (5, 7, 2), true});
  const Case cases[] = {
      {Method::paganin, Plane (29, 37, 40), true},  {Method::bronnikov_aided, Plane (29, 37, 40), true},
      {Method::ctf, Plane (1, 130, 1000), true},    {Method::tie, Plane (100, 1, 1000), true},
      {Method::paganin, Plane (29, 37, 40), false}, {Method::bronnikov_aided, Plane (3, 45, 2), false},
      {Method::qp, Plane (33, 2, 1000), false},     {Method::qp2, Plane (77, 61, 19), true}};
  for (const auto &c : drawn (std::vector (std::begin (cases), std::end (cases)), 4))
    check (c);
}

// Images at once, in one or several launches, and the wanted rows do not change bits.
void test_cuts ()
{
  const Plane plane (19, 30, 5);
  for (const bool own : {true, false}) {
    if (small && !own)
      return;
    const Case c{Method::paganin, plane, own};
    const auto values = images (plane, 7);
    const auto all = Device (c, 7).run (values);
    const auto size = static_cast<size_t> (plane.rows * plane.columns), row = static_cast<size_t> (plane.columns);
    const Device few (c, 3);
    const auto same = few.run (values);
    g_assert_true (same.values == all.values);
    for (const Interval wanted : {Interval{0, 1}, Interval{3, 16}, Interval{18, 19}}) {
      const std::vector part (values.begin () + 2 * static_cast<ptrdiff_t> (size),
                              values.begin () + 4 * static_cast<ptrdiff_t> (size));
      const auto got = few.run (part, wanted);
      const auto bytes = static_cast<size_t> (wanted.size ()) * row;
      for (size_t image = 0; image < 2; image++)
        g_assert_cmpmem (&got.values[image * bytes], bytes * sizeof (float),
                         &all.values[(2 + image) * size + static_cast<size_t> (wanted.begin) * row],
                         bytes * sizeof (float));
    }
  }
}

// Values that are no numbers become their neighbours; values that are no transmission are counted for each image.
void test_counts ()
{
  const Plane plane (20, 30, 5);
  for (const bool own : {true, false}) {
    if (small && !own)
      return;
    auto values = images (plane, 3), patched = values;
    for (const size_t image : {0, 600}) {
      auto *spoilt = &values[image], *wanted = &patched[image];
      spoilt[0] = spoilt[1] = wanted[0] = wanted[1] = NAN;
      wanted[0] = wanted[1] = wanted[2];
      spoilt[30 + 7] = INFINITY;
      wanted[30 + 7] = wanted[30 + 6];
      spoilt[30 + 29] = -INFINITY;
      wanted[30 + 29] = wanted[30 + 28];
      for (int i = 0; i < 30; i++) {
        spoilt[60 + i] = NAN;
        wanted[60 + i] = 1;
      }
    }
    for (size_t i = 700; i < 705; i++) // with the two infinite values: 7 of 600
      values[i] = patched[i] = -3;
    for (size_t i = 1200; i < 1206; i++) // 1 %, which is not more
      values[i] = patched[i] = 5;
    const Device device ({Method::paganin, plane, own}, 3);
    const auto should = device.run (patched), got = device.run (values);
    g_assert_true (got.values == should.values);
    g_assert_cmpint (got.replaced, ==, 68);
    g_assert_cmpint (should.replaced, ==, 0);
    g_assert_cmpint (got.odd, ==, 1);
    g_assert_cmpint (should.odd, ==, 0); // without the infinite values
    const auto clamped = std::ranges::count (got.values, -std::log (flat_field::least_transmission));
    g_assert_cmpint (clamped, >, 0);
    g_assert_cmpint (got.clamped, ==, clamped);
  }
}

// A trial has both lengths, and little memory: frequencies have twice the bytes of factors.
void test_trial_size ()
{
  const auto problem = problem_of (Method::ctf, Plane (4000, 9000, HUGE_VAL));
  const auto planes = trial_planes (problem);
  g_assert_cmpint (planes[0].width, ==, problem["width"]);
  g_assert_cmpint (planes[1].height, ==, problem["height"]);
  for (const auto &plane : planes)
    g_assert_cmpuint (plane.responses () * sizeof (float), <, 1 << 20);
}

// Lengths that do not fit in local memory are refused, so that a plan says which transforms run.
void test_refusals ()
{
  const auto &kernel = family ().kernels[0];
  OpenclFacts facts{};
  facts.gpu = true;
  facts.largest_group = 1024;
  facts.local_memory = 48 << 10;
  const auto refused = [&] (int own, int64_t height, int64_t width) {
    const families::Problem problem{1, 1000, {{"method", 0}, {"height", height}, {"width", width}}};
    return !kernel.contradiction ({&kernel, {{"FFT", own}}}, problem, facts).empty ();
  };
  g_assert_false (refused (1, 10240, 20480));
  g_assert_true (refused (1, 16384, 20480));
  g_assert_true (refused (1, 10240, 32768));
  g_assert_false (refused (0, 16384, 32768));
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/retrieve-phase/opencl/filters", test_filters);
    g_test_add_func ("/retrieve-phase/opencl/cuts", test_cuts);
    g_test_add_func ("/retrieve-phase/opencl/counts", test_counts);
    g_test_add_func ("/retrieve-phase/opencl/trial-size", test_trial_size);
    g_test_add_func ("/retrieve-phase/opencl/refusals", test_refusals);
  });
}

} // namespace sino::test::retrieve_phase_opencl_test
