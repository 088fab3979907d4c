// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats, from the frames of a scan to what corrects a block.
#pragma once
#include "base/monitor.hpp"
#include "kernels/flat-field/correct.hpp"
#include "kernels/flat-field/reduce.hpp"
#include "stream/block.hpp"
#include <functional>
#include <span>

namespace sino::flat_field {

// One reduced frame.
struct Frame {
  Rows rows;
  int64_t columns;
  std::vector<float> values; // (row, column)

  const float *row (int64_t r) const { return values.data () + rows.place (r) * columns; }
};

// Frames taken at one time, rising.
struct Group {
  double position;
  std::vector<int64_t> frames;
};

// In the order of their positions; a single group without positions or when they do not matter.
std::vector<Group> groups_by_position (const Frames &frames, bool positions_matter);

// Reads all frames, in pieces that bound the memory, and reduces those of each group; frames of none are left out. What
// is not below `top` is no number. `look` sees all frames, of which these are some rows.
using FrameLook = std::function<void (int64_t frame, Interval rows, const std::byte *pixels)>;
std::vector<Frame> reduce (const Frames &frames, const std::vector<Group> &groups, Reduce how, const Cpu &cpu,
                           const Frames::Watch &watch, float top = std::numeric_limits<float>::infinity (),
                           const FrameLook &look = {});
// Bytes that this takes besides the result.
size_t reducing_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

// Between which flats an angle lies: this group and, weighed by more than 0, the next one.
struct Moment {
  int32_t group;
  float weight;
};
// `positions` of the groups.
Moment moment_of (double angle, std::span<const double> positions);

// Laid out like one angle of a block, lanes included.
class References
{
public:
  // `darks` holds one frame or none (no signal without beam), `flats` one for each group.
  // `top`: data from there on is of no use.
  References (const Block &block, const std::vector<Frame> &darks, const std::vector<Frame> &flats, bool absorption,
              float top = std::numeric_limits<float>::infinity ());

  // The reference for line `line` of an angle: a row, or a group of lanes. `positions` of the groups, for more than
  // one.
  Reference at (int64_t line, double angle, const std::vector<double> &positions) const;

  // Gives the dead pixels of a corrected line their values, and other values that are no numbers those of their
  // neighbours. Gives back how many these were.
  int64_t patch (int64_t line, float *values) const;

  int64_t dead_in_row (int64_t row) const { return dead[static_cast<size_t> (row)]; } // place in the block

  // All of it, for other devices: the values, and dead pixels of a line that follow each other, whose neighbours on
  // both sides are alive, or are none. They take `otherwise` where there are none.
  struct Run {
    int32_t place, at, count;
  };
  const std::vector<float> &darks () const { return dark; } // NaN in dead pixels
  const std::vector<std::vector<float>> &flats () const { return whites; }
  float top () const { return top_; }
  std::vector<Run> dead_runs () const;

private:
  // A dead pixel lies on the line between the nearest live ones of its row; `otherwise` when there is none.
  struct Patch {
    int64_t at, left, right;
  };

  int64_t line, step; // values per line, and from a column to the next
  float otherwise, top_;
  std::vector<float> dark;
  std::vector<std::vector<float>> whites;  // flat - dark
  std::vector<std::vector<Patch>> patches; // per line
  std::vector<int64_t> dead;               // per row

  void find_dead (int64_t columns, int64_t lanes, int64_t rows);
};

} // namespace sino::flat_field
