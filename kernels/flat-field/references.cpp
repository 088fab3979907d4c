// SPDX-License-Identifier: LGPL-3.0-or-later
#include "flat-field/references.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sino::kernels {

std::vector<int64_t> all_frames (const Frames &frames)
{
  std::vector<int64_t> list (static_cast<size_t> (frames.count));
  std::iota (list.begin (), list.end (), 0);
  return list;
}

std::vector<Group> groups_by_position (const Frames &frames, bool positions_matter)
{
  auto order = all_frames (frames);
  if (!positions_matter || std::ssize (frames.positions) != frames.count)
    return {{0, order}};
  const auto position = [&] (int64_t frame) { return frames.positions[static_cast<size_t> (frame)]; };
  std::stable_sort (order.begin (), order.end (), [&] (int64_t a, int64_t b) { return position (a) < position (b); });
  std::vector<Group> groups;
  for (const auto frame : order) {
    if (groups.empty () || groups.back ().position < position (frame))
      groups.push_back ({position (frame), {}});
    groups.back ().frames.push_back (frame);
  }
  return groups;
}

// Rows of a band, for about 32 MiB. Frames that come whole are read once, unless the median needs them all at once.
static int64_t band_rows (const Frames &frames, Reduce how)
{
  if (frames.whole_frames && how == Reduce::mean)
    return frames.rows;
  const auto row = Reducer::bytes_per_pixel (how, frames.element, frames.count) * static_cast<size_t> (frames.columns);
  return std::clamp<int64_t> (static_cast<int64_t> ((size_t{32} << 20) / std::max<size_t> (row, 1)), 1, frames.rows);
}

size_t reducing_bytes (const Frames &frames, Reduce how)
{
  return Reducer::bytes_per_pixel (how, frames.element, frames.count) *
         static_cast<size_t> (band_rows (frames, how) * frames.columns);
}

Frame reduce (const Frames &frames, const std::vector<int64_t> &which, Reduce how, const Cpu &cpu,
              const Monitor &monitor)
{
  Frame result{
      {0, frames.rows}, frames.columns, std::vector<float> (static_cast<size_t> (frames.rows * frames.columns))};
  const auto step = band_rows (frames, how);
  for (int64_t row = 0; row < frames.rows; row += step) {
    const Interval band{row, std::min (row + step, frames.rows)};
    Reducer reducer (how, frames.element, std::ssize (which), band.size () * frames.columns, cpu);
    for (int64_t i = 0; i < std::ssize (which); i++) {
      monitor.check ();
      frames.read (which[static_cast<size_t> (i)], band, reducer.place (i));
      reducer.add (i);
    }
    reducer.finish (result.values.data () + row * frames.columns);
  }
  return result;
}

References::References (const Block &block, const std::vector<Frame> &darks, const std::vector<Frame> &flats,
                        bool absorption)
    : line (block.line () * block.lanes ()), otherwise (absorption ? 0 : 1)
{
  const auto columns = block.line (), lanes = int64_t{block.lanes ()}, rows = block.rows ().size ();
  const auto size = static_cast<size_t> ((rows + lanes - 1) / lanes * line);
  // Lanes without a row hold zeros and shall give zeros: -ln ((0 + 1) / 1), or (0 - 0) / 1.
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
  patches.resize (static_cast<size_t> ((rows + lanes - 1) / lanes));
  dead.assign (static_cast<size_t> (rows), 0);
  for (int64_t row = 0; row < rows; row++) {
    const auto first = row / lanes * line;
    const auto is_dead = [&] (int64_t at) {
      return std::any_of (whites.begin (), whites.end (), [&] (const auto &white) {
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
    for (auto i = begin; i < list.size (); i++) // NaN is below no limit, so it is not counted as clamped
      dark[static_cast<size_t> (first + list[i].at)] = std::numeric_limits<float>::quiet_NaN ();
    dead[static_cast<size_t> (row)] = static_cast<int64_t> (list.size () - begin);
  }
}

Reference References::at (int64_t place, double angle, const std::vector<double> &positions) const
{
  const auto offset = static_cast<size_t> (place * line);
  const float *black = dark.data () + offset;
  // The last group taken at or before the angle, and the one after it.
  size_t group = 0;
  while (group + 1 < whites.size () && positions[group + 1] <= angle)
    group++;
  const float *white = whites[group].data () + offset;
  if (group + 1 == whites.size () || angle <= positions[group])
    return {black, white};
  const auto weight = (angle - positions[group]) / (positions[group + 1] - positions[group]);
  return {black, white, whites[group + 1].data () + offset, static_cast<float> (weight)};
}

void References::patch (int64_t place, float *values) const
{
  for (const auto &p : patches[static_cast<size_t> (place)]) {
    const float left = values[p.left >= 0 ? p.left : p.right >= 0 ? p.right : p.at];
    const float right = values[p.right >= 0 ? p.right : p.left >= 0 ? p.left : p.at];
    values[p.at] = p.left < 0 && p.right < 0 ? otherwise : (left + right) / 2;
  }
}

} // namespace sino::kernels
