// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/flat-field/references.hpp"
#include "kernels/holes/holes.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace sino::flat_field {

std::vector<Group> groups_by_position (const Frames &frames, bool positions_matter)
{
  std::vector<int64_t> order (static_cast<size_t> (frames.count));
  std::iota (order.begin (), order.end (), 0);
  if (!positions_matter || std::ssize (frames.positions) != frames.count)
    return {{0, order}};
  const auto position = [&] (int64_t frame) { return frames.positions[static_cast<size_t> (frame)]; };
  std::ranges::stable_sort (order, [&] (int64_t a, int64_t b) { return position (a) < position (b); });
  std::vector<Group> groups;
  for (const auto frame : order) {
    if (groups.empty () || groups.back ().position < position (frame))
      groups.push_back ({position (frame), {}});
    groups.back ().frames.push_back (frame);
  }
  return groups;
}

// Largest number of groups that are incomplete at the same time, when frames come in order.
static int64_t most_open (const std::vector<Group> &groups, int64_t count)
{
  std::vector<int64_t> change (static_cast<size_t> (count) + 1);
  for (const auto &group : groups) {
    change[static_cast<size_t> (group.frames.front ())]++;
    change[static_cast<size_t> (group.frames.back ()) + 1]--;
  }
  std::partial_sum (change.begin (), change.end (), change.begin ());
  return *std::ranges::max_element (change);
}

// Pieces in which frames are reduced, and number of threads that read each piece.
struct Reducing {
  Pieces pieces;
  int64_t readers;
  size_t bytes; // bytes of a piece, of sums, and of additional readers
};

constexpr size_t enough = size_t{32} << 20; // bytes for reducing; readers get at most half of them
constexpr size_t most_readers = 8;          // storage is hardly faster with more

// First frames of the units that are read together.
static std::vector<int64_t> units_of (const Frames &frames, Interval some)
{
  std::vector<int64_t> begins;
  for (auto frame = some.begin; frame < some.end; frame = frames.frames_with (frame).end)
    begins.push_back (frame);
  return begins;
}

// Returns the pieces for a number of readers. For the mean, each reader needs memory for a unit of frames, so pieces
// have fewer rows; for the median, all frames are in memory.
static Reducing reducing_by (int64_t readers, const Frames &frames, size_t sums, Reduce how)
{
  const auto n = static_cast<size_t> (readers), size = size_of (frames.element);
  const auto scratch = (n - 1) * frames.scratch_bytes;
  if (how == Reduce::median) {
    auto pieces = pieces_of (frames, true, enough - scratch);
    const auto bytes = pieces.bytes + scratch;
    return {std::move (pieces), readers, bytes};
  }
  int64_t unit = 1, most = 1;
  for (const auto frame : units_of (frames, {0, frames.count}))
    unit = std::max (unit, frames.frames_with (frame).size ());
  const auto values = static_cast<size_t> (unit) * size;
  auto pieces = pieces_of (frames, false, (enough - scratch) * values / (n * values + sums));
  std::vector<Interval> together;
  for (size_t i = 0; i < pieces.frames.size (); i += n) {
    together.push_back ({pieces.frames[i].begin, pieces.frames[std::min (i + n, pieces.frames.size ()) - 1].end});
    most = std::max (most, together.back ().size ());
  }
  pieces.frames = std::move (together);
  const auto pixels = static_cast<size_t> (pieces.most_rows () * frames.columns);
  pieces.bytes = pixels * static_cast<size_t> (most) * size;
  const auto bytes = pieces.bytes + pixels * sums + scratch;
  return {std::move (pieces), readers, bytes};
}

