// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/projector/projector.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <cmath>

namespace sino::projector {

using namespace forward_project;

constexpr int64_t most_together = 16;
constexpr size_t kept_bytes = size_t{16} << 20;

Projector::Projector (std::span<const View> views, int64_t columns, const Volume &volume) : box (volume)
{
  detectors.reserve (views.size ());
  for (const auto &view : views) {
    step_unless_cancelled ();
    detectors.push_back (detector_of (view, columns, box));
  }
  const auto stays = [] (const View &view) { return view.parallel && view.source.z == 0; }; // in a slice
  if (!std::ranges::all_of (views, stays))
    together = std::clamp<int64_t> (static_cast<int64_t> (kept_bytes / (voxels () * sizeof (float))), 1, most_together);
}

void Projector::forward (const Block &slices, std::span<Block> projections, Work &work) const
{
  const auto coming = slices.rows ();
  if (work.rows.size () + coming.size () > together || work.rows.end != coming.begin)
    finish (projections, work);
  if (coming.size () >= together)
    return add (slices.as<float> (), coming, projections, work);
  work.kept.resize (static_cast<size_t> (together) * voxels ());
  std::copy_n (slices.as<float> (), slices.values (), &work.kept[static_cast<size_t> (work.rows.size ()) * voxels ()]);
  work.rows = work.rows.cover (coming);
}

void Projector::finish (std::span<Block> projections, Work &work) const
{
  if (!work.rows.empty ())
    add (work.kept.data (), work.rows, projections, work);
  work.rows = {};
}

size_t Projector::work_bytes (size_t block) const
{
  const auto slice = voxels () * sizeof (float), kept = static_cast<size_t> (together);
  return std::max (block / slice, kept) * (slice + lists () * sizeof (Filled)) + (together > 1 ? kept * slice : 0);
}

// Adds neighbouring slices.
void Projector::add (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const
{
  prepare (slices, numbers.size (), work);
  std::vector<bool> empty; // slices without any value add nothing
  for (auto some = work.filled.cbegin (); some < work.filled.cend (); some += static_cast<std::ptrdiff_t> (lists ()))
    empty.push_back (std::all_of (some, some + box.lines, [] (const Filled &line) { return line.empty (); }));
  for (auto &out : projections) {
    const auto rows = out.rows ().size ();
    work.cpu.parallel (out.angles ().size () * rows, 1, [&] (int64_t begin, int64_t end) {
      Rays rays;
      for (auto i = begin; i < end; i++) {
        work.monitor.check ();
        const auto &detector = detectors[static_cast<size_t> (out.angles ().at (i / rows))];
        const auto row = out.rows ().at (i % rows);
        const auto seen = forward_project::slices_seen (box, detector, {row, row + 1}, numbers);
        bool found = false;
        for (auto z = seen.begin; z < seen.end; z++) {
          const auto place = static_cast<size_t> (numbers.place (z)), at = place * voxels ();
          if (empty[place])
            continue;
          if (!found)
            find_rays (box, detector, row, rays);
          found = true;
          const auto *filled = &work.filled[place * lists ()];
          add_slice (box, z, {slices + at, &work.transposed[at], filled, filled + box.lines}, detector, rays,
                     out.as<float> () + out.offset (i / rows, i % rows));
        }
      }
    });
  }
}

// Threads take many neighbouring slices at a time, because finding the rays of a row takes as long as some slices.
void Projector::adjoint (const Block &projections, std::span<Block> slices, const Work &work) const
{
  struct Slice {
    int64_t z;
    float *voxels;
  };
  std::vector<Slice> all;
  for (auto &out : slices)
    for (auto z = out.rows ().begin; z < out.rows ().end; z++)
      all.push_back ({z, out.as<float> () + out.offset (0, out.rows ().place (z))});
  const auto rows = projections.rows ().size (), parts = int64_t{2} * work.cpu.threads ();
  work.cpu.parallel (
      std::ssize (all), std::max<int64_t> (1, std::ssize (all) / parts), [&] (int64_t begin, int64_t end) {
        Rays rays;
        const std::span own (&all[static_cast<size_t> (begin)], static_cast<size_t> (end - begin));
        for (int64_t i = 0; i < projections.angles ().size () * rows; i++) {
          work.monitor.check ();
          const auto &detector = detectors[static_cast<size_t> (projections.angles ().at (i / rows))];
          const auto row = projections.rows ().at (i % rows);
          const auto seen =
              forward_project::slices_seen (box, detector, {row, row + 1}, {own.front ().z, own.back ().z + 1});
          if (seen.empty ())
            continue;
          find_rays (box, detector, row, rays);
          for (const auto &[z, voxels] : own)
            if (seen.place (z) >= 0)
              spread_row (box, z, projections.as<float> () + projections.offset (i / rows, i % rows), detector, rays,
                          voxels);
        }
      });
}

static Filled filled_of (std::span<const float> line)
{
  const auto is_filled = [] (float value) { return value != 0; };
  const auto first = std::ranges::find_if (line, is_filled);
  if (first == line.end ())
    return {};
  const auto last = std::ranges::find_if (line.rbegin (), line.rend (), is_filled);
  return {static_cast<int32_t> (first - line.begin ()), static_cast<int32_t> (line.rend () - last)};
}

// Transposes slices, so that rays along x also read neighbouring values, and finds where they are not 0.
void Projector::prepare (const float *slices, int64_t count, Work &work) const
{
  const auto columns = static_cast<size_t> (box.columns), lines = static_cast<size_t> (box.lines);
  work.transposed.resize (static_cast<size_t> (count) * voxels ());
  work.filled.resize (static_cast<size_t> (count) * lists ());
  work.cpu.parallel (count, 1, [&] (int64_t begin, int64_t end) {
    for (auto z = static_cast<size_t> (begin); z < static_cast<size_t> (end); z++) {
      const std::span slice (slices + z * voxels (), voxels ());
      const std::span turned (&work.transposed[z * voxels ()], voxels ());
      auto *filled = &work.filled[z * lists ()];
      for (size_t y = 0; y < lines; y++)
        *filled++ = filled_of (slice.subspan (y * columns, columns));
      for (size_t x = 0; x < columns; x++) {
        for (size_t y = 0; y < lines; y++)
          turned[x * lines + y] = slice[y * columns + x];
        *filled++ = filled_of (turned.subspan (x * lines, lines));
      }
    }
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
