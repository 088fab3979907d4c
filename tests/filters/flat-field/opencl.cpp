// SPDX-License-Identifier: LGPL-3.0-or-later
// flat-field on the first OpenCL device: flat-field-opencl [small]. The truth is the formula of the documentation in
// double, and the native kernel: the same counts, and the same values but for rounding.
#include "tests/filters/flat-field/frames.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"

namespace sino::test::flat_field_opencl_test {

namespace {

bool small = false;

// Dead: at both ends of a row, a run, a single one, and a row.
bool is_dead (int64_t r, int64_t c)
{
  return (r == 2 && c < 2) || (r == 3 && c >= 10 && c < 13) || (r == 5 && c == columns - 1) || (r == 6 && c == 20) ||
         r == 7;
}

const std::vector<double> moments{-0.5, 3.5, 5};

double flat_at (int64_t group, int64_t r, int64_t c)
{
  return is_dead (r, c) ? static_cast<double> (c % 2) : flat_of (group, r, c) - 20. * static_cast<double> (group);
}

double white_at (double angle, int64_t r, int64_t c)
{
  if (angle >= 5)
    return flat_at (2, r, c);
  const int64_t group = angle >= 3.5;
  const auto n = static_cast<size_t> (group);
  const auto weight = (angle - moments[n]) / (moments[n + 1] - moments[n]);
  return flat_at (group, r, c) + (flat_at (group + 1, r, c) - flat_at (group, r, c)) * weight;
}

// Some counts are below the darks.
double counts_of (int64_t a, int64_t r, int64_t c)
{
  return is_dead (r, c) ? 0 : (a + r + c) % 23 == 3 ? 2 : data_of (a, r, c);
}

double truth_of (int64_t a, int64_t r, int64_t c, bool integers, bool log)
{
  const double dark = mean (dark_of, 3, r, c), white = white_at (static_cast<double> (a), r, c) - dark;
  double count = counts_of (a, r, c) - dark;
  if (!log)
    return count / white;
  if (integers)
    count = std::max (count, 0.5);
  return -std::log (std::max (count / white, integers ? 0 : std::ldexp (1., -16)));
}

double truth (int64_t a, int64_t r, int64_t c, bool integers, bool log)
{
  if (!is_dead (r, c))
    return truth_of (a, r, c, integers, log);
  int64_t left = c, right = c;
  while (left >= 0 && is_dead (r, left))
    left--;
  while (right < columns && is_dead (r, right))
    right++;
  if (left < 0 && right == columns)
    return log ? 0 : 1;
  const double a_side = truth_of (a, r, left < 0 ? right : left, integers, log),
               other = truth_of (a, r, right == columns ? left : right, integers, log);
  return left < 0 || right == columns
             ? a_side + (other - a_side) / 2 // both the same
             : std::lerp (a_side, other, static_cast<double> (c - left) / static_cast<double> (right - left));
}

bool divides_as_cpus ()
{
  return first_device ().device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG> () & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
}

Properties with (Properties all, const Properties &more)
{
  all.insert (all.end (), more.begin (), more.end ());
  return all;
}

// As the native kernel makes it, and counts it. Bytes are the same where the arithmetic is.
Array same_as_native (const std::vector<const Array *> &inputs, const Properties &properties, Cut cut, int lanes,
                      bool log, const Properties &kernel = {})
{
  std::map<std::string, int64_t> counted, should_count;
  const auto native = run_task (*make_task ("flat-field", properties), inputs, cut, lanes, &should_count);
  cut.device = &first_device ();
  const auto own = with (with (properties, {{"variant", "opencl"}}), kernel);
  auto out = run_task (*make_task ("flat-field", own), inputs, cut, lanes, &counted);
  for (const char *name : {"clamped", "dead-pixels", "filled"})
    g_assert_cmpint (counted[name], ==, should_count[name]);
  const auto n = out.bytes.size () / sizeof (float);
  for (size_t i = 0; i < n; i++) {
    const float is = out.as<float> ()[i], should = native.as<float> ()[i];
    const bool same = is == should || (std::isnan (is) && std::isnan (should));
    const bool near = std::fabs (is - should) <= 1e-6f * std::max (1.f, std::fabs (should));
    if (!(same || (near && (log || !divides_as_cpus ()))))
      g_error ("value %zu is %.9g, not %.9g", i, static_cast<double> (is), static_cast<double> (should));
  }
  return out;
}

std::shared_ptr<Stack> darks ()
{
  return std::make_shared<Stack> (Element::u16, 3, dark_of);
}
std::shared_ptr<Stack> flats ()
{
  auto stack = std::make_shared<Stack> (Element::f32, 3, flat_at);
  stack->positions = moments;
  return stack;
}

void test_formula ()
{
  const auto elements =
      small ? std::vector{Element::u16} : std::vector{Element::u8, Element::u16, Element::f16, Element::f32};
  size_t number = 0;
  for (const auto element : elements)
    for (const bool log : {true, false}) {
      if (!is_drawn (number++, small ? 1 : 3)) // a program
        continue;
      for (const bool sinogram : {false, true}) {
        const bool integers = element == Element::u8 || element == Element::u16;
        const auto in = scan (element, sinogram, counts_of, darks (), flats ());
        for (const int lanes : sinogram ? std::vector{1, 4, 16} : std::vector{1})
          for (const Cut cut : {Cut{}, Cut{3, 2, 2}}) {
            if (small && (lanes == 16 || cut.rows > 0))
              continue;
            const auto out =
                same_as_native ({&in, nullptr, nullptr}, {{"absorption", log ? "true" : "false"}}, cut, lanes, log);
            check_near (out, [&] (int64_t a, int64_t r, int64_t c) { return truth (a, r, c, integers, log); });
          }
      }
    }
}

void test_parameters ()
{
  const auto in = scan (Element::u16, true, counts_of, darks (), flats ());
  for (const char *words : drawn<const char *> ({"ANGLES=1", "ANGLES=16", "ANGLES=2,GROUP=64", "GROUP=256"}, 3))
    same_as_native ({&in, nullptr, nullptr}, {}, {}, 4, true, {{"variant-parameters", words}});
}

void test_broken_values_are_filled ()
{
  const auto ones = std::make_shared<Stack> (Element::u8, 1, [] (int64_t, int64_t, int64_t) { return 100; });
  for (const char *log : {"true", "false"}) {
    const auto in = scan (
        Element::f32, false,
        [] (int64_t, int64_t, int64_t c) {
          return c == 3 ? NAN : c == 40 ? HUGE_VAL : c == 9 ? -HUGE_VAL : 50;
        },
        nullptr, ones);
    const bool absorption = std::string (log) == "true";
    const auto out = same_as_native ({&in, nullptr, nullptr}, {{"absorption", log}}, {}, 1, absorption);
    for (const int64_t column : {3, 40})
      g_assert_cmpfloat_with_epsilon (value_at (out, 1, 2, column), absorption ? std::log (2) : 0.5, 1e-6);
  }
}

// The logarithm over all of its range, subnormal values included.
void test_logarithm ()
{
  const double level = 1e33;
  const auto ones = std::make_shared<Stack> (Element::f32, 1, [&] (int64_t, int64_t, int64_t) { return level; });
  const auto in = scan (
      Element::u16, false, [] (int64_t a, int64_t r, int64_t c) { return (a * rows + r) * columns + c; }, nullptr,
      ones);
  same_as_native ({&in, nullptr, nullptr}, {}, {}, 1, true);
  const auto one = std::make_shared<Stack> (Element::f32, 1, [] (int64_t, int64_t, int64_t) { return 1; });
  const Value data = [] (int64_t a, int64_t r, int64_t c) {
    const auto i = static_cast<double> ((a * rows + r) * columns + c) / static_cast<double> (angles * rows * columns);
    return static_cast<double> (static_cast<float> (std::exp (-11 + 13 * i)));
  };
  const auto over = scan (Element::f32, false, data, nullptr, one);
  check_near (same_as_native ({&over, nullptr, nullptr}, {}, {}, 1, true),
              [&] (int64_t a, int64_t r, int64_t c) { return -std::log (data (a, r, c)); });
}

// Darks and flats that come by edges are reduced on the host.
void test_edges ()
{
  const auto in = scan (Element::u16, true, data_of, nullptr, nullptr);
  auto black = scan (Element::u8, false, dark_of, nullptr, nullptr),
       white = scan (Element::f32, false, flat_of, nullptr, nullptr);
  for (const char *reduce : {"mean", "median"})
    for (const Cut cut : {Cut{}, Cut{4, 2, 2}})
      same_as_native ({&in, &black, &white}, {{"reduce", reduce}}, cut, 8, true);
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/flat-field/opencl/formula", test_formula);
    if (small)
      return;
    g_test_add_func ("/flat-field/opencl/parameters", test_parameters);
    g_test_add_func ("/flat-field/opencl/broken", test_broken_values_are_filled);
    g_test_add_func ("/flat-field/opencl/logarithm", test_logarithm);
    g_test_add_func ("/flat-field/opencl/edges", test_edges);
  });
}

} // namespace sino::test::flat_field_opencl_test
