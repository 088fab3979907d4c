// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/projector/slab.hpp"
#include "base/cancellation.hpp"
#include "base/room.hpp"
#include <algorithm>
#include <memory>
#include <utility>

namespace sino::projector {

using namespace forward_project;

namespace {

// Slices of a slab: many share the work along z, but they are in memory together.
int64_t thickness_of (const Volume &volume)
{
  constexpr double most_bytes = 256 << 20;
  int64_t slices = Brick::most_slices;
  while (slices > Rays::most_lanes &&
         static_cast<double> (slices * volume.columns * volume.lines) * sizeof (float) > most_bytes)
    slices /= 2;
  return std::min (slices, round_up (volume.slices, Rays::most_lanes));
}

// Sums of the rays of a sheet have room for a vector before them and behind them.
constexpr auto sums_room = Rays::most_lanes;

int64_t sums_apart (int64_t rays)
{
  return round_up (rays + 2 * sums_room, Rays::most_lanes);
}

int64_t values_apart (int64_t rays)
{
  return round_up (rays + Line::room, Rays::most_lanes);
}

float unit_of (const Volume &volume, const Detector &detector)
{
  return static_cast<float> (volume.size / (detector.across * detector.down));
}

} // namespace

Slabs::Slabs (const Volume &volume, std::vector<Detector> views)
    : box (volume), detectors (std::move (views)), thickness (thickness_of (volume))
{
  const auto slabs = divide_up (box.slices, thickness);
  sheets.reserve (detectors.size () * static_cast<size_t> (slabs));
  for (const auto &detector : detectors) {
    step_unless_cancelled ();
    for (int64_t slab = 0; slab < slabs; slab++) {
      const bool found = form_sheets (box, detector, range (slab));
      sheets.push_back (found);
      some |= found;
      others |= !found;
      if (!found)
        continue;
      most_sheets = std::max (most_sheets, detector.columns * detector.across);
      most_rays = std::max ({most_rays, rays_near (box, detector, range (slab)).size (), thickness});
    }
  }
}

int64_t Slabs::views_at_once () const
{
  constexpr int64_t most = 32, bytes = 16 << 20;
  return std::clamp<int64_t> (bytes / std::max<int64_t> (most_sheets * sums_apart (most_rays) * 4, 1), 1, most);
}

// Bytes of a sheet with `values` values of its rays.
static size_t sheet_bytes (int64_t values)
{
  return sizeof (Sheet) + static_cast<size_t> (values) * sizeof (float);
}

size_t Slabs::brick_bytes () const
{
  return static_cast<size_t> (brick_voxels (thickness)) * sizeof (float) +
         static_cast<size_t> (Brick::pitch * Brick::pitch);
}

// One view's values are there twice, while they are converted from sums of slices or to them.
size_t Slabs::spread_bytes () const
{
  return brick_bytes () + static_cast<size_t> (most_sheets) * sheet_bytes (values_apart (most_rays));
}

size_t Slabs::add_bytes () const
{
  return brick_bytes () + sizeof (Blends) +
         static_cast<size_t> ((views_at_once () + 1) * most_sheets) * sheet_bytes (sums_apart (most_rays));
}

size_t Slabs::work_bytes () const
{
  return static_cast<size_t> (views_at_once () * most_sheets) * sheet_bytes (values_apart (most_rays)) +
         static_cast<size_t> (views_at_once () * Line::room) * sizeof (float);
}

Interval Slabs::rays_of (const Detector &detector, Interval slices, Rows rows) const
{
  return rays_near (box, detector, slices).meet ({rows.begin * detector.down, rows.end * detector.down});
}

int64_t Slabs::bricks () const
{
  return divide_up (box.columns, Brick::side) * divide_up (box.lines, Brick::side);
}

// `shared`: cells at the edge belong to both bricks beside it, instead of the one before.
Brick Slabs::brick (int64_t number, Interval slices, bool shared, float *voxels, const uint8_t *filled) const
{
  const auto across = divide_up (box.columns, Brick::side);
  const auto part = [] (int64_t i, int64_t all) {
    return Interval{i * Brick::side, std::min ((i + 1) * Brick::side, all)};
  };
  const auto cells = [&] (Interval some) { return Interval{some.begin - (shared || some.begin == 0), some.end}; };
  const auto x = part (number % across, box.columns), y = part (number / across, box.lines);
  const auto bottom = slices.begin / thickness * thickness;
  return {.x = x,
          .y = y,
          .cells_x = cells (x),
          .cells_y = cells (y),
          .bottom = bottom,
          .slices = thickness,
          .there = {slices.begin - bottom, slices.end - bottom},
          .voxels = voxels,
          .filled = filled};
}

void Slabs::add (Interval slices, std::span<const float *const> voxels, std::span<Block> projections, const Cpu &cpu,
                 const Monitor &monitor) const
{
  struct Task {
    Block *out;
    std::vector<int64_t> views; // places in the block
  };
  int64_t all = 0;
  for (const auto &out : projections)
    all += out.angles ().size ();
  const auto most = std::clamp<int64_t> (divide_up (all, int64_t{2} * cpu.threads ()), 1, views_at_once ());
  std::vector<Task> tasks;
  for (auto &out : projections) {
    Task task{&out, {}};
    const auto close = [&] {
      if (!task.views.empty ())
        tasks.push_back (std::exchange (task, {&out, {}}));
    };
    for (int64_t i = 0; i < out.angles ().size (); i++) {
      const auto view = out.angles ().at (i);
      if (!have (view, number_of (slices.begin)) ||
          rays_of (detectors[static_cast<size_t> (view)], slices, out.rows ()).empty ())
        continue;
      task.views.push_back (i);
      if (std::ssize (task.views) == most)
        close ();
    }
    close ();
  }
  cpu.parallel (std::ssize (tasks), 1, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++)
      add_views (slices, voxels, *tasks[static_cast<size_t> (i)].out, tasks[static_cast<size_t> (i)].views, monitor);
  });
}

