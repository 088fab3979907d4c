// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks that show a stream while it comes: a facet, as those in glue/facets.hpp, and what a program asks such a task
// for.
#pragma once
#include "stream/block.hpp"
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sino {

// A picture of a plane through the volume, made of the projections that have come.
struct LivePicture {
  Block block;                    // one slice
  int64_t version;                // rises with each change
  int64_t projections, last = -1; // number of projections that it holds, and index of the last one
  std::string plane;              // in the words of the program
};

// A rotation axis that was found while a scan goes on.
struct FoundAxis {
  double column, deviation; // deviation: the standard one
  int64_t projections;      // of which it was found
  bool settled;             // the search before had nearly the same result
};

// The planes of a task. Programs change them and pull pictures of them at any time, from any thread; each function
// throws Error if there is no such plane.
class SINO_VISIBLE LivePlanes
{
public:
  virtual ~LivePlanes ();

  // Returns the number of the new plane.
  virtual int add (const std::string &plane) = 0;
  virtual void move (int number, const std::string &plane) = 0;
  virtual void remove (int number) = 0;
  virtual std::vector<std::pair<int, std::string>> list () const = 0;
  // The column of the rotation axis; NaN: as it was negotiated.
  virtual void set_axis (double column) = 0;
  // The newest axis that was found; none: not yet, or it is not sought.
  virtual std::optional<FoundAxis> found_axis () const = 0;
  // Returns the picture of a plane if its version is above `newer_than`, and waits for it. Returns none if it does not
  // come in time (a negative time has no limit), after `stop ()`, or when the run has ended. Throws if the run failed.
  virtual std::optional<LivePicture> pull (int number, int64_t newer_than, std::chrono::microseconds time,
                                           const std::function<bool ()> &stop) = 0;
};

class SINO_VISIBLE Watches
{
public:
  virtual ~Watches ();

  // Plan: whether it has to see a projection as soon as it comes. Its stream is then neither kept between passes nor
  // cut into bands of rows before it, and few projections are under way.
  virtual bool immediate () const { return false; }
  // Plan: sets how much detail it gives up to save memory; 0, the first step: none. Returns whether it has this step.
  virtual bool save_memory (int step) { return step == 0; }
  // The planes that it shows; null: none.
  virtual std::shared_ptr<LivePlanes> planes () { return nullptr; }
  // While a run goes on, in a copy of the task: one of its live properties was set. Throws if the value is wrong.
  virtual void was_set (const std::string & /*property*/) {}
};

} // namespace sino
