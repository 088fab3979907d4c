// SPDX-License-Identifier: LGPL-3.0-or-later
// Seeks the axis again and again while projections come, in a thread of its own that takes a small share of the time.
#pragma once
#include "base/monitor.hpp"
#include "filters/live/board.hpp"
#include "filters/live/seeking.hpp"
#include "glue/task.hpp"
#include <thread>

namespace sino::live {

class Seeker : NoCopy
{
public:
  Seeker (const Seeking &seeking, Board &board, const Replica &replica);
  ~Seeker ();

  // Keeps what it needs of some projections, which come in order.
  void take (const Block &in, Interval some);
  // No more projections come: waits for the last search. Throws Cancelled.
  void finish (const Monitor &monitor);

private:
  struct Estimate {
    FoundAxis axis;
    std::string doubt;
  };
  using Clock = std::chrono::steady_clock;

  const Seeking &seeking;
  Board &board;
  const Cpu &cpu;
  const Monitor &monitor;
  Monitor early; // of the searches before the last one, which gives them up
  Messages &messages;
  const Failed failed;
  const Allotment::Piece kept, sinogram, binned; // kept: [row][projection][column]
  std::mutex mutex;
  std::condition_variable changed;
  int64_t come = 0;  // projections
  bool ends = false; // no more come
  bool stopped = false, done = false;
  std::optional<FoundAxis> last;
  bool told = false, told_settled = false;
  std::thread thread;

  void work ();
  int64_t wait_for_moment (int64_t after, Clock::time_point rest);
  bool is_last (int64_t projections) const { return projections == std::ssize (seeking.angles); }
  void seek (int64_t projections, const Cpu &with, const Monitor &until);
  std::optional<Estimate> estimate (int64_t projections, const Cpu &with, const Monitor &until) const;
  void tell (Estimate found, bool final);
};

} // namespace sino::live