// Returns the pieces for the largest number of readers that memory allows. It does not depend on the number of threads,
// so the plan does not grow with it.
static Reducing reducing (const Frames &frames, const std::vector<Group> &groups, Reduce how)
{
  const auto open = static_cast<size_t> (most_open (groups, frames.count));
  const auto sums = open * Reducer::bytes_per_pixel (how);
  const auto units = units_of (frames, {0, frames.count}).size ();
  auto readers = std::min ({1 + enough / 2 / std::max<size_t> (frames.scratch_bytes, 1), units, most_readers});
  for (; readers > 1; readers /= 2)
    if (auto found = reducing_by (static_cast<int64_t> (readers), frames, sums, how);
        how == Reduce::median || found.bytes <= enough)
      return found;
  return reducing_by (1, frames, sums, how);
}

size_t reducing_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how)
{
  return reducing (frames, groups, how).bytes;
}

// Reads a piece with several threads; each thread reads its own units.
static void read_piece (const Frames &frames, Interval some, Interval rows, std::byte *to, int64_t readers,
                        const Cpu &cpu, const Frames::Watch &watch)
{
  const auto frame_bytes = static_cast<size_t> (rows.size ()) * frames.row_bytes ();
  auto begins = units_of (frames, some);
  const auto units = std::ssize (begins), n = std::min (readers, units);
  begins.push_back (some.end);
  cpu.parallel (n, 1, [&] (int64_t begin, int64_t end) {
    const Interval mine{begins[static_cast<size_t> (begin * units / n)], begins[static_cast<size_t> (end * units / n)]};
    frames.read (mine, rows, to + static_cast<size_t> (mine.begin - some.begin) * frame_bytes, watch);
  });
}

std::vector<Frame> reduce (const Frames &frames, const std::vector<Group> &groups, Reduce how, const Cpu &cpu,
                           const Frames::Watch &watch, float top, const FrameLook &look)
{
  constexpr auto none = std::numeric_limits<size_t>::max ();
  std::vector<Frame> results;
  std::vector<size_t> group_of (static_cast<size_t> (frames.count), none);
  for (const auto &group : groups) {
    for (const auto frame : group.frames)
      group_of[static_cast<size_t> (frame)] = results.size ();
    results.push_back (
        {{0, frames.rows}, frames.columns, std::vector<float> (static_cast<size_t> (frames.rows * frames.columns))});
  }
  const auto [pieces, readers, bytes] = reducing (frames, groups, how);
  std::vector<std::byte> piece (pieces.bytes);
  for (const auto rows : pieces.rows) {
    const auto pixels = rows.size () * frames.columns;
    std::vector<std::optional<Reducer>> reducers (groups.size ());
    for (const auto some : pieces.frames) {
      read_piece (frames, some, rows, piece.data (), readers, cpu, watch);
      for (auto frame = some.begin; frame < some.end; frame++) {
        const auto group = group_of[static_cast<size_t> (frame)];
        const auto *pixels_of_frame =
            &piece[static_cast<size_t> ((frame - some.begin) * pixels) * size_of (frames.element)];
        if (look)
          look (frame, rows, pixels_of_frame);
        if (group == none)
          continue;
        auto &reducer = reducers[group];
        if (!reducer)
          reducer.emplace (how, frames.element, pixels, cpu, top);
        reducer->add (pixels_of_frame);
        if (frame == groups[group].frames.back ()) {
          reducer->finish (results[group].values.data () + rows.begin * frames.columns);
          reducer.reset ();
        }
      }
    }
  }
  return results;
}

References::References (const Block &block, const std::vector<Frame> &darks, const std::vector<Frame> &flats,
                        bool absorption, float t)
    : line (block.line () * block.lanes ()), step (block.lanes ()), otherwise (absorption ? 0 : 1), top_ (t)
{
  const auto columns = block.line (), lanes = int64_t{block.lanes ()}, rows = block.rows ().size ();
  const auto size = static_cast<size_t> (divide_up (rows, lanes) * line);
  // Lanes without a row contain zeros and must give zeros: -ln ((0 + 1) / 1), or (0 - 0) / 1.
  dark.assign (size, absorption ? -1.f : 0.f);
  whites.assign (flats.size (), std::vector<float> (size, 1.f));
  for (int64_t row = 0; row < rows; row++) {
    const auto at = row / lanes * line + row % lanes;
    const float *black = darks.empty () ? nullptr : darks[0].row (block.rows ().at (row));
    for (int64_t c = 0; c < columns; c++)
      dark[static_cast<size_t> (at + c * lanes)] = black ? black[c] : 0;
    for (size_t group = 0; group < flats.size (); group++) {
      const float *flat = flats[group].row (block.rows ().at (row));
      for (int64_t c = 0; c < columns; c++)
        whites[group][static_cast<size_t> (at + c * lanes)] = flat[c] - (black ? black[c] : 0);
    }
  }
  find_dead (columns, lanes, rows);
}

