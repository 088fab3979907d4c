// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/opencl-neighbours.hpp"
#include "device/devices.hpp"
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "families/counter.hpp"
#include "families/program.hpp"
#include "glue/workers/last-item.hpp"

namespace sino {

using namespace families;

namespace {

// Must match the structure in kernels/neighbours/neighbours.cl.
struct Neighbours {
  cl_int frames, lines, width, step, first_frame, first_line, block_lines, kept;
  cl_int made_frame, made_line, made_lines, out_frame, out_line, out_lines;
};

class NeighboursOnDevice final : public NeighbourWorker
{
public:
  NeighboursOnDevice (const Replica &replica, Reach r, const NeighbourKernel &k)
      : NeighbourWorker (replica, r), set_arguments (k.set_arguments), take_count (k.take_count),
        device (as_opencl (replica.device)), allotment (replica.memory), queues (device), uploads (queues, allotment),
        downloads (queues, allotment), clock (queues, &replica.counters),
        shape (k.setting.kernel->shape (k.setting, k.problem)), kernel (device.attempt ([&] { return built (k); }))
  {
    if (take_count)
      counter.emplace (device);
  }
  void run (std::span<Input *const> inputs, Output *output) override
  {
    last_item.run ([&] { NeighbourWorker::run (inputs, output); });
  }
  void wait () override
  {
    clock.wait ();
    if (std::exchange (untold, false))
      take_count (counter->take (queues.kernels));
  }
  void end () override
  {
    last_item.end ([&] { wait (); });
  }

protected:
  void begin (const Block &in) override
  {
    guarded ([&] { from = uploads.take (in, in.bytes ()); });
  }
  void open (const Block &out) override
  {
    guarded ([&] { to = downloads.take (out, out.bytes ()); });
  }
  void close (const Block &out) override
  {
    guarded ([&] { downloads.finish (out, out.bytes (), kernels_done (queues)); });
  }

  void make (const Block &in, Block &out, Interval frames) override
  {
    guarded ([&] {
      const FrameView to_view (out);
      launch (FrameView (in), to_view, frames, to_view.lines);
      uploads.until (kernels_done (queues));
    });
  }

  void keep (const Block &in, Interval frames) override
  {
    guarded ([&] {
      const FrameView view (in);
      const auto bytes = static_cast<size_t> (view.lines.size () * view.width) * size_of (in.format ().element);
      if (!memory ())
        memory = take_buffer (device, allotment, kept_item);
      require (memory, static_cast<size_t> (kept ()) * bytes, kept_item);
      for (auto frame = frames.begin; frame < frames.end; frame++)
        queues.kernels.enqueueCopyBuffer (from, memory, static_cast<size_t> (frame - view.frames.begin) * bytes,
                                          static_cast<size_t> (frame % kept ()) * bytes, bytes);
      uploads.until (kernels_done (queues));
    });
  }

private:
  const std::function<void (cl::Kernel &, unsigned)> set_arguments;
  const std::function<void (int64_t)> take_count;
  const OpenclDevice &device;
  Allotment &allotment;
  OpenclQueues queues;
  Uploads uploads;
  Downloads downloads;
  KernelClock clock;
  const Shape shape;
  cl::Kernel kernel;
  cl::Buffer from, to, memory; // memory: frames of earlier blocks
  std::optional<KernelCounter> counter;
  bool untold = false; // whether the counter may have changed
  LastItem last_item;

  cl::Kernel built (const NeighbourKernel &k) const
  {
    std::string name = k.family.name;
    std::ranges::replace (name, '-', '_');
    return {build (device, k.setting, k.problem, k.family.options), name.c_str ()};
  }

  void guarded (auto work)
  {
    const IdleAfterFailure guard (queues);
    device.attempt (work);
  }

  // Lines are contiguous in memory, in input and output.
  void launch (const FrameView &in, const FrameView &out, Interval frames, Interval lines)
  {
    const auto whole = [] (int64_t n) { return static_cast<cl_int> (n); };
    const auto first_line = [&] (const FrameView &view) {
      return whole (lines.begin - view.lines.place (lines.begin));
    };
    const Neighbours n{.frames = whole (all.frames),
                       .lines = whole (all.lines),
                       .width = whole (in.width),
                       .step = whole (in.step),
                       .first_frame = whole (in.frames.begin),
                       .first_line = first_line (in),
                       .block_lines = whole (in.lines.size ()),
                       .kept = whole (kept ()),
                       .made_frame = whole (frames.begin),
                       .made_line = whole (lines.begin),
                       .made_lines = whole (lines.size ()),
                       .out_frame = whole (out.frames.begin),
                       .out_line = first_line (out),
                       .out_lines = whole (out.lines.size ())};
    kernel.setArg (0, from);
    kernel.setArg (1, memory () ? memory : from);
    kernel.setArg (2, n);
    kernel.setArg (3, to);
    if (counter)
      kernel.setArg (4, counter->buffer ());
    set_arguments (kernel, counter ? 5 : 4);
    untold = counter.has_value ();
    const auto width = shape.area[0];
    const auto window = static_cast<double> ((2 * reach.frames + 1) * (2 * reach.lines + 1) * (2 * reach.columns + 1));
    launch_in_parts (monitor, clock, kernel,
                     {.group = shape.group,
                      .columns = divide_up (in.width, width),
                      .rows = frames.size () * lines.size (),
                      // An upper bound, so that launches are short with any kernel.
                      .updates = static_cast<double> (width) * window});
  }
};

} // namespace

std::unique_ptr<Worker> opencl_neighbours (const Replica &replica, Reach reach, const NeighbourKernel &kernel)
{
  return std::make_unique<NeighboursOnDevice> (replica, reach, kernel);
}

} // namespace sino
