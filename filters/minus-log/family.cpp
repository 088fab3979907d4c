// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/minus-log/family.hpp"
#include "filters/point/opencl-elements.hpp"
#include "kernels/minus-log/minus-log.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::minus_log {

using namespace families;

namespace {

std::string options (const Setting &, const Problem &problem)
{
  return point::element_option (static_cast<Element> (problem["element"]));
}

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  constexpr float air = 200, least = 0.01f;
  point::OpenclValues values (device, family (), setting, problem);
  values.take (cl_float{air}, cl_float{least});
  return point::value_error (device, values, static_cast<Element> (problem["element"]), Element::f32,
                             [] (const float *value, std::byte *out) {
                               return minus_log (value, 1, air, least, reinterpret_cast<float *> (out));
                             });
}

} // namespace

Problem problem_of (Element element)
{
  return {1, 1000, {{"element", static_cast<int64_t> (element)}}};
}

const Family &family ()
{
  static const Family all{.name = "minus-log",
                          .words = {point::element_word ()},
                          .kernels = {point::value_kernel ({"minus-log/minus-log.cl", opencl::opencl_source})},
                          .any_lanes = true,
                          .takes_projections = true,
                          .native_on_cpus = true,
                          .usual = problem_of (Element::f32),
                          .options = options,
                          .trial = trial_error,
                          .most_error = 1e-6};
  return all;
}

} // namespace sino::minus_log
