// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes pictures of planes of the projections in memory, and keeps them up to date.
#pragma once
#include "device/bill.hpp"
#include "filters/live/board.hpp"
#include "filters/live/easel.hpp"
#include "filters/live/turns.hpp"
#include <atomic>
#include <functional>

namespace sino::live {

struct Making {
  Measures measures;
  // Each projection of the scan, with its place in memory: of a parallel beam at right angles to the axis, or of
  // another.
  std::vector<Sight> sights;
  std::vector<ConeSight> cones;
  // Projections that a slice of a helix takes; null: all.
  std::function<Interval (double slice)> turns;
  double axis;    // the column of the axis, the mean of all projections
  int64_t window; // number of the newest projections that pictures hold
  float scale;    // of sums to values of the volume
};

class Maker final : public Pictures
{
public:
  static void memory (const Making &making, Bill &bill);

  Maker (const Making &making, Easel &easel, Board &board);

  // Projections have come to their places.
  void arrive (Interval fresh);
  // Follows no other wishes than these from now on, so that a run ends while somebody moves a plane.
  void end_with (const Wishes &wishes);
  // Brings pictures up to date with all that have come, and goes a step with one that is made anew. Returns whether
  // there are more steps to go.
  bool step ();
  // The newest wish that it follows, and the number of projections that had come at the last step.
  int64_t serial () const { return known; }
  int64_t caught_up () const { return caught; }
  // All pictures that are ready, with the numbers of their planes.
  std::vector<std::pair<int, LivePicture>> pictures ();
  // Ends the use of the memory.
  void close ();

  std::optional<LivePicture> picture (int number) override;

private:
  // A picture that holds the projections `held`. It is complete if these are the window, and ready if it was complete
  // since it was begun.
  struct Made {
    int number;
    int64_t serial, axis_serial; // of the wishes that it follows
    PlaneWords words;
    Plane plane;
    double shift;                // of the axis
    std::vector<Interval> turns; // of a helix: the projections that each line takes
    std::unique_ptr<Sums> sums;
    Interval held;
    int64_t begun; // pictures that were begun before
    bool ready;
    int64_t version = 0;
  };
  const Making &making;
  Easel &easel;
  Board &board;
  Turns turns; // protects what follows
  std::vector<Made> planes;
  int64_t begins = 0;
  std::optional<Wishes> last; // after which no others count
  Interval window;
  bool closed = false;
  std::atomic<int64_t> known{-1}, caught{0};

  bool complete (const Made &made) const { return made.held == window; }
  void follow (const Wishes &wishes);
  void begin (Made &made, const Wish &wish, const Wishes &wishes);
  int64_t some_of (const Made &made) const;
  bool approach (Made &made, int64_t some, std::vector<Change> &changes) const; // whether it changes
  void add_sights (Change &change, const Made &made, Interval some, float factor) const;
  void publish (Made &made);
  LivePicture picture_of (const Made &made) const;
};

} // namespace sino::live
