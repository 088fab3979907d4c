// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl-queues.hpp"
#include <algorithm>

namespace sino {

namespace {

constexpr int comparisons = 8;
constexpr auto compared_for = std::chrono::seconds (10); // clocks drift by about 0.1 ms in that time

cl::CommandQueue queue_on (const OpenclDevice &device)
{
  if (!device.use.overlap)
    return device.only_queue ();
  return device.attempt (
      [&] { return cl::CommandQueue (device.context (), device.device, CL_QUEUE_PROFILING_ENABLE); });
}

int64_t nanoseconds (DeviceSpans::Clock::time_point time)
{
  return std::chrono::duration_cast<std::chrono::nanoseconds> (time.time_since_epoch ()).count ();
}

} // namespace

DeviceTime::DeviceTime (const OpenclDevice &device) : queue (queue_on (device))
{
  device.attempt ([&] { compare (); });
}

// A command begins after it was enqueued and has ended before a wait for it returns; this bounds the offset on both
// sides.
void DeviceTime::compare ()
{
  int64_t least = INT64_MIN, most = INT64_MAX;
  for (int i = 0; i < comparisons; i++) {
    const auto before = nanoseconds (DeviceSpans::Clock::now ());
    cl::Event marker;
    queue.enqueueMarkerWithWaitList (nullptr, &marker);
    marker.wait ();
    const auto after = nanoseconds (DeviceSpans::Clock::now ());
    const auto stamp = static_cast<int64_t> (marker.getProfilingInfo<CL_PROFILING_COMMAND_END> ());
    least = std::max (least, before - stamp);
    most = std::min (most, after - stamp);
  }
  offset = least + (most - least) / 2;
  compared = DeviceSpans::Clock::now ();
}

DeviceSpans::Clock::time_point DeviceTime::at (cl_ulong stamp)
{
  if (DeviceSpans::Clock::now () - compared > compared_for)
    compare ();
  return DeviceSpans::Clock::time_point (std::chrono::duration_cast<DeviceSpans::Clock::duration> (
      std::chrono::nanoseconds (static_cast<int64_t> (stamp) + offset)));
}

OpenclQueues::OpenclQueues (const OpenclDevice &d)
    : device (d), upload (queue_on (d)), kernels (queue_on (d)), download (queue_on (d)), spans (DeviceSpans::taken ())
{
  if (spans)
    time.emplace (device);
}

OpenclQueues::~OpenclQueues ()
{
  try {
    finish ();
    tell (true);
  } catch (const cl::Error &) { // reported already to the code that waited for the results
  }
}

void OpenclQueues::finish () const
{
  for (const auto *queue : {&upload, &kernels, &download})
    queue->finish ();
}

void OpenclQueues::transfers_by (Queue queue, const cl::Event &command)
{
  if (!spans)
    return;
  transfers.push_back ({queue, command});
  tell (false);
}

void OpenclQueues::tell (bool all)
{
  for (; !transfers.empty (); transfers.pop_front ()) {
    const auto &[queue, event] = transfers.front ();
    if (!all && event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () != CL_COMPLETE)
      return;
    ran (queue, event.getProfilingInfo<CL_PROFILING_COMMAND_START> (),
         event.getProfilingInfo<CL_PROFILING_COMMAND_END> ());
  }
}

void OpenclQueues::ran (Queue queue, cl_ulong begin, cl_ulong end)
{
  if (!spans)
    return;
  const auto from = time->at (begin);
  const auto lasted = std::chrono::nanoseconds (end > begin ? end - begin : 0);
  spans->add (queue, from, from + std::chrono::duration_cast<DeviceSpans::Clock::duration> (lasted));
}

void hold (const cl::CommandQueue &queue, const cl::Event &until)
{
  if (!until ())
    return;
  const std::vector<cl::Event> events{until};
  queue.enqueueBarrierWithWaitList (&events);
}

void hold_transfers (const OpenclDevice &device, const cl::CommandQueue &queue, const cl::Event &until)
{
  if (!device.pins_our_pages) // true for NVIDIA's GPUs
    hold (queue, until);
  else if (until ())
    until.wait ();
}

cl::Event kernels_done (const OpenclQueues &queues)
{
  cl::Event event;
  queues.kernels.enqueueMarkerWithWaitList (nullptr, &event);
  queues.kernels.flush ();
  return event;
}

IdleAfterFailure::~IdleAfterFailure ()
{
  if (std::uncaught_exceptions () == before)
    return;
  try {
    queues.finish ();
  } catch (const cl::Error &) { // the failure is reported elsewhere
  }
}

} // namespace sino
