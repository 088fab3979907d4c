// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/correct-dose/family.hpp"
#include "families/trial.hpp"
#include "filters/point/block-lines.hpp"
#include "filters/point/opencl-lines.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::correct_dose {

using namespace families;

namespace {

std::string options (const Setting &, const Problem &problem)
{
  return text (" -DATTENUATION=%d", problem["absorption"] == 0);
}

// Sinograms in lanes, some of which are empty.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  constexpr int64_t rows = 6, angles = 5, columns = 67, first = 2;
  const auto format = std::make_shared<const Format> (
      sinograms (Element::f32, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns}));
  Block in = make_block (format, {4}, {{0, rows}, {0, angles}}), got = make_block (format, {4}, in.region ()),
        truth = make_block (format, {4}, in.region ());
  std::vector<float> doses;
  for (int64_t i = 0; i < first + angles; i++)
    doses.push_back (0.5f + static_cast<float> (i));
  for (int64_t i = 0; i < in.values (); i++) {
    in.as<float> ()[i] = noise (i);
    truth.as<float> ()[i] = 0;
  }
  for (int64_t row = 0; row < rows; row++)
    for (int64_t angle = 0; angle < angles; angle++)
      for (int64_t column = 0; column < columns; column++) {
        const auto at = in.offset (angle, row) + column * 4;
        const auto dose = doses[static_cast<size_t> (first + angle)], value = in.as<float> ()[at];
        truth.as<float> ()[at] = problem["absorption"] == 0 ? value + dose : value * dose;
      }
  point::OpenclLines kernel (device, family (), setting, problem);
  const cl::Buffer table (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, doses.size () * sizeof (float),
                          doses.data ());
  compute (device, in.all (), got.all (), [&] (auto &queue, auto &from, auto &to) {
    kernel.take (from, point::there (point::BlockLines (in)), table, first, to);
    kernel.enqueue (queue, point::BlockLines (in));
  });
  return share_different (got.all (), truth.all ());
}

} // namespace

Problem problem_of (bool absorption)
{
  return {1, 1000, {{"absorption", absorption ? 0 : 1}}};
}

const Family &family ()
{
  static const Family all{
      .name = "correct-dose",
      .words = {{.name = "absorption", .help = "Values are attenuation", .values = {"true", "false"}}},
      .kernels = {point::value_kernel ({"correct-dose/correct-dose.cl", opencl::opencl_source})},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = problem_of (true),
      .options = options,
      .trial = trial_error,
      .most_error = 0};
  return all;
}

} // namespace sino::correct_dose
