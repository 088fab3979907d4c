// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/search.hpp"
#include "base/angle.hpp"
#include "filters/find-geometry/mirror.hpp"
#include "filters/find-geometry/opposites.hpp"
#include "filters/find-geometry/pairs.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_geometry {
namespace {

constexpr Values steps{0.05, 0.2, 0.01, 0.005, 0.02, 0.001}; // for derivatives
constexpr int most_harmonics = 64;
constexpr size_t groups = 24;
constexpr double apart[] = {2.0, 1.4}; // radians between the projections of a pair
constexpr int few_pairs = 64, pairs = 192, planes = 48;
constexpr double reach = 0.15; // of the height, by which the middle row is searched for
// Share of the noise of the mean that a harmonic has: its real and its imaginary part have half of the noise each.
const double mean_weight = std::sqrt (0.5);
// Jackknifes of neighbouring rays are too sure; calibrated with 200 simulated scans.
constexpr double caution = 2;
// A pitch moves little, and hides in the roll if there is a yaw: it is assumed to be small, as strongly as so many
// residuals say, because neighbouring ones are alike.
constexpr double usual_pitch = radians (1);
constexpr double pitch_weight = 5;
// A fit that wants more follows errors of another kind, as of a smooth object without noise: the given pitch stays
// then.
constexpr double most_pitch = 3 * usual_pitch;
// Smooth objects hardly show the middle row, and the groups of a jackknife are wrong together then. Share of the
// height.
constexpr double least_row_error = 0.02;
constexpr double border_share = 0.15; // greater values at the borders, relative to the mean: a truncated object

struct Finder {
  const Reduced &scan;
  double aspect;
  Image mean;
  Values values;
  Values origin;
  bool flat;
  int most_k; // harmonics
  Harmonics harmonics = {};
  double row_error = 0;
  bool row_found = false;

  // Opposite rays around the plane. The harmonics stay while they are of the same rows.
  Opposites opposite_rays (double window)
  {
    const auto rows = rows_around (scan, detector_of (values, aspect), window);
    if (harmonics.first != rows.begin || harmonics.rows != rows.size () || harmonics.real.empty ())
      harmonics = harmonics_of (scan, rows, most_k);
    return {harmonics, values, aspect, window};
  }

  void mirror ()
  {
    const Mirror residual (mean, values, aspect);
    const auto left = [&] (const Values &at, std::vector<double> &all) {
      all.clear ();
      residual.add (at, 1, all);
    };
    values = least_squares (values, origin, steps, {true, false, false, false, false, !flat}, left, groups, 10).values;
  }

  Fit opposites (bool distance)
  {
    const auto residual = opposite_rays (0);
    const auto left = [&] (const Values &at, std::vector<double> &all) {
      all.clear ();
      residual.add (at, all);
    };
    const auto fit =
        least_squares (values, origin, steps, {true, false, distance, true, false, false}, left, groups, 10);
    values = fit.values;
    return fit;
  }

  Fit both ()
  {
    const Mirror from_mean (mean, values, aspect);
    const auto from_rays = opposite_rays (0);
    double per_pitch = 0; // what a pitch of a radian adds to the residuals
    const auto left = [&] (const Values &at, std::vector<double> &all) {
      all.clear ();
      from_mean.add (at, mean_weight, all);
      from_rays.add (at, all);
      all.push_back (per_pitch * (at[pitch_number] - origin[pitch_number]));
    };
    std::vector<double> now;
    left (values, now);
    double sum = 0;
    for (const double value : now)
      sum += value * value;
    per_pitch = pitch_weight * std::sqrt (sum / static_cast<double> (now.size ())) / usual_pitch;
    auto fit = least_squares (values, origin, steps, {true, false, true, true, !flat, !flat}, left, groups, 30);
    if (std::abs (fit.values[pitch_number] - origin[pitch_number]) > most_pitch) {
      values[pitch_number] = origin[pitch_number];
      fit = least_squares (values, origin, steps, {true, false, true, true, false, !flat}, left, groups, 30);
    }
    values = fit.values;
    return fit;
  }

