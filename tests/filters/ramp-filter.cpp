// SPDX-License-Identifier: LGPL-3.0-or-later
// The truth is the definition in double: convolution with the sampled ramp, and the windows' formulas on the
// transform of what an impulse becomes.
#include "base/error.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>

namespace sino::test::ramp_filter_test {

using std::numbers::pi;

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

Array make (const Format &format, const std::function<double (int64_t row, int64_t column)> &value)
{
  Array array{format, std::vector<std::byte> (static_cast<size_t> (format.bytes ()))};
  const auto line = format.line ();
  for (int64_t i = 0; i < std::ssize (array.bytes) / 4; i++)
    array.as<float> ()[i] = static_cast<float> (value (i / line, i % line));
  return array;
}

Array rows_of (int64_t rows, int64_t columns, const std::function<double (int64_t, int64_t)> &value)
{
  return make (projections (Element::f32, {Axis::angle, 1}, {Axis::row, rows}, {Axis::column, columns}), value);
}

// Something without symmetry, of changing size.
double bumps (int64_t row, int64_t column)
{
  const auto r = static_cast<double> (row), c = static_cast<double> (column);
  return (1 + 0.3 * r) * (1.5 + std::sin (0.37 * c + r) + 0.5 * std::cos (2.1 * c * (1 + 0.01 * r)));
}

double ramp (int64_t n)
{
  if (n == 0)
    return 0.25;
  return n % 2 ? -1 / (pi * pi * static_cast<double> (n) * static_cast<double> (n)) : 0;
}

// A float transform of N values errs by about 1e-7 sqrt (log N) of the root mean square; the ramp takes away the low
// frequencies, which hold most of it, but not their errors. 1e-6 of the largest input value covers that.
void check_near (const std::vector<double> &is, const std::vector<double> &should, double largest)
{
  g_assert_cmpuint (is.size (), ==, should.size ());
  for (size_t i = 0; i < is.size (); i++)
    if (!(std::fabs (is[i] - should[i]) <= 1e-6 * largest))
      g_error ("value %zu is %.9g, not %.9g", i, is[i], should[i]);
}

std::vector<double> values (const Array &array)
{
  return {array.as<float> (), array.as<float> () + array.bytes.size () / sizeof (float)};
}

double largest (const Array &array)
{
  double most = 0;
  for (const double v : values (array))
    most = std::max (most, std::fabs (v));
  return most;
}

void test_convolves ()
{
  for (const int64_t width : {1, 2, 3, 16, 37, 100, 255, 1000}) {
    const auto in = rows_of (3, width, bumps);
    std::vector<double> should;
    for (int64_t row = 0; row < 3; row++)
      for (int64_t i = 0; i < width; i++) {
        double sum = 0;
        for (int64_t j = 0; j < width; j++)
          sum += static_cast<double> (in.as<float> ()[row * width + j]) * ramp (i - j);
        should.push_back (sum);
      }
    check_near (values (run_task (*make_task ("ramp-filter"), {&in})), should, largest (in));
  }
}

// The row lies on a circle of 256 samples: half of the others hold its last value, the rest its first.
void test_pads_with_edges ()
{
  constexpr int64_t width = 101, length = 256;
  const auto in = rows_of (2, width, bumps);
  std::vector<double> should;
  for (int64_t row = 0; row < 2; row++)
    for (int64_t i = 0; i < width; i++) {
      double sum = 0;
      for (int64_t j = 0; j < length; j++) {
        const auto from = j < width ? j : j < width + (length - width) / 2 ? width - 1 : 0;
        const auto distance = (i - j + length + length / 2) % length - length / 2;
        sum += static_cast<double> (in.as<float> ()[row * width + from]) * ramp (distance);
      }
      should.push_back (sum);
    }
  const auto task = make_task ("ramp-filter", {{"padding", "256"}, {"padding-mode", "edge"}});
  check_near (values (run_task (*task, {&in})), should, largest (in));
}

void test_windows ()
{
  const auto sinc = [] (double x) { return x == 0 ? 1 : std::sin (pi * x) / (pi * x); };
  const std::pair<const char *, std::function<double (double)>> windows[] = {
      {"ram-lak", [] (double) { return 1.; }},
      {"shepp-logan", [&] (double x) { return sinc (x / 2); }},
      {"cosine", [] (double x) { return std::sin (pi * (1 - x) / 2); }},
      {"hann", [] (double x) { return std::pow (std::cos (pi * x / 2), 2); }},
      {"hamming", [] (double x) { return 0.08 + 0.92 * std::pow (std::cos (pi * x / 2), 2); }},
      {"parzen", [] (double x) { return x > 0.5 ? 2 * std::pow (1 - x, 3) : 1 - 6 * x * x + 6 * x * x * x; }},
  };
  constexpr int64_t length = 64;
  const auto impulse = rows_of (1, length, [] (int64_t, int64_t c) { return c == 0; });
  const auto check = [&] (const Properties &properties, const std::function<double (double)> &window) {
    const auto out = run_task (*make_task ("ramp-filter", properties), {&impulse});
    for (int64_t k = 0; k <= length / 2; k++) {
      std::complex<double> is = 0, bare = 0;
      for (int64_t i = 0; i < length; i++) {
        const auto turn = std::polar (1., -2 * pi * static_cast<double> (k * i) / length);
        is += static_cast<double> (out.as<float> ()[i]) * turn;
        bare += ramp (i < length / 2 ? i : i - length) * turn;
      }
      const auto should = bare.real () * window (2 * static_cast<double> (k) / length);
      g_assert_cmpfloat_with_epsilon (is.real (), should, 1e-6); // 64 values right to some 1e-8 each
      g_assert_cmpfloat_with_epsilon (is.imag (), 0, 1e-6);
    }
  };
  for (const auto &[name, window] : windows) {
    check ({{"window", name}, {"padding", "64"}}, window);
    check ({{"window", name}, {"padding", "64"}, {"cutoff", "0.4"}},
           [&] (double x) { return x > 0.4 ? 0 : window (x / 0.4); });
  }
  check ({{"window", "butterworth"}, {"padding", "64"}, {"cutoff", "0.5"}, {"order", "3"}},
         [] (double x) { return 1 / (1 + std::pow (2 * x, 6)); });
  check ({{"window", "sinc"}, {"padding", "64"}}, [&] (double x) { return std::pow (sinc (x / 2), 1.5); });
  check ({{"window", "sinc"}, {"padding", "64"}, {"power", "2"}},
         [&] (double x) { return std::pow (sinc (x / 2), 2); });
}

void test_none_leaves_values ()
{
  const auto in = rows_of (2, 33, bumps);
  const auto out = run_task (*make_task ("ramp-filter", {{"window", "none"}}), {&in});
  g_assert_true (out.format.filtered_by.empty ());
  const auto filtered = run_task (*make_task ("ramp-filter"), {&in});
  g_assert_true (filtered.format.filtered_by == "ramp-filter");
  g_assert_cmpmem (out.bytes.data (), out.bytes.size (), in.bytes.data (), in.bytes.size ());
}

// The projection of a disc of attenuation 1 is 2 sqrt (R^2 - s^2); its ideally filtered one is 1 / pi everywhere
// inside, so that back-projection over pi gives 1. A detector of pixels lets the edge ring at Nyquist's frequency: 0.4
// % at a tenth of the radius from it (from the same sum in double), which the mean of two neighbours takes away.
void test_filters_a_disc ()
{
  constexpr double radius = 150.3, centre = 256.2;
  const auto area = [=] (double s) {
    s = std::clamp (s, -radius, radius);
    return s * std::sqrt (radius * radius - s * s) + radius * radius * std::asin (s / radius);
  };
  const auto in = rows_of (1, 512, [&] (int64_t, int64_t c) {
    return area (static_cast<double> (c + 1) - centre) - area (static_cast<double> (c) - centre);
  });
  const auto out = values (run_task (*make_task ("ramp-filter"), {&in}));
  for (int64_t c = 0; c < 511; c++)
    if (std::fabs (static_cast<double> (c) + 1 - centre) < 0.9 * radius)
      g_assert_cmpfloat_with_epsilon (pi * (out[static_cast<size_t> (c)] + out[static_cast<size_t> (c) + 1]) / 2, 1,
                                      5e-4);
}

// Line integrals that were taken along lengths give attenuation per length: of pixels of 1/4 mm, four times as much per
// mm as per pixel. A power of two, so the values are exact.
void test_unit_of_length ()
{
  auto in = rows_of (2, 60, bumps);
  const auto per_pixel = values (run_task (*make_task ("ramp-filter"), {&in}));
  Geometry geometry;
  geometry.pixel_size = 0.25;
  in.format.geometry = std::make_shared<const Geometry> (geometry);
  const auto per_length = values (run_task (*make_task ("ramp-filter"), {&in}));
  for (size_t i = 0; i < per_pixel.size (); i++)
    g_assert_cmpfloat (per_length[i], ==, 4 * per_pixel[i]);
}

void check_same (const Array &a, const Array &b)
{
  g_assert_cmpmem (a.bytes.data (), a.bytes.size (), b.bytes.data (), b.bytes.size ());
}

void test_bits_do_not_depend_on_the_cut ()
{
  for (const auto &format : {projections (Element::f32, {Axis::angle, 9}, {Axis::row, 21}, {Axis::column, 75}),
                             sinograms (Element::f32, {Axis::row, 21}, {Axis::angle, 9}, {Axis::column, 75})}) {
    const auto in = make (format, bumps);
    const auto task = make_task ("ramp-filter", {{"window", "hann"}, {"padding-mode", "edge"}});
    const auto whole = run_task (*task, {&in}, {0, 0, 1});
    g_assert_cmpstr (whole.format.changed_by.c_str (), ==, "ramp-filter");
    for (const Cut cut : {Cut{0, 1, 2}, Cut{5, 4, 2}, Cut{1, 0, 1}})
      for (const int lanes : {1, 2, 4, 8, 16, 32})
        check_same (whole, run_task (*task, {&in}, cut, lanes));
    for (const int threads : {3, 8}) // several blocks under way
      check_same (whole, run_task (*task, {&in}, {0, 1, threads}, 8));
  }
}

void test_broken_values_stay_in_their_row ()
{
  for (const float broken : {std::numeric_limits<float>::quiet_NaN (), std::numeric_limits<float>::infinity ()}) {
    const auto sound = make (sinograms (Element::f32, {Axis::row, 6}, {Axis::angle, 2}, {Axis::column, 50}), bumps);
    auto in = sound;
    in.as<float> ()[2 * 100 + 17] = broken; // row 2, angle 0
    const auto task = make_task ("ramp-filter");
    const auto right = run_task (*task, {&sound}, {}, 4), out = run_task (*task, {&in}, {}, 4);
    for (int line = 0; line < 12; line++)
      if (line == 4)
        g_assert_true (std::isnan (out.as<float> ()[line * 50 + 3]));
      else
        g_assert_cmpmem (out.as<float> () + line * 50, 200, right.as<float> () + line * 50, 200);
  }
}

void check_refused (const Format &format, const Properties &properties, const char *message)
{
  const Format *formats[] = {&format};
  try {
    negotiated (*make_task ("ramp-filter", properties), formats);
    g_assert_not_reached ();
  } catch (const Error &e) {
    g_assert_cmpstr (e.what (), ==, message);
  }
}

void test_refuses ()
{
  const Dim angle{Axis::angle, 2}, row{Axis::row, 3}, column{Axis::column, 20};
  check_refused (projections (Element::u16, angle, row, column), {},
                 "wants f32 values, got u16 projections (angle 2, row 3, column 20): put 'flat-field' before it, which "
                 "turns counts into attenuation");
  check_refused (sinograms (Element::f16, row, angle, column), {},
                 "wants f32 values, got f16 sinograms (row 3, angle 2, column 20): leave out 'half-pack', or put it "
                 "after this node");
  check_refused (slices (Element::f32, {Axis::z, 1}, {Axis::y, 2}, {Axis::x, 2}), {},
                 "wants projections or sinograms, got f32 slices (z 1, y 2, x 2): put this node before the "
                 "reconstruction, or correct axes= of 'read'");
  for (const char *word : {"19", "much", "1e3", ""})
    check_refused (
        projections (Element::f32, angle, row, column), {{"padding", word}},
        text ("padding=%s: give a length from 20, the columns of a row, to 67108864, or 'auto'", word).c_str ());
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/ramp-filter/convolves", test_convolves);
  g_test_add_func ("/ramp-filter/edges", test_pads_with_edges);
  g_test_add_func ("/ramp-filter/windows", test_windows);
  g_test_add_func ("/ramp-filter/none", test_none_leaves_values);
  g_test_add_func ("/ramp-filter/disc", test_filters_a_disc);
  g_test_add_func ("/ramp-filter/unit", test_unit_of_length);
  g_test_add_func ("/ramp-filter/cut", test_bits_do_not_depend_on_the_cut);
  g_test_add_func ("/ramp-filter/broken-values", test_broken_values_stay_in_their_row);
  g_test_add_func ("/ramp-filter/refuses", test_refuses);
  return g_test_run ();
}

} // namespace sino::test::ramp_filter_test
