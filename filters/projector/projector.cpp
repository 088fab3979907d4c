// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/projector/projector.hpp"
#include "base/cancellation.hpp"
#include "base/room.hpp"
#include <algorithm>
#include <cmath>

namespace sino::projector {

using namespace forward_project;

constexpr int64_t most_together = 16;
constexpr size_t kept_bytes = size_t{16} << 20;

static std::vector<Detector> detectors_of (std::span<const View> views, int64_t columns, const Volume &volume)
{
  std::vector<Detector> all;
  all.reserve (views.size ());
  for (const auto &view : views) {
    step_unless_cancelled ();
    all.push_back (detector_of (view, columns, volume));
  }
  return all;
}

Projector::Projector (std::span<const View> views, int64_t columns, const Volume &volume)
    : box (volume), slabs (volume, detectors_of (views, columns, volume))
{
  if (slabs.have_any ())
    together = slabs.slices ();
  else if (!std::ranges::all_of (detectors (), are_level))
    together = std::clamp<int64_t> (static_cast<int64_t> (kept_bytes / (voxels () * sizeof (float))), 1, most_together);
}

Manner Projector::manner () const
{
  if (!slabs.have_any ())
    return Manner::rays;
  return std::ranges::all_of (detectors (), are_level) ? Manner::level : Manner::sheets;
}

void Projector::forward (const Block &slices, std::span<Block> projections, Work &work) const
{
  const auto coming = slices.rows ();
  if (slabs.have_any ()) {
    for (auto z = coming.begin; z < coming.end;) {
      const Interval some{z, std::min (coming.end, slabs.range (slabs.number_of (z)).end)};
      keep (slices.as<float> () + slices.offset (0, coming.place (z)), some, projections, work);
      z = some.end;
    }
    return;
  }
  if (work.rows.size () + coming.size () > together || work.rows.end != coming.begin)
    finish (projections, work);
  if (coming.size () >= together)
    return add (slices.as<float> (), coming, projections, work);
  work.kept.resize (static_cast<size_t> (together) * voxels ());
  std::copy_n (slices.as<float> (), slices.values (), &work.kept[static_cast<size_t> (work.rows.size ()) * voxels ()]);
  work.rows = work.rows.cover (coming);
}

// Keeps neighbouring slices of a slab until all of it is there.
void Projector::keep (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const
{
  const auto slab = slabs.range (slabs.number_of (numbers.begin));
  if (work.rows.end != numbers.begin || !slab.contains (work.rows))
    finish (projections, work);
  if (numbers == slab)
    return add (slices, numbers, projections, work);
  work.kept.resize (static_cast<size_t> (together) * voxels ());
  std::copy_n (slices, static_cast<size_t> (numbers.size ()) * voxels (),
               &work.kept[static_cast<size_t> (work.rows.size ()) * voxels ()]);
  work.rows = work.rows.cover (numbers);
  if (work.rows.end == slab.end)
    finish (projections, work);
}

void Projector::finish (std::span<Block> projections, Work &work) const
{
  if (!work.rows.empty ())
    add (work.kept.data (), work.rows, projections, work);
  work.rows = {};
}

size_t Projector::forward_work_bytes (size_t block) const
{
  const auto slice = voxels () * sizeof (float), kept = static_cast<size_t> (together);
  const auto together_at_once = slabs.have_any () ? kept : std::max (block / slice, kept); // a slab at a time
  return (slabs.have_all () ? 0 : together_at_once * (slice + lists () * sizeof (Filled))) +
         (together > 1 ? kept * slice : 0);
}

size_t Projector::forward_thread_bytes () const
{
  return std::max (slabs.have_all () ? 0 : most_bytes (detectors ()), slabs.have_any () ? slabs.add_bytes () : 0);
}

size_t Projector::adjoint_thread_bytes () const
{
  return std::max (slabs.have_all () ? 0 : most_bytes (detectors ()), slabs.have_any () ? slabs.spread_bytes () : 0);
}

// Whether the rays of a view near a slice are added one by one, because they form no sheets.
bool Projector::has_rays (int64_t view, int64_t slice) const
{
  return !slabs.have_any () || !slabs.have (view, slabs.number_of (slice));
}

// Adds neighbouring slices, of one slab if views have sheets.
void Projector::add (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const
{
  if (slabs.have_any ()) {
    std::vector<const float *> voxels_of (static_cast<size_t> (slabs.slices ()));
    for (auto z = numbers.begin; z < numbers.end; z++)
      voxels_of[static_cast<size_t> (z % slabs.slices ())] =
          slices + static_cast<size_t> (numbers.place (z)) * voxels ();
    slabs.add (numbers, voxels_of, projections, work.cpu, work.monitor);
  }
  const bool some = std::ranges::any_of (projections, [&] (const Block &out) {
    for (auto view = out.angles ().begin; view < out.angles ().end; view++)
      if (has_rays (view, numbers.begin) &&
          !forward_project::slices_seen (box, detectors ()[static_cast<size_t> (view)], out.rows (), numbers).empty ())
        return true;
    return false;
  });
  if (some)
    add_rays (slices, numbers, projections, work);
}

void Projector::add_rays (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const
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
        const auto view = out.angles ().at (i / rows);
        if (!has_rays (view, numbers.begin))
          continue;
        const auto &detector = detectors ()[static_cast<size_t> (view)];
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

struct Projector::Slice {
  int64_t z;
  float *voxels;
};

// Neighbouring views go together if all have sheets in a slab, or none.
void Projector::adjoint (const Block &projections, std::span<Block> slices, Work &work) const
{
  std::vector<Slice> all;
  for (auto &out : slices)
    for (auto z = out.rows ().begin; z < out.rows ().end; z++)
      all.push_back ({z, out.as<float> () + out.offset (0, out.rows ().place (z))});
  const auto angles = projections.angles ();
  if (!slabs.have_any ())
    return spread_rays (projections, {0, angles.size ()}, all, work);
  for (size_t begin = 0, end = 0; begin < all.size (); begin = end) {
    const auto slab = slabs.number_of (all[begin].z);
    std::vector<float *> voxels_of (static_cast<size_t> (slabs.slices ()));
    for (end = begin; end < all.size () && slabs.number_of (all[end].z) == slab; end++)
      voxels_of[static_cast<size_t> (all[end].z % slabs.slices ())] = all[end].voxels;
    for (Interval places; places.end < angles.size ();) {
      const auto has = [&] (int64_t place) { return slabs.have (angles.at (place), slab); };
      const bool first = has (places.end);
      places.begin = places.end;
      while (places.end < angles.size () && has (places.end) == first)
        places.end++;
      if (first)
        slabs.spread ({all[begin].z, all[end - 1].z + 1}, voxels_of, {projections, places}, work.sheets, work.cpu,
                      work.monitor);
      else
        spread_rays (projections, places, std::span (all).subspan (begin, end - begin), work);
    }
  }
}

// Threads take many neighbouring slices at a time, because finding the rays of a row takes as long as some slices.
void Projector::spread_rays (const Block &projections, Interval places, std::span<const Slice> all,
                             const Work &work) const
{
  const auto rows = projections.rows ().size (), parts = int64_t{2} * work.cpu.threads ();
  work.cpu.parallel (
      std::ssize (all), std::max<int64_t> (1, std::ssize (all) / parts), [&] (int64_t begin, int64_t end) {
        Rays rays;
        const auto own = all.subspan (static_cast<size_t> (begin), static_cast<size_t> (end - begin));
        for (auto i = places.begin * rows; i < places.end * rows; i++) {
          work.monitor.check ();
          const auto &detector = detectors ()[static_cast<size_t> (projections.angles ().at (i / rows))];
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
  resize_exactly (work.transposed, static_cast<size_t> (count) * voxels ());
  resize_exactly (work.filled, static_cast<size_t> (count) * lists ());
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
  for (const auto &detector : detectors ())
    seen = seen.cover (forward_project::slices_seen (box, detector, rows, {0, box.slices}));
  return seen;
}

double Projector::least_depth () const
{
  const auto outermost = corners (box, {0, box.slices}, 1);
  double least = HUGE_VAL;
  for (const auto &detector : detectors ()) {
    step_unless_cancelled ();
    for (const auto &corner : outermost)
      least = std::min (least, project (detector.matrix, corner).weight);
  }
  return least;
}

double Projector::widest_pixel () const
{
  double most = 0;
  for (const auto &[view, matrix, columns, across, down] : detectors ()) {
    step_unless_cancelled ();
    most =
        std::max ({most, length (view.column) * matrix[2][3] / box.size, length (view.row) * matrix[2][3] / box.size});
  }
  return most;
}

double Projector::rays_per_row () const
{
  double sum = 0;
  for (const auto &detector : detectors ())
    sum += static_cast<double> (detector.columns * detector.across * detector.down);
  return sum;
}

} // namespace sino::projector