void References::find_dead (int64_t columns, int64_t lanes, int64_t rows)
{
  patches.resize (static_cast<size_t> (divide_up (rows, lanes)));
  dead.assign (static_cast<size_t> (rows), 0);
  for (int64_t row = 0; row < rows; row++) {
    const auto first = row / lanes * line;
    const auto is_dead = [&] (int64_t at) {
      return std::ranges::any_of (whites, [&] (const auto &white) {
        const float value = white[static_cast<size_t> (first + at)];
        return !(value > 0 && std::isfinite (value));
      });
    };
    auto &list = patches[static_cast<size_t> (row / lanes)];
    const auto begin = list.size ();
    int64_t live = -1;
    for (int64_t at = row % lanes; at < line; at += lanes)
      if (is_dead (at))
        list.push_back ({at, live, -1});
      else
        live = at;
    live = -1;
    auto next = list.size ();
    for (int64_t at = row % lanes + (columns - 1) * lanes; at >= 0; at -= lanes)
      if (next > begin && list[next - 1].at == at)
        list[--next].right = live;
      else
        live = at;
    for (auto i = begin; i < list.size (); i++) // NaN is not below the limit, so it does not count as clamped
      dark[static_cast<size_t> (first + list[i].at)] = std::numeric_limits<float>::quiet_NaN ();
    dead[static_cast<size_t> (row)] = static_cast<int64_t> (list.size () - begin);
  }
}

Moment moment_of (double angle, std::span<const double> positions)
{
  // The last group taken at or before the angle, and the next one.
  size_t group = 0;
  while (group + 1 < positions.size () && positions[group + 1] <= angle)
    group++;
  const auto number = static_cast<int32_t> (group);
  if (group + 1 >= positions.size () || angle <= positions[group])
    return {number, 0};
  return {number, static_cast<float> ((angle - positions[group]) / (positions[group + 1] - positions[group]))};
}

Reference References::at (int64_t place, double angle, const std::vector<double> &positions) const
{
  const auto offset = static_cast<size_t> (place * line);
  const float *black = dark.data () + offset;
  const auto moment = whites.size () > 1 ? moment_of (angle, positions) : Moment{0, 0};
  const auto group = static_cast<size_t> (moment.group);
  const float *white = whites[group].data () + offset;
  if (moment.weight > 0)
    return {.dark = black,
            .white = white,
            .later = whites[group + 1].data () + offset,
            .weight = moment.weight,
            .top = top_};
  return {.dark = black, .white = white, .later = nullptr, .weight = 0, .top = top_};
}

std::vector<References::Run> References::dead_runs () const
{
  std::vector<Run> runs;
  for (size_t place = 0; place < patches.size (); place++) {
    int64_t behind = -1; // index at which the run would continue
    for (const auto &p : patches[place]) {
      if (p.at == behind)
        runs.back ().count++;
      else
        runs.push_back ({static_cast<int32_t> (place), static_cast<int32_t> (p.at), 1});
      behind = p.at + step;
    }
  }
  return runs;
}

int64_t References::patch (int64_t place, float *values) const
{
  for (const auto &p : patches[static_cast<size_t> (place)])
    values[p.at] = p.left < 0 && p.right < 0 ? otherwise : holes::between (values, p.left, p.at, p.right);
  return holes::fill_holes (values, line, step, otherwise);
}

} // namespace sino::flat_field
