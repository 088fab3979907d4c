// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval against the formulas in float64, by plain sums instead of fast transforms.
#include "device/fft.hpp"
#include "tests/filters/retrieve-phase/truth.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <cmath>
#include <glib.h>

namespace sino::test::retrieve_phase_test {

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

constexpr double energy = 18.5, distance = 0.07, pixel = 0.9e-6;
constexpr double wavelength = 12.39841984e-10 / energy;

// u = pi lambda z f^2 by the squared frequency in cycles per pixel
std::function<double (double)> of_squared (const std::function<double (double)> &response)
{
  return [=] (double squared) { return response (G_PI * wavelength * distance * squared / (pixel * pixel)); };
}

Words words (Words more)
{
  more.insert (more.begin (), {{"energy", "18.5"}, {"distance", "0.07"}, {"pixel-size", "0.9e-6"}});
  return more;
}

Array scan (int64_t angles, int64_t rows, int64_t columns)
{
  Array in{projections (Element::f32, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns}), {}};
  in.bytes.resize (static_cast<size_t> (in.format.bytes ()));
  for (int64_t i = 0; i < angles * rows * columns; i++) {
    const auto x = static_cast<double> (i % columns), y = static_cast<double> (i / columns);
    in.as<float> ()[i] =
        static_cast<float> (0.7 + 0.2 * std::sin (0.31 * x + 0.07 * y * y) + 0.1 * std::cos (1.9 * x * y));
  }
  return in;
}

// Sums of float transforms err by some 1e-7 of the largest values.
void compare (const Array &out, int64_t angle, const std::vector<double> &truth, double tolerance)
{
  double most = 0, error = 0;
  for (size_t i = 0; i < truth.size (); i++) {
    most = std::max (most, std::abs (truth[i]));
    error = std::max (
        error,
        std::abs (static_cast<double> (out.as<float> ()[static_cast<size_t> (angle) * truth.size () + i]) - truth[i]));
  }
  g_test_message ("error %g of %g", error, most);
  g_assert_cmpfloat (error, <, tolerance * most);
}

// `padding`: of the truth, as the node pads, or more where the point spread ends within that.
enum class Padding { same, more };

void check_attenuation (int64_t rows, int64_t columns, double ratio, Padding padding, double tolerance)
{
  const double blur = std::sqrt (ratio * wavelength * distance / (4 * G_PI)) / pixel;
  const auto padded = [&] (int64_t n) {
    const auto least = n + static_cast<int64_t> (std::min (16 * blur, static_cast<double> (n)));
    return padding == Padding::more ? 3 * n : Fft::good_even_length (std::max<int64_t> (least, 32));
  };
  const auto in = scan (2, rows, columns);
  const auto paganin = [&] (double u) { return 1 / (1 + ratio * u); };
  for (const bool aided : {false, true}) {
    const auto task =
        make_task ("retrieve-phase",
                   words ({{"method", aided ? "bronnikov-aided" : "paganin"}, {"delta-beta", std::to_string (ratio)}}));
    const auto out = run_task (*task, {&in});
    for (int64_t angle = 0; angle < 2; angle++) {
      const auto value = [&] (int64_t y, int64_t x) {
        return static_cast<double> (in.as<float> ()[(angle * rows + y) * columns + x]);
      };
      auto truth = filtered (value, rows, columns, padded (rows), padded (columns), of_squared (paganin));
      for (int64_t i = 0; i < rows * columns; i++) {
        auto &t = truth[static_cast<size_t> (i)];
        // De Witte et al.: I / (1 - gamma laplace phi), with phi by Groso's method, is I / (1 + I - paganin).
        const double intensity = value (i / columns, i % columns);
        t = aided ? -std::log (intensity / (1 + intensity - t)) : -std::log (t);
      }
      compare (out, angle, truth, tolerance);
    }
  }
}

void test_attenuation ()
{
  check_attenuation (29, 37, 30, Padding::same, 3e-6);
  check_attenuation (1, 45, 100, Padding::same, 3e-6);
  check_attenuation (33, 1, 0.01, Padding::same, 3e-6);
  check_attenuation (47, 130, 300, Padding::same, 3e-6);
  check_attenuation (57, 61, 4, Padding::more, 1e-4); // e^-8 of what the edges differ by
}

double ctf (double u, double ratio)
{
  return std::copysign (0.5, std::sin (u)) / (std::abs (std::sin (u)) + 1 / ratio);
}

void test_phase ()
{
  const int64_t rows = 23, columns = 37, height = Fft::good_even_length (46), width = Fft::good_even_length (74);
  const double ratio = std::pow (10, 1.5), threshold = 0.2;
  const auto in = scan (1, rows, columns);
  const auto value = [&] (int64_t y, int64_t x) { return 1 - static_cast<double> (in.as<float> ()[y * columns + x]); };
  const auto cut = [&] (double u, double inside) {
    return u > G_PI / 2 && std::abs (std::sin (u)) < threshold ? inside : ctf (u, ratio);
  };
  const std::pair<const char *, std::function<double (double)>> methods[] = {
      {"tie", [&] (double u) { return 0.5 / (u + 1 / ratio); }},
      {"ctf", [&] (double u) { return ctf (u, ratio); }},
      {"qp", [&] (double u) { return cut (u, 0); }},
      {"qp2", [&] (double u) { return cut (u, std::copysign (0.5, std::sin (u)) / (threshold + 1 / ratio)); }},
  };
  for (const auto &[name, response] : methods) {
    const auto task = make_task (
        "retrieve-phase", words ({{"method", name}, {"regularization-rate", "1.5"}, {"thresholding-rate", "0.2"}}));
    compare (run_task (*task, {&in}), 0, filtered (value, rows, columns, height, width, of_squared (response)), 1e-5);
  }
}

