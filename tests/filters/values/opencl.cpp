// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters of single values, and of lines, on the first OpenCL device: values-opencl [small]. The truth is the native
// kernel, which tests of its own hold to the formula: the same bytes of rescale, the same logarithm to 1e-6, the same
// counts, and zeros in the padding of lanes.
#include "filters/cone-weight/family.hpp"
#include "filters/correct-dose/family.hpp"
#include "filters/dynamic-flats/family.hpp"
#include "filters/stitch-360/opencl-join.hpp"
#include "tests/filters/values/values.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"

namespace sino::test::values_opencl_test {

namespace {

bool small = false;

// From -1 to 2 times the noise's range, and what is no number.
Array noise (const Format &format, float scale)
{
  const bool floats = format.element == Element::f16 || format.element == Element::f32;
  return filled (format, [&] (size_t i, float value) {
    return floats && i % 41 == 7 ? (i % 3 == 0   ? NAN
                                    : i % 3 == 1 ? INFINITY
                                                 : -INFINITY)
                                 : (floats ? 3 * value - 1 : value) * scale;
  });
}

// Calls f (in, native, got) for streams of all elements, cut in several ways.
template <class F>
void each_case (const char *node, const Settings &settings, const char *counter, const std::vector<Element> &elements,
                bool slices, F f)
{
  for (const auto element : elements)
    for (const auto &format : streams (element)) {
      if (!slices && format.kind () == Kind::slices)
        continue;
      const auto in = noise (format, element == Element::u8 ? 255 : element == Element::u16 ? 1000 : 300);
      const auto own = [&] {
        auto all = settings;
        all.emplace_back ("variant", "opencl");
        return all;
      }();
      for (Cut cut : {Cut{}, Cut{.rows = 4, .angles = 3, .lanes = 4}, Cut{.lanes = 32}}) {
        const auto with = [&] (const Settings &words, std::map<std::string, int64_t> &counted) {
          const auto task = make_task (node, words);
          std::vector<const Array *> inputs (task->inputs ().size (), nullptr);
          inputs[0] = &in;
          return run_task (*task, inputs, cut, 1, &counted);
        };
        std::map<std::string, int64_t> counted, should_count;
        const auto native = with (settings, should_count);
        cut.device = &first_device ();
        f (with (own, counted), native);
        g_assert_cmpint (counted[counter], ==, should_count[counter]);
        g_assert_cmpint (should_count[counter], >, 0);
      }
    }
}

std::vector<Element> elements ()
{
  return small ? std::vector{Element::f32} : std::vector{Element::u8, Element::u16, Element::f16, Element::f32};
}

void test_rescale ()
{
  size_t number = 0;
  for (const char *type : {"u8", "u16", "f32"}) {
    auto chosen = elements ();
    std::erase_if (chosen, [&] (Element) { return !is_drawn (number++, small ? 3 : 5); });
    each_case ("rescale", {{"type", type}, {"min", "20.3"}, {"max", "190.1"}}, "clipped", chosen, true,
               [] (const Array &got, const Array &native) {
                 if (got.format.element != Element::f32)
                   return same_bytes (got, native);
                 for (size_t i = 0; i < size_of (got); i++) // NaN may be another
                   g_assert_true (got.as<float> ()[i] == native.as<float> ()[i] ||
                                  (std::isnan (got.as<float> ()[i]) && std::isnan (native.as<float> ()[i])));
               });
  }
}

// Far from 0, where float32 has few digits left, and all ties.
void test_rounding ()
{
  const auto near = filled (streams (Element::f32)[0], [] (size_t, float noise) { return 1000 + noise; });
  const auto ties = filled (streams (Element::f32)[0], [] (size_t i, float) { return static_cast<float> (i) / 2; });
  for (const auto &[in, min, max] :
       {std::tuple{&near, "1000.25", "1000.75"}, {&ties, "0", "255"}, {&ties, "0", "65535"}})
    for (const char *type : {"u8", "u16"}) {
      const auto at = [&] (const char *variant, const Device *device) {
        const auto task = make_task ("rescale", {{"type", type}, {"min", min}, {"max", max}, {"variant", variant}});
        return run_task (*task, {in, nullptr}, {.device = device});
      };
      same_bytes (at ("opencl", &first_device ()), at ("native", nullptr));
    }
}

void test_limits_that_come ()
{
  Format two;
  two.axes = {{Axis::row, 1}, {Axis::column, 2}};
  const auto found = filled (two, [&] (size_t i, float) { return i == 0 ? 1.f : 3.f; });
  const auto in = filled (streams (Element::f32)[1], [] (size_t, float noise) { return 4 * noise; });
  const auto at = [&] (const char *variant, const Device *device) {
    const auto task = make_task ("rescale", {{"min", "input"}, {"max", "input"}, {"variant", variant}});
    return run_task (*task, {&in, &found}, {.rows = 2, .lanes = 4, .device = device});
  };
  same_bytes (at ("opencl", &first_device ()), at ("native", nullptr));
}

void test_minus_log ()
{
  each_case ("minus-log", {{"air", "200"}, {"least", "0.01"}}, "clamped", drawn (elements (), small ? 1 : 3), false,
             [] (const Array &got, const Array &native) {
               for (size_t i = 0; i < size_of (got); i++) {
                 const auto is = value_at (got, i), should = value_at (native, i);
                 if (!(is == should || (std::isnan (is) && std::isnan (should)) ||
                       std::abs (is - should) <= 1e-6 * std::max (1., std::abs (should))))
                   g_error ("value %zu is %.9g, not %.9g", i, is, should);
               }
             });
}

// Kernels whose nodes learn something in the run before: tests of whole runs hold them to numpy.
void test_trial (gconstpointer data)
{
  const auto &family = *static_cast<const families::Family *> (data);
  for (const auto &kernel : family.kernels)
    for (const int group : drawn (kernel.parameters[0].values, 3)) {
      const families::Setting setting{&kernel, {{kernel.parameters[0].name, group}}};
      g_assert_cmpfloat (family.trial (first_device (), setting, family.usual), <=, family.most_error);
    }
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    if (first_device ().device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG> () != 0) {
      g_test_add_func ("/values/opencl/rescale", test_rescale);
      if (!small) {
        g_test_add_func ("/values/opencl/rounding", test_rounding);
        g_test_add_func ("/values/opencl/limits", test_limits_that_come);
      }
    }
    g_test_add_func ("/values/opencl/minus-log", test_minus_log);
    for (const auto *family :
         {&cone_weight::family (), &correct_dose::family (), &dynamic_flats::family (), &stitch_360::family ()})
      g_test_add_data_func (("/values/opencl/trials/" + std::string (family->name)).c_str (), family, test_trial);
  });
}

} // namespace sino::test::values_opencl_test
