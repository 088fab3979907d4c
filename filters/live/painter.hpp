// SPDX-License-Identifier: LGPL-3.0-or-later
// The thread that makes planes anew between frames, and while none comes.
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

  // Waits until all wishes that there are now have been met. Throws Cancelled.
  void settle (const Monitor &monitor);

private:
  Maker &maker;
  Board &board;
  const Failed failed;
  std::mutex mutex;
  std::condition_variable changed;
  int64_t met = -1; // the newest wish whose pictures are complete
  std::atomic<bool> stopped{false};
  std::thread thread;

  void work ();
};

} // namespace sino::live
