// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats, and the best way to read them.
#pragma once
#include "base/counters.hpp"
#include "base/monitor.hpp"
#include "stream/element.hpp"
#include "stream/rows.hpp"
#include <limits>
#include <memory>
#include <vector>

namespace sino {

// Darks or flats that travel beside a stream of projections. Reading is safe from any thread.
class SINO_VISIBLE Frames
{
public:
  // The monitor that can end the reading, and the counters that record its cost.
  struct Watch {
    const Monitor *monitor = nullptr;
    Counters *counters = nullptr;
  };

  virtual ~Frames ();

  Element element = Element::f32;
  int64_t count = 0, rows = 0, columns = 0;
  // Greatest value of the integer type in the file, for f32 values (Format::top).
  float top = std::numeric_limits<float>::infinity ();
  // Time of each frame, counted in projections of the stream (-0.5: before the first). Empty if unknown.
  std::vector<double> positions;

  // The frames or rows that share a unit with this one. A unit is a compressed chunk: to read one pixel costs as much
  // as all.
  virtual Interval frames_with (int64_t frame) const;
  virtual Interval rows_with (int64_t row) const;
  size_t unit_bytes = 0; // bytes of a unit's pixels, 0 when there are none

  // Bytes that a call of read () allocates. The node that makes the frames counts one call in the plan; a task that
  // calls read () from several threads counts the other calls.
  size_t scratch_bytes = 0;

  // Reads (frame, row, column) densely, values of `element`.
  virtual void read (Interval frames, Interval rows, void *pixels, const Watch &watch) const = 0;

  size_t row_bytes () const { return static_cast<size_t> (columns) * size_of (element); }
  float greatest () const { return greatest_of (element, top); }
};

// The same frames, with attributes that a stream may change.
class SINO_VISIBLE SameFrames : public Frames
{
public:
  explicit SameFrames (std::shared_ptr<const Frames> f) : Frames (*f), frames (std::move (f)) {}

  Interval frames_with (int64_t frame) const override { return frames->frames_with (frame); }
  Interval rows_with (int64_t row) const override { return frames->rows_with (row); }
  void read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const override
  {
    frames->read (some, of_rows, pixels, watch);
  }

private:
  std::shared_ptr<const Frames> frames;
};

// A division of all pixels into rows.size () x frames.size () pieces, for reading one by one.
struct SINO_VISIBLE Pieces {
  std::vector<Interval> frames, rows;
  size_t bytes = 0; // bytes of the largest piece

  int64_t most_rows () const;
};

// Pieces of about `enough` bytes. A larger unit stays in one piece if this needs no more memory than decoding it, or at
// most 256 MiB. `all_frames`: each piece has all frames of some rows.
SINO_VISIBLE Pieces pieces_of (const Frames &frames, bool all_frames, size_t enough);

} // namespace sino