void test_cuts ()
{
  const auto in = scan (7, 61, 53);
  for (const char *method : {"paganin", "bronnikov-aided", "ctf"}) {
    const auto task = make_task ("retrieve-phase", words ({{"method", method}, {"delta-beta", "80"}}));
    const auto whole = run_task (*task, {&in});
    for (const Cut cut : {Cut{.rows = 1, .angles = 1, .threads = 1}, Cut{.rows = 13, .angles = 3, .threads = 3},
                          Cut{.rows = 60, .angles = 7, .threads = 5}})
      same_bytes (run_task (*task, {&in}, cut), whole);
  }
}

// Values that are no numbers become their neighbours, so that they spoil no projection.
void test_replaced ()
{
  auto in = scan (3, 20, 30), patched = in;
  for (const int angle : {0, 2}) {
    auto *values = in.as<float> () + 600 * angle, *wanted = patched.as<float> () + 600 * angle;
    values[0] = values[1] = wanted[0] = wanted[1] = NAN;
    wanted[0] = wanted[1] = wanted[2];
    values[30 + 7] = INFINITY;
    wanted[30 + 7] = wanted[30 + 6];
    for (int i = 0; i < 30; i++) {
      values[60 + i] = NAN;
      wanted[60 + i] = 1;
    }
  }
  const auto task = make_task ("retrieve-phase", words ({{"delta-beta", "80"}}));
  const auto right = run_task (*task, {&patched});
  for (const auto &cut : {Cut{}, Cut{.threads = 8}, Cut{.angles = 2, .threads = 8}}) {
    std::map<std::string, int64_t> counters;
    same_bytes (run_task (*task, {&in}, cut, 1, &counters), right);
    g_assert_cmpint (counters["replaced"], ==, 66);
  }
}

std::string said (const Words &properties, const Format &format = scan (1, 8, 8).format, bool warning = false)
{
  const auto task = make_task ("retrieve-phase", properties);
  const Format *input = &format;
  const auto message = message_of ([&] { negotiated (*task, {&input, 1}); });
  return warning && !task->warnings ().empty () ? task->warnings ()[0] : message;
}

void test_errors ()
{
  const auto format = scan (1, 8, 8).format;
  same (said ({{"distance", "1"}}), "energy= is missing: give the energy of the X-rays in keV");
  same (said ({{"energy", "20000"}, {"distance", "1"}}), "energy=20000 must be in keV and from 1 to 1000");
  same (said ({{"energy", "20"}}), "distance= is missing: give the distance of sample and detector in m");
  same (said ({{"energy", "20"}, {"distance", "-1"}}), "distance=-1 must be in m and from 1e-6 to 1000");
  same (said ({{"energy", "20"}, {"distance", "0.1"}}),
        "delta-beta= is missing: give the ratio of delta to beta, such as 1400 for water at 20 keV");
  const Words physics{{"energy", "20"}, {"distance", "0.1"}, {"delta-beta", "100"}};
  same (said (physics), "the scan does not give the size of a pixel: set pixel-size= in m, as 0.65e-6");
  auto more = physics;
  more.emplace_back ("pixel-size", "0.65");
  same (said (more), "pixel-size=0.65 must be in m and from 1e-9 to 1e-3: a micrometre is 1e-6");
  auto own = format;
  const auto with_pixel = [&] (double size) {
    auto geometry = std::make_shared<Geometry> ();
    geometry->pixel_size = size;
    own.geometry = std::move (geometry);
    return own;
  };
  same (said (physics, with_pixel (1e-6)),
        "the scan's pixel size of 1e-06 is too small or too large for mm: set pixel-size= in m");
  same (said (physics, with_pixel (0.0065), true),
        "the scan's pixel size 0.0065 is assumed to be in mm: pixel-size=6.5e-06 (m)");
  more.back ().second = "1e-3";
  same (said (more, format, true), "the finest details change by only 0.049 %: are energy= (keV), distance= (m), "
                                   "pixel-size= (m) and delta-beta= right?");
  more.back ().second = "1e-7";
  same (said (more, format, true), "the filter blurs over 70.2 of 8 pixels: are energy= (keV), distance= (m), "
                                   "pixel-size= (m) and delta-beta= right?");
  more.back ().second = "1e-6";
  auto wrong = format;
  wrong.element = Element::u16;
  same (said (more, wrong), "wants f32 values, got u16 projections (angle 1, row 8, column 8): put 'flat-field "
                            "absorption=false' before it");
  wrong = sinograms (Element::f32, {Axis::row, 8}, {Axis::angle, 1}, {Axis::column, 8});
  same (said (more, wrong),
        "wants projections, got f32 sinograms (row 8, angle 1, column 8): put this node before 'interleave'");
  wrong = format;
  wrong.dim (Axis::row).step = 2;
  same (said (more, wrong), "the stream has a step of 2 rows and 1 columns, but fringes are round: leave the step out");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/retrieve-phase/attenuation", test_attenuation);
  g_test_add_func ("/retrieve-phase/phase", test_phase);
  g_test_add_func ("/retrieve-phase/cuts", test_cuts);
  g_test_add_func ("/retrieve-phase/replaced", test_replaced);
  g_test_add_func ("/retrieve-phase/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::retrieve_phase_test
