// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/rough-scan.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "filters/cone/volume.hpp"
#include "kernels/ramp-filter/response.hpp"
#include <cmath>
#include <hwy/aligned_allocator.h>

namespace sino::beam_hardening {

namespace {

constexpr int64_t most_bins = 192, most_projections = 360;
constexpr double steepest = 0.05; // of the rays against the plane of rotation: their lengths are right to 0.2 %

// The row in which the middle ray lies in the plane of rotation; any row of a parallel beam in this plane.
double middle_row (const View &view, int64_t columns, int64_t rows)
{
  if (view.parallel) {
    if (std::abs (view.source.z) > steepest * length (view.source))
      fail (SINO_ERROR_BAD_FORMAT, "the rays are not in the plane of rotation");
    return 0.5 * static_cast<double> (rows);
  }
  const auto middle = view.corner + 0.5 * static_cast<double> (columns) * view.column;
  if (!(std::abs (view.row.z) > 0.5 * length (view.row)))
    fail (SINO_ERROR_BAD_FORMAT, "the rows of the detector are not in the plane of rotation");
  return (view.source.z - middle.z) / view.row.z;
}

// Rows whose rays are in the plane of rotation.
Interval flat_rows (const std::vector<View> &views, int64_t columns, int64_t rows)
{
  double low = 0, high = static_cast<double> (rows);
  for (const auto &view : views) {
    const double middle = middle_row (view, columns, rows);
    if (view.parallel)
      continue;
    const double reach = std::max (steepest * distances_of (view).detector / length (view.row), 0.5);
    low = std::max (low, middle - reach);
    high = std::min (high, middle + reach);
  }
  const Interval flat{static_cast<int64_t> (std::floor (low + 0.5)), static_cast<int64_t> (std::floor (high + 0.5))};
  if (flat.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "no row of the detector sees the object along the plane of rotation");
  return flat;
}

// The same view of one row of bins in the plane z = 0.
View flattened (const View &view, double row, int64_t bin)
{
  const auto flat = [] (const Vector &v) { return Vector{v.x, v.y, 0}; };
  const Vector down{0, 0, length (view.row)};
  return {view.parallel, flat (view.source), flat (view.corner + row * view.row) - 0.5 * down,
          static_cast<double> (bin) * flat (view.column), down};
}

std::vector<double> response (int64_t half)
{
  const ramp_filter::Ramp ramp (2 * half);
  std::vector<double> values;
  for (int64_t k = 0; k <= half; k++)
    values.push_back (ramp.at (k) * ramp_filter::window_at (ramp_filter::Window::hann,
                                                            static_cast<double> (k) / static_cast<double> (half), 1, 2,
                                                            1.5));
  return values;
}

} // namespace

RoughScan::RoughScan (const Format &scan, int64_t rows)
    : bin (divide_up (scan.line (), most_bins)), stride (divide_up (scan.angles (), most_projections)),
      columns (scan.line () / bin), angles (divide_up (scan.angles (), stride))
{
  const auto views = cone::views_of (scan);
  const auto flat = flat_rows (views, scan.line (), scan.rows ());
  const auto number = std::min (rows, flat.size ());
  for (int64_t i = 0; i < number; i++)
    list.push_back (flat.begin + (2 * i + 1) * flat.size () / (2 * number));
  const double middle = 0.5 * static_cast<double> (flat.begin + flat.end);
  Format rough = sino::projections (Element::f32, {Axis::angle, angles}, {Axis::row, 1}, {Axis::column, columns});
  Geometry geometry;
  for (int64_t i = 0; i < scan.angles (); i += stride) {
    geometry.angles.push_back (scan.geometry->angles[static_cast<size_t> (i)]);
    geometry.views.push_back (flattened (views[static_cast<size_t> (i)], middle, bin));
  }
  geometry.pixel_size = length (geometry.views[0].column);
  rough.geometry = std::make_shared<const Geometry> (std::move (geometry));
  weighing = cone::Weighing (rough, {});
  const auto &known = *rough.geometry;
  const auto &coverage = weighing.weights ().coverage ();
  if (coverage.helix)
    fail (SINO_ERROR_BAD_FORMAT, "the object moves along the axis");
  for (size_t i = 0; i < known.views.size (); i++)
    sights.push_back ({matrix_of (known.views[i]),
                       coverage.steps[i] * known.pixel_size.value_or (1) * cone::density_of (known.views[i])});
  const auto wide = rough.line ();
  volume = cone::volume_of (cone::usual_voxel (known.views[0]), {wide, 0, wide}, {wide, 0, wide}, {1, 0, 1});
  const auto half = Fft::good_even_length (std::max<int64_t> (2 * wide, 32)) / 2;
  filter = std::make_unique<const ramp_filter::RowFilter> (response (half), false);
}

size_t RoughScan::work_floats () const
{
  const auto half = filter->padded () / 2;
  return 2 * ramp_filter::aligned_floats (half) + ramp_filter::aligned_floats (Fft::work_values (half));
}

// Weighs and filters the row of a projection for each power; `out`: [column][power].
void RoughScan::filter_rows (int64_t projection, const float *values, float *work, float *shares, float *out) const
{
  const auto wide = static_cast<size_t> (size ()), all = static_cast<size_t> (columns);
  const auto half = filter->padded () / 2;
  float *const a = work, *const b = a + ramp_filter::aligned_floats (half),
               *const scratch = b + ramp_filter::aligned_floats (half);
  const auto number = static_cast<size_t> (projection);
  weighing.weights ().shares (number, 0, {shares, all});
  std::vector<float> row (wide);
  for (size_t k = 0; k < powers; k++) {
    weighing.weigh (number, 0, {shares, all}, values + (static_cast<int64_t> (k) * angles + projection) * columns, row);
    filter->run (row.data (), size (), a, b, scratch, row.data ());
    for (size_t i = 0; i < wide; i++)
      out[i * powers + k] = row[i];
  }
}

// Adds a filtered row to a line of the slices, as Feldkamp, Davis and Kress do.
void RoughScan::add_line (const Sight &sight, const float *row, int64_t y, float *line) const
{
  const auto &[column, unused, depth] = sight.matrix;
  const double start_x = volume.first.x, at_y = volume.first.y + static_cast<double> (y) * volume.size;
  const double u = column[0] * start_x + column[1] * at_y + column[3], u_step = column[0] * volume.size;
  const double w = depth[0] * start_x + depth[1] * at_y + depth[3], w_step = depth[0] * volume.size;
  for (int64_t x = 0; x < size (); x++) {
    const double inverse = 1 / (w + static_cast<double> (x) * w_step);
    const double place = (u + static_cast<double> (x) * u_step) * inverse - 0.5;
    if (!(place >= 0 && place < static_cast<double> (size () - 1)))
      continue;
    const auto left = static_cast<int64_t> (place);
    const auto share = static_cast<float> (place - static_cast<double> (left)),
               weight = static_cast<float> (sight.weight * inverse * inverse);
    const float *const from = row + left * static_cast<int64_t> (powers);
    for (size_t k = 0; k < powers; k++)
      line[static_cast<size_t> (x) * powers + k] += weight * (from[k] + share * (from[k + powers] - from[k]));
  }
}

std::vector<float> RoughScan::slices (const float *values, const Cpu &cpu, const Monitor &monitor) const
{
  const auto line = size () * static_cast<int64_t> (powers);
  std::vector<float> filtered (static_cast<size_t> (angles * line)), made (static_cast<size_t> (size () * line));
  cpu.parallel (angles, 8, [&] (int64_t begin, int64_t end) {
    const auto work = hwy::AllocateAligned<float> (work_floats ());
    std::vector<float> shares (static_cast<size_t> (columns));
    for (auto i = begin; i < end; i++) {
      monitor.check ();
      filter_rows (i, values, work.get (), shares.data (), filtered.data () + i * line);
    }
  });
  cpu.parallel (size (), 1, [&] (int64_t begin, int64_t end) {
    for (auto y = begin; y < end; y++) {
      monitor.check ();
      for (int64_t i = 0; i < angles; i++)
        add_line (sights[static_cast<size_t> (i)], filtered.data () + i * line, y, made.data () + y * line);
    }
  });
  return made;
}

size_t RoughScan::bytes (int threads) const
{
  return static_cast<size_t> ((angles + size ()) * size ()) * powers * sizeof (float) +
         static_cast<size_t> (threads) * (work_floats () + static_cast<size_t> (columns + size ())) * sizeof (float) +
         Fft::plan_bytes (filter->padded () / 2);
}

} // namespace sino::beam_hardening