// One view of some, and where its values are.
struct Slabs::Part {
  const Detector &detector;
  int64_t place; // in the block
  Interval rays;
  bool level;
  int64_t apart; // values of a sheet
  size_t values, sheets;
};

void Slabs::add_views (Interval slices, std::span<const float *const> voxels, Block &out,
                       std::span<const int64_t> views, const Monitor &monitor) const
{
  const auto bottom = slices.begin / thickness * thickness;
  std::vector<Part> parts;
  std::vector<Sheet> found;
  const auto detector_at = [&] (int64_t place) -> const Detector & {
    return detectors[static_cast<size_t> (out.angles ().at (place))];
  };
  size_t values = 0, all = 0;
  for (const auto place : views)
    all += static_cast<size_t> (detector_at (place).columns * detector_at (place).across);
  found.reserve (all); // as it was billed
  int64_t widest = 0;
  for (const auto place : views) {
    const auto &detector = detector_at (place);
    const auto rays = rays_of (detector, slices, out.rows ());
    const bool level = are_level (detector);
    const auto apart = level ? thickness : sums_apart (rays.size ());
    parts.push_back ({detector, place, rays, level, apart, values, found.size ()});
    const auto some = sheets_of (box, detector);
    found.insert (found.end (), some.begin (), some.end ());
    values += some.size () * static_cast<size_t> (apart);
    if (level)
      widest = std::max (widest, std::ssize (some) * sums_apart (rays.size ()));
  }
  std::vector<float> sums (values, 0.0F), from_level;
  std::vector<uint8_t> filled (static_cast<size_t> (Brick::pitch * Brick::pitch));
  const auto space = std::make_unique_for_overwrite<float[]> (static_cast<size_t> (brick_voxels (thickness)) + 16);
  auto *aligned = space.get () + (64 - reinterpret_cast<uintptr_t> (space.get ()) % 64) % 64 / sizeof (float);
  const auto blends = std::make_unique<Blends> ();
  for (int64_t number = 0; number < bricks (); number++) {
    monitor.check ();
    const auto own = brick (number, slices, false, aligned, filled.data ());
    if (!fill_brick (box, voxels, own, filled.data ()))
      continue;
    for (const auto &part : parts) {
      const auto near = sheets_near (box, part.detector, own);
      for (auto i = near.begin; i < near.end; i++) {
        const auto &sheet = found[part.sheets + static_cast<size_t> (i)];
        auto *to = &sums[part.values + static_cast<size_t> (i * part.apart)]; // level: of slices
        if (part.level)
          add_level (sheet, own, to);
        else
          add_sheet (sheet, own, {part.rays, to + sums_room}, *blends);
      }
    }
  }
  for (const auto &part : parts) {
    const auto count = part.detector.columns * part.detector.across;
    auto *from = &sums[part.values] + sums_room;
    auto apart = part.apart;
    if (part.level) {
      apart = sums_apart (part.rays.size ());
      from_level.assign (static_cast<size_t> (widest), 0.0F);
      from = from_level.data () + sums_room;
    }
    for (int64_t i = 0; i < count; i++) {
      const auto &sheet = found[part.sheets + static_cast<size_t> (i)];
      const Line line{part.rays, from + i * apart};
      if (part.level)
        rays_from_level (sheet, bottom, thickness, &sums[part.values + static_cast<size_t> (i * part.apart)], line);
      lengthen (sheet, unit_of (box, part.detector), line);
    }
    add_to_pixels (part.detector, {0, part.detector.columns}, {part.rays, from}, apart, out.rows ().begin,
                   out.as<float> () + out.offset (part.place, 0));
  }
}

