// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes the references that correct a block, darks and flats, from the frames of a scan.
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

// Frames taken at one time; numbers rise.
struct Group {
  double position;
  std::vector<int64_t> frames;
};

// Returns the groups in order of position: a single one if there are no positions, or if they do not matter.
std::vector<Group> groups_by_position (const Frames &frames, bool positions_matter);

// Reads all frames, in pieces that limit the memory, and reduces those of each group; frames in no group are ignored.
// Values that are NaN or at least `top` are left out. `look` gets all frames, some rows at a time.
using FrameLook = std::function<void (int64_t frame, Interval rows, const std::byte *pixels)>;
std::vector<Frame> reduce (const Frames &frames, const std::vector<Group> &groups, Reduce how, const Cpu &cpu,
                           const Frames::Watch &watch, float top = std::numeric_limits<float>::infinity (),
                           const FrameLook &look = {});
// Returns the bytes that reduce () needs, besides the result.
size_t reducing_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

// Position of an angle between flats: a group and, if weight > 0, the next group with that weight.
struct Moment {
  int32_t group;
  float weight;
};
// `positions`: positions of the groups.
Moment moment_of (double angle, std::span<const double> positions);

// References in the layout of one angle of a block, including lanes.
class References
{
public:
  // `darks` holds one frame or none (no signal without beam), `flats` one for each group.
  // `top`: data of at least this value is saturated.
  References (const Block &block, const std::vector<Frame> &darks, const std::vector<Frame> &flats, bool absorption,
              float top = std::numeric_limits<float>::infinity ());

  // Returns the reference for line `line` of an angle: a row, or a group of rows in lanes. `positions`: positions of
  // the groups, if there are several.
  Reference at (int64_t line, double angle, const std::vector<double> &positions) const;

  // Fills the dead pixels of a corrected line, and other values that are not finite, from their neighbours. Returns the
  // number of the other values.
  int64_t patch (int64_t line, float *values) const;

  int64_t dead_in_row (int64_t row) const { return dead[static_cast<size_t> (row)]; } // row: index in the block

  // The data for other devices: values, and runs of dead pixels in a line with good pixels, or the line's ends, on both
  // sides. Dead pixels become `otherwise` if a row has no good ones.
  struct Run {
    int32_t place, at, count;
  };
  const std::vector<float> &darks () const { return dark; } // NaN in dead pixels
  const std::vector<std::vector<float>> &flats () const { return whites; }
  float top () const { return top_; }
  std::vector<Run> dead_runs () const;

private:
  // A dead pixel is interpolated between the nearest good pixels of its row; `otherwise` if there are none.
  struct Patch {
    int64_t at, left, right;
  };

  int64_t line, step; // number of values per line, and distance between columns
  float otherwise, top_;
  std::vector<float> dark;
  std::vector<std::vector<float>> whites;  // flat - dark
  std::vector<std::vector<Patch>> patches; // per line
  std::vector<int64_t> dead;               // per row

  void find_dead (int64_t columns, int64_t lanes, int64_t rows);
};

} // namespace sino::flat_field
