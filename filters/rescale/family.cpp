// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/rescale/family.hpp"
#include "filters/point/opencl-elements.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::rescale {

using namespace families;

namespace {

// In the order of the node's property `type`.
constexpr Element types[] = {Element::u8, Element::u16, Element::f32};

Element type_of (const Problem &problem)
{
  return types[static_cast<size_t> (problem["type"])];
}

std::string options (const Setting &, const Problem &problem)
{
  const auto to = type_of (problem);
  return point::element_option (static_cast<Element> (problem["element"])) + text (" -DOUT=%s -DTOP=%.0f -DINTEGERS=%d",
                                                                                   to == Element::u8    ? "uchar"
                                                                                   : to == Element::u16 ? "ushort"
                                                                                                        : "float",
                                                                                   greatest (to), to != Element::f32);
}

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  constexpr Limits limits{20.25, 200.75};
  const auto to = type_of (problem);
  point::OpenclValues values (device, family (), setting, problem);
  take (values, limits);
  return point::value_error (device, values, static_cast<Element> (problem["element"]), to,
                             [&] (const float *value, std::byte *out) { return rescale (value, 1, limits, to, out); });
}

} // namespace

Problem problem_of (Element from, Element to)
{
  const auto type = std::find (std::begin (types), std::end (types), to) - std::begin (types);
  return {1, 1000, {{"element", static_cast<int64_t> (from)}, {"type", type}}};
}

void take (point::OpenclValues &values, const Limits &limits)
{
  values.take (cl_double{limits.min}, cl_double{limits.max}, cl_double{limits.max - limits.min});
}

const Family &family ()
{
  static const Family all{
      .name = "rescale",
      .words = {{.name = "type", .help = "Element type of the output", .values = {"u8", "u16", "f32"}},
                {.name = "min", .help = "Value that becomes 0"},
                {.name = "max", .help = "Value that becomes the greatest"},
                point::element_word ()},
      .kernels = {point::value_kernel ({"rescale/rescale.cl", opencl::opencl_source})},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = problem_of (Element::f32, Element::u8),
      .options = options,
      .trial = trial_error,
      .most_error = 0};
  return all;
}

} // namespace sino::rescale
