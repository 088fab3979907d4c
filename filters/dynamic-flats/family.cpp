// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/dynamic-flats/family.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/point/opencl-lines.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/opencl/source.hpp"
#include <algorithm>

namespace sino::dynamic_flats {

using namespace families;

namespace {

std::string options (const Setting &, const Problem &problem)
{
  return point::element_option (static_cast<Element> (problem["element"]));
}

// Against the definition in float64, with changes of the beam beyond both limits.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  constexpr size_t columns = 67, rows = 5, projections = 4, first = 2, components = 3, plane = columns * rows;
  const auto element = static_cast<Element> (problem["element"]);
  std::vector<std::byte> in (projections * plane * size_of (element));
  std::vector<float> beam, weights, got (projections * plane);
  for (size_t i = 0; i < (1 + components) * plane; i++)
    beam.push_back (i < plane ? 10 + static_cast<float> (i % 7) : noise (static_cast<int64_t> (i)));
  for (size_t i = 0; i < (first + projections) * components; i++)
    weights.push_back (2 * noise (static_cast<int64_t> (i) + 5000));
  const auto value = [] (size_t i) { return static_cast<float> (20 + i * 59 % 221); };
  for (size_t i = 0; i < got.size (); i++)
    point::store_value (element, &in[i * size_of (element)], value (i));
  const auto table = [&] (std::vector<float> &values) {
    return cl::Buffer (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, values.size () * sizeof (float),
                       values.data ());
  };
  const auto beam_there = table (beam), weights_there = table (weights);
  point::OpenclLines kernel (device, family (), setting, problem);
  compute (device, in, std::as_writable_bytes (std::span (got)), [&] (auto &queue, auto &from, auto &to) {
    kernel.take (from, columns, rows, beam_there, components, weights_there, first, to);
    kernel.enqueue (queue, columns, {0, projections * rows});
  });
  RelativeError error;
  for (size_t i = 0; i < got.size (); i++) {
    double change = 1;
    for (size_t k = 0; k < components; k++)
      change += double{weights[(first + i / plane) * components + k]} * double{beam[(k + 1) * plane + i % plane]};
    const double dark{beam[i % plane]};
    error.add (double{got[i]}, dark + (double{value (i)} - dark) / std::clamp (change, 0.25, 4.));
  }
  return error.value ();
}

} // namespace

Problem problem_of (Element element)
{
  return {1, 1000, {{"element", static_cast<int64_t> (element)}}};
}

const Family &family ()
{
  static const Family all{.name = "dynamic-flats",
                          .words = {point::element_word ()},
                          .kernels = {point::value_kernel ({"dynamic-flats/dynamic-flats.cl", opencl::opencl_source})},
                          .any_lanes = true,
                          .takes_projections = true,
                          .native_on_cpus = true,
                          .usual = problem_of (Element::u16),
                          .options = options,
                          .trial = trial_error,
                          .most_error = 1e-6};
  return all;
}

} // namespace sino::dynamic_flats
