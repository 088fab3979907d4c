// SPDX-License-Identifier: LGPL-3.0-or-later
// Where filtered projections are kept and pictures are made of them: by the processors, or on a device.
#pragma once
#include "kernels/live/cone.hpp"
#include "stream/block.hpp"
#include <memory>
#include <vector>

namespace sino::live {

// Most projections that are filtered at once, and that wait for pictures.
constexpr int64_t most_at_once = 16;

// Sums of the values of projections in the pixels of a picture.
class Sums
{
public:
  virtual ~Sums () = default;

  // Begins a picture: all sums become 0.
  virtual void begin (const Plane &plane) = 0;
  // All pixels, times `scale`.
  virtual void read (float scale, float *to) = 0;
};

// Projections to add to a picture, or to take away: of a parallel beam at right angles to the axis, or of another.
struct Change {
  Sums *sums;
  const Plane *plane;
  std::span<const Interval> turns; // of a helix: the projections that each line takes
  std::vector<Sight> sights;
  std::vector<ConeSight> cones;

  bool empty () const { return sights.empty () && cones.empty (); }
};

class Easel
{
public:
  virtual ~Easel () = default;

  // --- by the thread that takes projections ---
  // Filters some projections of a block and keeps them. The block has all rows.
  virtual void take (const Block &in, Interval some) = 0;

  // --- by one thread at a time ---
  virtual std::unique_ptr<Sums> sums () = 0;
  virtual void add (std::span<const Change> changes) = 0;
  // Number of updates of pixels that take about 5 ms.
  virtual double updates_of_step () const = 0;

  // --- by any thread ---
  // The unit of the sums.
  virtual float unit () const = 0;
  // Whether values were too large for a half; they became the largest half.
  virtual bool overflown () const = 0;
};

} // namespace sino::live
