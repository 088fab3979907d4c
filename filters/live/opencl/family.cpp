// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/opencl/family.hpp"
#include "device/opencl.hpp"
#include "families/trial.hpp"
#include "filters/live/opencl/easel.hpp"
#include "filters/live/opencl/problem.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::live {

using families::Problem, families::Setting, families::Word;

namespace {

constexpr int64_t trial_columns = 37, trial_rows = 9, trial_views = 5;

bool is_hole (int64_t view, int64_t row, int64_t column)
{
  return view == 1 && row == 4 && column == 20;
}

// Values that halves hold exactly; a hole has the mean of its neighbours.
float value_of (int64_t view, int64_t row, int64_t column)
{
  if (is_hole (view, row, column))
    return 0.5f * (value_of (view, row, column - 1) + value_of (view, row, column + 1));
  if (row < 0 || row >= trial_rows || column < 0 || column >= trial_columns)
    return 0;
  return std::round (128 * families::noise ((view * trial_rows + row) * trial_columns + column)) / 128;
}

Block some_projections ()
{
  const auto format = std::make_shared<const Format> (
      projections (Element::f32, {Axis::angle, trial_views}, {Axis::row, trial_rows}, {Axis::column, trial_columns}));
  Block block = make_block (format, {}, {{0, trial_rows}, {0, trial_views}});
  for (int64_t i = 0; i < block.values (); i++) {
    const auto view = i / (trial_rows * trial_columns), row = i / trial_columns % trial_rows,
               column = i % trial_columns;
    block.as<float> ()[i] =
        is_hole (view, row, column) ? std::numeric_limits<float>::quiet_NaN () : value_of (view, row, column);
  }
  return block;
}

std::vector<Sight> some_sights ()
{
  std::vector<Sight> sights;
  for (int64_t k = 0; k < trial_views; k++) {
    const double angle = 0.3 + 1.1 * static_cast<double> (k);
    sights.push_back ({.place = k,
                       .cos = std::cos (angle),
                       .sin = std::sin (angle),
                       .origin = 17.3,
                       .factor = k == 3 ? -1.0f : 1.0f});
  }
  return sights;
}

// A level plane between two rows, an upright one, and one that leaves the detector on all sides.
std::vector<Plane> some_planes ()
{
  const Plane level{
      .x = 1, .y = -2, .row = 4.3, .right = {0.8, 0.5}, .down = {-0.5, 0.8, 0}, .width = 45, .height = 41};
  auto upright = level, tilted = level;
  upright.row = 4, upright.down[0] = upright.down[1] = 0, upright.down[2] = 1;
  tilted.down[2] = 0.6;
  return {level, upright, tilted};
}

double truth (const std::vector<Sight> &sights, const Plane &plane, int64_t line, int64_t column)
{
  const auto i = static_cast<double> (column), j = static_cast<double> (line), row = plane.row_of (line),
             above = std::floor (row), below = row - above;
  double sum = 0;
  for (const auto &sight : sights) {
    const double u = sight.first (plane) + i * sight.right (plane) + j * sight.down (plane), left = std::floor (u),
                 right = u - left;
    const auto at = [&] (int64_t r, int64_t c) {
      return static_cast<double> (
          value_of (sight.place, static_cast<int64_t> (above) + r, static_cast<int64_t> (left) + c));
    };
    sum += static_cast<double> (sight.factor) * ((1 - below) * ((1 - right) * at (0, 0) + right * at (0, 1)) +
                                                 below * ((1 - right) * at (1, 0) + right * at (1, 1)));
  }
  return sum;
}

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto planes = some_planes ();
  const auto sights = some_sights ();
  const Keeping keeping{.projections = {.values = nullptr,
                                        .half = problem["precision"] == 0,
                                        .columns = trial_columns,
                                        .rows = trial_rows},
                        .places = trial_views,
                        .rows = trial_rows,
                        .row_bin = 1,
                        .finite = false,
                        .weights = std::vector<float> (trial_views, 1),
                        .weighing = {}};
  Bill bill;
  const auto block = some_projections ();
  device_memory (device, keeping,
                 {.most_values = static_cast<size_t> (planes[0].stride () * planes[0].height),
                  .most_lines = planes[0].height,
                  .pictures = planes.size ()},
                 nullptr, block.bytes (), bill);
  Allotment memory (bill);
  const auto easel = device_easel (device, keeping, setting, nullptr, memory);
  easel->take (block, {0, 3});
  easel->take (block, {3, trial_views});
  families::RelativeError error;
  for (const auto &plane : planes) {
    const auto sums = easel->sums ();
    std::vector<float> picture (static_cast<size_t> (plane.width * plane.height));
    sums->begin (plane);
    const Change change{.sums = sums.get (), .plane = &plane, .turns = {}, .sights = sights, .cones = {}};
    easel->add ({&change, 1});
    sums->read (easel->unit (), picture.data ());
    for (int64_t j = 0; j < plane.height; j++)
      for (int64_t i = 0; i < plane.width; i++)
        error.add (static_cast<double> (picture[static_cast<size_t> (j * plane.width + i)]),
                   truth (sights, plane, j, i));
  }
  return error.value ();
}

families::Shape shape_of (const Setting &setting, const Problem &)
{
  return {.group = {static_cast<size_t> (setting["WIDE"]), static_cast<size_t> (setting["HIGH"])},
          .area = {setting["WIDE"], setting["HIGH"]}};
}

} // namespace

const families::Family &family ()
{
  static const families::Family all{
      .name = "live",
      .words = {{.name = "precision", .help = "How projections are kept", .values = {"half", "single"}}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernels",
                   .source = {"live/live.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = {{"WIDE", {32, 16, 64, 128, 8}}, {"HIGH", {4, 8, 2, 1, 16}}},
                   .shape = shape_of}},
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = family_problem (true, 1024),
      .options = options,
      .trial = trial_error,
      .most_error = 1e-5};
  return all;
}

} // namespace sino::live
