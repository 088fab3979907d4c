// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/clock.hpp"
#include <algorithm>

namespace sino::families {

namespace {

constexpr double launch_seconds = 0.2; // planned length of a launch; it may take up to 0.25 s
constexpr double first_speed = 5e7;    // updates per second, slower than any device

bool has_ended (const cl::Event &event)
{
  return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () == CL_COMPLETE;
}

} // namespace

KernelClock::~KernelClock ()
{
  try {
    wait ();
  } catch (const Error &) { // the code that waited for the results has reported it
  }
}

void KernelClock::add (const cl::Event &first, const cl::Event &last, double updates)
{
  running.push_back ({first, last, updates});
  look_at_ended ();
}

void KernelClock::look_at_ended ()
{
  while (!running.empty () && has_ended (running.front ().last))
    look_at_oldest ();
}

KernelClock::Left KernelClock::left ()
{
  look_at_ended ();
  double updates = 0;
  for (const auto &commands : running)
    updates += commands.updates;
  return {running.size (), updates / std::max (rate, first_speed)};
}

void KernelClock::wait (size_t most)
{
  queues.device.attempt ([&] {
    while (running.size () > most)
      look_at_oldest ();
  });
}

void KernelClock::look_at_oldest ()
{
  const auto [first, last, updates] = running.front ();
  running.pop_front ();
  last.wait ();
  const auto begin = first.getProfilingInfo<CL_PROFILING_COMMAND_START> (),
             end = last.getProfilingInfo<CL_PROFILING_COMMAND_END> ();
  const double time = end > begin ? 1e-9 * static_cast<double> (end - begin) : 0;
  queues.device.kernel_time.charge (account, begin, end);
  if (updates > 0)
    rate = updates / std::max (time, 1e-6);
  const auto now = static_cast<int64_t> (1e-3 * account->nanoseconds ());
  if (counters)
    counters->add ("kernel-microseconds", now - counted);
  counted = now;
  queues.ran (OpenclQueues::Queue::kernels, begin, end);
}

void launch_in_parts (const Monitor &monitor, KernelClock &clock, const cl::Kernel &kernel, const Grid &grid)
{
  const auto items = [&] (int64_t across, int64_t down) {
    return cl::NDRange (static_cast<size_t> (across) * grid.group[0], static_cast<size_t> (down) * grid.group[1]);
  };
  const auto &queue = clock.queue ();
  const auto launch = [&] (int64_t column, int64_t row, int64_t columns, int64_t rows) {
    monitor.check ();
    cl::Event event;
    queue.enqueueNDRangeKernel (kernel, items (column, row), items (columns, rows),
                                cl::NDRange (grid.group[0], grid.group[1]), nullptr, &event);
    queue.flush ();
    clock.add (event, event, grid.updates * static_cast<double> (columns * rows));
    // The first launch shows the speed. Later, as many are in the queue as two long ones take.
    const double seconds = grid.updates * static_cast<double> (columns * rows) / std::max (clock.speed (), first_speed);
    clock.wait (clock.started () ? static_cast<size_t> (std::clamp (2 * launch_seconds / seconds, 2.0, 64.0)) : 0);
  };
  for (int64_t row = 0; row < grid.rows;) {
    const double speed = clock.started () ? clock.speed () : first_speed;
    const auto groups =
        std::max<int64_t> (1, static_cast<int64_t> (std::min (speed * launch_seconds / grid.updates, 1e9)));
    const auto deep = std::clamp<int64_t> (groups / grid.columns, 1, std::min (grid.rows - row, most_groups));
    for (int64_t column = 0; column < grid.columns; column += groups)
      launch (column, row, std::min (groups, grid.columns - column), deep);
    row += deep;
  }
}

} // namespace sino::families
