// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/family.hpp"
#include "device/line-plan.hpp"
#include "device/opencl-memory.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/ramp-filter/clfft-rows.hpp"
#include "filters/ramp-filter/whole-rows.hpp"
#include "filters/ramp-filter/words.hpp"
#include "kernels/opencl/source.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::ramp_filter {

using namespace families;

namespace {

std::optional<LinePlan> own_plan (const OpenclDevice &device, const families::Setting &setting,
                                  const families::Problem &problem)
{
  return setting["FFT"] == 1 ? line_plan (problem["padded"] / 2, device.facts ()) : std::nullopt;
}

} // namespace

void rows_memory (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
                  int64_t rows, Bill &bill)
{
  const auto padded = problem["padded"];
  add_buffers (bill, factors_item, static_cast<size_t> (padded) * sizeof (float));
  if (const auto plan = own_plan (device, setting, problem))
    WholeRows::memory (*plan, bill);
  else
    ClfftRows::memory (device, padded, rows, bill);
}

std::unique_ptr<OpenclRows> make_rows (const RowsSetup &setup)
{
  if (const auto plan = own_plan (setup.device, setup.setting, setup.problem))
    return std::make_unique<WholeRows> (setup, *plan);
  return std::make_unique<ClfftRows> (setup);
}

namespace {

// The reason why our transforms cannot do what the setting wants; "" if they can.
std::string own_refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts)
{
  const auto padded = problem["padded"];
  return setting["FFT"] == 1 && !line_plan (padded / 2, facts)
             ? text ("FFT=1 does not have rows of %" G_GINT64_FORMAT " padded values on this device: clFFT has them",
                     padded)
             : "";
}

constexpr int64_t shift = 3, angles = 2;

float value (int64_t line, int64_t column)
{
  return families::noise (line * 70001 + column);
}

// Adds to a row half of itself moved by `shift` in both directions, cyclically in its padded length.
std::vector<double> response (int64_t padded)
{
  std::vector<double> values;
  for (int64_t k = 0; k <= padded / 2; k++)
    values.push_back (1 +
                      std::cos (2 * std::numbers::pi * static_cast<double> (shift * k) / static_cast<double> (padded)));
  return values;
}

struct Trial {
  int64_t padded, width, lanes;
  bool edge;

  explicit Trial (const Problem &problem)
      : padded (problem["padded"]), width (std::min<int64_t> (padded / 2, 1000)), lanes (problem.lanes),
        edge (problem["padding-mode"] == 1)
  {
  }

  int64_t rows () const { return lanes + 1; } // to test lanes without a row
  size_t size () const { return static_cast<size_t> (2 * lanes * angles * width); }
  size_t at (int64_t row, int64_t angle, int64_t column) const
  {
    return static_cast<size_t> (((row / lanes * angles + angle) * width + column) * lanes + row % lanes);
  }

  std::vector<float> values () const
  {
    std::vector<float> all (size (), 7); // also in lanes without a row
    each ([&] (size_t i, int64_t line, int64_t column) { all[i] = value (line, column); });
    return all;
  }
  std::vector<float> truth () const
  {
    std::vector<float> all (size (), 0);
    each ([&] (size_t i, int64_t line, int64_t column) {
      all[i] = padded_value (line, column) +
               0.5f * (padded_value (line, column - shift) + padded_value (line, column + shift));
    });
    return all;
  }

private:
  void each (auto body) const
  {
    for (int64_t row = 0; row < rows (); row++)
      for (int64_t angle = 0; angle < angles; angle++)
        for (int64_t column = 0; column < width; column++)
          body (at (row, angle, column), row * angles + angle, column);
  }
  float padded_value (int64_t line, int64_t column) const
  {
    column = (column + padded) % padded;
    if (column < width)
      return value (line, column);
    return !edge ? 0 : value (line, column < width + (padded - width) / 2 ? width - 1 : 0);
  }
};

// Largest error, relative to values of 1.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const Trial trial (problem);
  auto values = trial.values (), got = values;
  return device.attempt ([&] {
    Bill bill;
    rows_memory (device, setting, problem, std::ssize (values) / trial.width, bill);
    Allotment memory (bill);
    const auto filter = spectrum_filter (response (trial.padded));
    const auto rows = make_rows ({.device = device,
                                  .setting = setting,
                                  .problem = problem,
                                  .width = trial.width,
                                  .filter = filter,
                                  .memory = memory});
    families::compute (
        device, std::as_bytes (std::span (values)), std::as_writable_bytes (std::span (got)),
        [&] (auto &queue, auto &in, auto &out) { rows->enqueue (queue, in, out, trial.rows (), angles); });
    return point::largest_error (got, trial.truth ());
  });
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "ramp-filter",
      .words = {{.name = "padding-mode", .help = padding_blurb, .values = {"zero", "edge"}},
                {.name = "padded", .help = "Length of a padded row", .from = Word::From::scan, .tried = true}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernels",
                   .source = {"ramp-filter/ramp-filter.cl", opencl::opencl_source},
                   .lanes = {1, 2, 4, 8, 16, 32},
                   .parameters = {{.name = "GROUP", .values = {64, 128, 256}},
                                  {.name = "FFT", .values = {0, 1}, .spared = true, .on_cpus = 0}}, // 1: our own
                   .shape = group_shape,
                   .contradiction = own_refusal}},
      .native_on_cpus = true,
      .usual = problem_of (4096, false, 1),
      .options = options,
      .trial = trial_error,
      .most_error = 1e-5,
      .tuning = [] { return opencl::kernel_file ("ramp-filter/tuning.json"); }};
  return all;
}

} // namespace sino::ramp_filter
