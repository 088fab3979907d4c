// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/projector/projector.hpp"
#include "base/cancellation.hpp"
#include "kernels/forward-project/joseph.hpp"
#include <algorithm>
#include <cmath>

namespace sino::projector {

using namespace forward_project;

Projector::Projector (std::span<const View> views, int64_t columns, const Volume &volume) : box (volume)
{
  detectors.reserve (views.size ());
  for (const auto &view : views) {
    step_unless_cancelled ();
    detectors.push_back (detector_of (view, columns, box));
  }
}

void Projector::forward (const Block &slices, std::span<Block> projections, Work &work) const
{
  transpose (slices, work);
  std::vector<bool> empty; // slices without any value add nothing
  for (int64_t z = 0; z < slices.rows ().size (); z++)
    empty.push_back (std::ranges::all_of (
        slices.all<float> ().subspan (static_cast<size_t> (z * slices.line ()), static_cast<size_t> (slices.line ())),
        [] (float value) { return value == 0; }));
  for (auto &out : projections) {
    const auto rows = out.rows ().size ();
    work.cpu.parallel (out.angles ().size () * rows, 1, [&] (int64_t begin, int64_t end) {
      Rays rays;
      for (auto i = begin; i < end; i++) {
        work.monitor.check ();
        const auto &detector = detectors[static_cast<size_t> (out.angles ().at (i / rows))];
        const auto row = out.rows ().at (i % rows);
        const auto seen = forward_project::slices_seen (box, detector, {row, row + 1}, slices.rows ());
        if (seen.empty ())
          continue;
        find_rays (box, detector, row, rays);
        for (auto z = seen.begin; z < seen.end; z++) {
          if (empty[static_cast<size_t> (slices.rows ().place (z))])
            continue;
          const auto at = slices.rows ().place (z) * slices.line ();
          add_slice (box, z, {slices.as<float> () + at, work.transposed.data () + at}, detector, rays,
                     out.as<float> () + out.offset (i / rows, i % rows));
        }
      }
    });
  }
}

void Projector::adjoint (const Block &projections, std::span<Block> slices, const Work &work) const
{
  const auto rows = projections.rows ().size ();
  for (auto &out : slices)
    work.cpu.parallel (out.rows ().size (), 1, [&] (int64_t begin, int64_t end) {
      Rays rays;
      const Interval own{out.rows ().at (begin), out.rows ().at (begin) + end - begin};
      for (int64_t i = 0; i < projections.angles ().size () * rows; i++) {
        work.monitor.check ();
        const auto &detector = detectors[static_cast<size_t> (projections.angles ().at (i / rows))];
        const auto row = projections.rows ().at (i % rows);
        const auto seen = forward_project::slices_seen (box, detector, {row, row + 1}, own);
        if (seen.empty ())
          continue;
        find_rays (box, detector, row, rays);
        for (auto z = seen.begin; z < seen.end; z++)
          spread_row (box, z, projections.as<float> () + projections.offset (i / rows, i % rows), detector, rays,
                      out.as<float> () + out.offset (0, out.rows ().place (z)));
      }
    });
}

// Transposes slices, so that rays along x also read neighbouring values.
void Projector::transpose (const Block &slices, Work &work) const
{
  work.transposed.resize (static_cast<size_t> (slices.values ()));
  work.cpu.parallel (slices.rows ().size (), 1, [&] (int64_t begin, int64_t end) {
    for (auto z = begin; z < end; z++)
      for (int64_t x = 0; x < box.columns; x++)
        for (int64_t y = 0; y < box.lines; y++)
          work.transposed[static_cast<size_t> (z * slices.line () + x * box.lines + y)] =
              slices.as<float> ()[z * slices.line () + y * box.columns + x];
  });
}

Interval Projector::slices_seen (Interval rows) const
{
  Interval seen;
  for (const auto &detector : detectors)
    seen = seen.cover (forward_project::slices_seen (box, detector, rows, {0, box.slices}));
  return seen;
}

double Projector::least_depth () const
{
  const auto outermost = corners (box, {0, box.slices}, 1);
  double least = HUGE_VAL;
  for (const auto &detector : detectors) {
    step_unless_cancelled ();
    for (const auto &corner : outermost)
      least = std::min (least, project (detector.matrix, corner).weight);
  }
  return least;
}

double Projector::widest_pixel () const
{
  double most = 0;
  for (const auto &[view, matrix, columns, across, down] : detectors) {
    step_unless_cancelled ();
    most =
        std::max ({most, length (view.column) * matrix[2][3] / box.size, length (view.row) * matrix[2][3] / box.size});
  }
  return most;
}

double Projector::rays_per_row () const
{
  double sum = 0;
  for (const auto &detector : detectors)
    sum += static_cast<double> (detector.columns * detector.across * detector.down);
  return sum;
}

} // namespace sino::projector
