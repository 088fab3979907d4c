// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/worker.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "filters/live/painter.hpp"
#include "filters/live/seeker.hpp"

namespace sino::live {

namespace {

class LiveWorker final : public Worker
{
public:
  LiveWorker (const Replica &replica, std::unique_ptr<Easel> e, const Making &m, const SnapshotSettings &s,
              const Seeking &sought, const void *u, Board &b)
      : monitor (replica.monitor), failed (replica.failed), messages (replica.messages), making (m),
        snapshot_settings (s), user (u), board (b), easel (std::move (e))
  {
    if (sought.on ())
      seeker.emplace (sought, b, replica);
  }

  // The single work item has all rows.
  void run (std::span<Input *const> inputs, Output *) override
  {
    const auto maker = std::make_shared<Maker> (making, *easel, board);
    const AtEnd close ([&] { maker->close (); });
    board.begin (user, maker);
    Snapshots snapshots (snapshot_settings, *maker, board, messages, failed);
    take (*inputs[0], *maker);
    auto last = maker->pictures ();
    snapshots.finish (last);
    board.end (std::move (last));
  }

private:
  const Monitor &monitor;
  const Failed failed;
  Messages &messages;
  const Making &making;
  const SnapshotSettings &snapshot_settings;
  const void *const user;
  Board &board;
  const std::unique_ptr<Easel> easel;
  std::optional<Seeker> seeker; // of the axis

  void take (Input &input, Maker &maker)
  {
    Painter painter (maker, board, failed);
    int64_t come = 0;
    while (const Block in = input.pop ())
      for (; come < in.angles ().end; painter.tell (come)) {
        const Interval some{come, std::min (come + most_at_once, in.angles ().end)};
        painter.wait_for (come - most_at_once, monitor);
        easel->take (in, some);
        if (seeker)
          seeker->take (in, some);
        maker.arrive (some);
        come = some.end;
        tell_overflow ();
      }
    painter.wait_for (come, monitor);
    if (seeker)
      seeker->finish (monitor);
    painter.settle (monitor);
    tell_overflow ();
  }

  void tell_overflow ()
  {
    if (easel->overflown ())
      messages.add ("filtered values are too large for halves: give precision=single");
  }
};

} // namespace

std::unique_ptr<Worker> live_worker (const Replica &replica, std::unique_ptr<Easel> easel, const Making &making,
                                     const SnapshotSettings &snapshots, const Seeking &seeking, const void *user,
                                     Board &board)
{
  return std::make_unique<LiveWorker> (replica, std::move (easel), making, snapshots, seeking, user, board);
}

} // namespace sino::live
