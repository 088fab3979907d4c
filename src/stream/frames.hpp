// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats, and how they are best read.
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
  // Who may end the reading, and whom it tells what it costs.
  struct Watch {
    const Monitor *monitor = nullptr;
    Counters *counters = nullptr;
  };

  virtual ~Frames ();

  Element element = Element::f32;
  int64_t count = 0, rows = 0, columns = 0;
  float top = std::numeric_limits<float>::infinity (); // of f32 values: what Format::top says
  // When each frame was taken, in projections of the stream (-0.5: before the first). Empty when unknown.
  std::vector<double> positions;

  // What shares a unit with a frame or row: a compressed chunk, of which a pixel costs as much to read as all.
  virtual Interval frames_with (int64_t frame) const;
  virtual Interval rows_with (int64_t row) const;
  size_t unit_bytes = 0; // bytes of a unit's pixels, 0 when there are none

  // Bytes that a call of read () allocates. Who makes frames has those of one call in the plan; who calls it from
  // several threads at once adds those of the others.
  size_t scratch_bytes = 0;

  // Reads (frame, row, column) densely, values of `element`.
  virtual void read (Interval frames, Interval rows, void *pixels, const Watch &watch) const = 0;

  size_t row_bytes () const { return static_cast<size_t> (columns) * size_of (element); }
  float greatest () const { return greatest_of (element, top); }
};

// The same frames, of which a stream may say something else.
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

// How to read all pixels piece by piece: rows.size () x frames.size () times.
struct SINO_VISIBLE Pieces {
  std::vector<Interval> frames, rows;
  size_t bytes = 0; // bytes of the largest piece

  int64_t most_rows () const;
};

// Pieces of about `enough` bytes. A unit that is larger stays in one piece as long as that takes no more than decoding
// it does, or 256 MiB. `all_frames`: pieces have all frames of some rows.
SINO_VISIBLE Pieces pieces_of (const Frames &frames, bool all_frames, size_t enough);

} // namespace sino
