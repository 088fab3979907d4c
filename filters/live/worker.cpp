// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/worker.hpp"
#include "base/error.hpp"
#include "filters/live/painter.hpp"

namespace sino::live {

namespace {

class LiveWorker final : public Worker
{
public:
  LiveWorker (const Replica &replica, const Keeping &keeping, std::shared_ptr<const ramp_filter::RowFilter> filter,
              const Making &making, const void *user, Board &b)
      : monitor (replica.monitor), messages (replica.messages), board (b),
        resident (keeping, std::move (filter), replica.cpu, replica.memory),
        maker (std::make_shared<Maker> (making, resident.projections (), board, replica.cpu, replica.memory))
  {
    board.begin (user, maker);
    painter.emplace (*maker, board, replica.failed);
  }

  void run (std::span<Input *const> inputs, Output *) override
  {
    int64_t come = 0;
    while (const Block in = inputs[0]->pop ())
      for (auto next = in.angles ().begin; next < in.angles ().end; next += most_at_once) {
        const Interval some{next, std::min (next + most_at_once, in.angles ().end)};
        painter->wait_for (some.begin - most_at_once, monitor);
        resident.take (in, some);
        maker->arrive (some);
        painter->tell (some.end);
        come = some.end;
      }
    painter->wait_for (come, monitor);
    painter->settle (monitor);
    if (const auto some = resident.overflows (); some > 0)
      messages.add (
          text ("%" G_GINT64_FORMAT " filtered values are too large for halves: give precision=single", some));
    painter.reset ();
    board.end (maker->close ());
  }

  void end () override
  {
    painter.reset ();
    maker->close ();
  }

private:
  const Monitor &monitor;
  Messages &messages;
  Board &board;
  Resident resident;
  const std::shared_ptr<Maker> maker;
  std::optional<Painter> painter;
};

} // namespace

std::unique_ptr<Worker> live_worker (const Replica &replica, const Keeping &keeping,
                                     std::shared_ptr<const ramp_filter::RowFilter> filter, const Making &making,
                                     const void *user, Board &board)
{
  return std::make_unique<LiveWorker> (replica, keeping, std::move (filter), making, user, board);
}

} // namespace sino::live