  // The distance at which opposite rays have most in common.
  void likely_distance ()
  {
    const auto start = values;
    double best = start[distance_number], least = 1e300;
    for (double share = 1; share <= 20; share *= 1.35) {
      values = start;
      values[distance_number] = origin[distance_number] = std::log (share * static_cast<double> (scan.columns));
      if (const auto fit = opposites (true); fit.rms < least) {
        least = fit.rms;
        best = values[distance_number];
      }
    }
    values = start;
    values[distance_number] = origin[distance_number] = best;
  }

  void row (double range, int count)
  {
    if (flat)
      return;
    const Planes all (scan, values, aspect, apart, count, planes);
    const double height = static_cast<double> (scan.rows);
    const auto found = find_row (all, values, range * height, height / 60, height / 30);
    row_found = found && std::abs (found->row - origin[row_number]) < reach * height;
    values[row_number] = row_found ? found->row : origin[row_number];
    row_error = row_found ? found->error : reach * height / caution;
  }
};

bool is_truncated (const Image &mean)
{
  double all = 0, border = 0;
  const int64_t width = std::max<int64_t> (mean.columns / 64, 1);
  for (int64_t row = 0; row < mean.rows; row++) {
    const float *values = mean.row (row);
    for (int64_t u = 0; u < mean.columns; u++)
      all += static_cast<double> (values[u]) / static_cast<double> (mean.columns);
    double left = 0, right = 0;
    for (int64_t u = 0; u < width; u++) {
      left += static_cast<double> (values[u]);
      right += static_cast<double> (values[mean.columns - 1 - u]);
    }
    border += std::max (left, right) / static_cast<double> (width);
  }
  return border > border_share * all;
}

} // namespace

Found search (Reduced &scan, const Detector &start, bool knows_distance, bool flat)
{
  smooth (scan);
  Finder finder{scan, start.aspect, mean_of (scan), values_of (start), values_of (start), flat, 1};
  auto &values = finder.values;
  finder.most_k = static_cast<int> (std::clamp<int64_t> (scan.directions / 2 - 1, 1, most_harmonics));
  Found found;
  found.truncated = is_truncated (finder.mean);
  values[axis_number] = finder.origin[axis_number] = mirror_column (finder.mean, start.axis);
  finder.mirror ();
  found.mirror_axis = values[axis_number];
  if (!knows_distance)
    finder.likely_distance ();
  finder.row (reach, few_pairs);
  finder.opposites (false);
  finder.opposites (true);
  finder.mirror ();
  finder.row (0, pairs);
  finder.opposites (true);
  finder.both ();
  finder.row (0, pairs);
  const auto last = finder.both ();

  const auto around = finder.opposite_rays (flat ? 0 : 4);
  found.coherence = around.coherence ();
  found.row_found = flat || finder.row_found;
  found.other_row = values[row_number] + (flat ? 0 : around.rows_to_plane (values));
  found.values = values;
  const auto error = [&] (Number number, double least) { return std::hypot (caution * last.error (number), least); };
  found.errors = {
      error (axis_number, 0.003),
      std::hypot (caution * finder.row_error, least_row_error * static_cast<double> (scan.rows)),
      std::hypot (error (distance_number, 0.0005), std::sqrt (last.white[distance_number])),
      error (yaw_number, radians (0.01)),
      usual_pitch,
      std::hypot (error (roll_number, radians (0.005)), 1.5 * std::abs (std::sin (values[yaw_number])) * usual_pitch)};
  if (found.truncated) { // planes then lack a part of the object
    found.errors[row_number] = std::hypot (found.errors[row_number], 0.05 * static_cast<double> (scan.rows));
    found.errors[distance_number] = std::hypot (found.errors[distance_number], 0.03);
  }
  return found;
}

size_t search_bytes (int64_t columns, int64_t rows)
{
  const auto pixels = static_cast<size_t> (columns * rows),
             band = static_cast<size_t> (columns * std::min (rows, 16 + columns / 8)); // of a roll of 7 degrees
  constexpr size_t image = sizeof (float) + sizeof (double), vectors = numbers + 2,
                   differences = 32 * static_cast<size_t> (pairs * planes) * sizeof (double);
  return pixels * (image + vectors * sizeof (double)) + band * 2 * most_harmonics * sizeof (float) + differences;
}

} // namespace sino::find_geometry