void Slabs::spread (Interval slices, std::span<float *const> voxels, const Views &views, Work &work, const Cpu &cpu,
                    const Monitor &monitor) const
{
  const auto &in = views.block;
  const auto bottom = slices.begin / thickness * thickness;
  for (auto from = views.places.begin; from < views.places.end; from += views_at_once ()) {
    std::vector<Part> parts;
    size_t values = 0, count = 0;
    for (auto place = from; place < std::min (from + views_at_once (), views.places.end); place++) {
      const auto &detector = detectors[static_cast<size_t> (in.angles ().at (place))];
      const auto rays = rays_of (detector, slices, in.rows ());
      if (rays.empty ())
        continue;
      const bool level = are_level (detector);
      const auto apart = level ? thickness : values_apart (rays.size ());
      const auto all = static_cast<size_t> (detector.columns * detector.across);
      values += Line::room;
      parts.push_back ({detector, place, rays, level, apart, values, count});
      values += all * static_cast<size_t> (apart);
      count += all;
    }
    if (parts.empty ())
      continue;
    resize_exactly (work.values, values);
    resize_exactly (work.sheets, count);
    cpu.parallel (std::ssize (parts), 1, [&] (int64_t begin, int64_t end) {
      std::vector<float> lines;
      for (auto n = begin; n < end; n++) {
        monitor.check ();
        const auto &part = parts[static_cast<size_t> (n)];
        const auto all = part.detector.columns * part.detector.across;
        const auto some = sheets_of (box, part.detector);
        std::ranges::copy (some, &work.sheets[part.sheets]);
        auto *own = &work.values[part.values];
        auto apart = part.apart;
        auto *to = own;
        if (part.level) {
          apart = values_apart (part.rays.size ());
          resize_exactly (lines, static_cast<size_t> (Line::room + all * apart));
          std::ranges::fill (lines, 0.0F);
          to = lines.data () + Line::room;
        } else
          std::fill_n (own - Line::room, Line::room + all * apart, 0.0F);
        take_from_pixels (part.detector, {0, part.detector.columns}, {part.rays, to}, apart, in.rows ().begin,
                          in.as<float> () + in.offset (part.place, 0));
        for (int64_t i = 0; i < all; i++) {
          const auto &sheet = some[static_cast<size_t> (i)];
          const Line line{part.rays, to + i * apart};
          lengthen (sheet, unit_of (box, part.detector), line);
          if (part.level)
            level_from_rays (sheet, bottom, thickness, line, own + i * part.apart);
        }
      }
    });
    cpu.parallel (bricks (), 1, [&] (int64_t begin, int64_t end) {
      const auto space = std::make_unique_for_overwrite<float[]> (static_cast<size_t> (brick_voxels (thickness)) + 16);
      auto *aligned = space.get () + (64 - reinterpret_cast<uintptr_t> (space.get ()) % 64) % 64 / sizeof (float);
      for (auto number = begin; number < end; number++) {
        monitor.check ();
        const auto own = brick (number, slices, true, aligned, nullptr);
        load_brick (box, voxels, own);
        for (const auto &part : parts) {
          const auto near = sheets_near (box, part.detector, own);
          for (auto i = near.begin; i < near.end; i++) {
            const auto &sheet = work.sheets[part.sheets + static_cast<size_t> (i)];
            auto *line = &work.values[part.values + static_cast<size_t> (i * part.apart)];
            if (part.level)
              spread_level (sheet, own, line);
            else
              spread_sheet (sheet, own, {part.rays, line});
          }
        }
        store_brick (box, voxels, own);
      }
    });
  }
}

} // namespace sino::projector
