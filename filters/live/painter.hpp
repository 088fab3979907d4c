// SPDX-License-Identifier: LGPL-3.0-or-later
// The thread that keeps pictures up to date, while the next frames are filtered.
#pragma once
#include "base/monitor.hpp"
#include "filters/live/maker.hpp"
#include <thread>

namespace sino::live {

class Painter : NoCopy
{
public:
  Painter (Maker &maker, Board &board, Failed failed);
  ~Painter (); // ends the thread

  // Says that more projections have come: so many now.
  void tell (int64_t projections);
  // Waits until pictures are up to date with so many projections. Throws Cancelled.
  void wait_for (int64_t projections, const Monitor &monitor);
  // Waits until all wishes that there are now have been met. Throws Cancelled.
  void settle (const Monitor &monitor);

private:
  Maker &maker;
  Board &board;
  const Failed failed;
  std::mutex mutex;
  std::condition_variable changed;
  int64_t met = -1; // the newest wish whose pictures are ready
  std::atomic<bool> stopped{false};
  std::atomic<int64_t> come{0}; // number of projections
  std::thread thread;

  void work ();
  template <class Ready> void wait (const Monitor &monitor, Ready ready);
};

} // namespace sino::live
