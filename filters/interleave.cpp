// SPDX-License-Identifier: LGPL-3.0-or-later
// Regroups projections into sinograms and lays neighbouring rows side by side.
#include "kernels/interleave/interleave.hpp"
#include "device/devices.hpp"
#include "device/opencl-memory.hpp"
#include "device/work.hpp"
#include "families/choice.hpp"
#include "families/clock.hpp"
#include "filters/interleave/arrivals.hpp"
#include "filters/interleave/opencl-lanes.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/shapes.hpp"
#include "glue/timed.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace sino::interleave {
namespace {

constexpr size_t caches = 32 << 20; // bytes: more than one core's share of the last-level cache

class Interleaver final : public Worker
{
public:
  Interleaver (const Replica &replica, int n)
      : cpu (replica.cpu), monitor (replica.monitor), failed (replica.failed), at_once (n),
        size (size_of (replica.output->element)), angles (replica.output->angles ()),
        zeros (static_cast<size_t> (replica.output->line ()) * size)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    size_t bytes = 0;
    for (const auto &block : blocks)
      bytes += block.bytes ();
    far = bytes > caches;
    Arrivals arrivals (*output, blocks, angles);
    Underway underway (cpu, monitor, failed, at_once);
    while (const Block in = inputs[0]->pop ())
      underway.start ({place (in, blocks), {1, 1, [&arrivals, in] (int64_t, int64_t) { arrivals.add (in); }}});
    underway.wait ();
    output->push_all (blocks);
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  const Failed failed;
  const int at_once;
  size_t size;
  int64_t angles;
  std::vector<std::byte> zeros; // the row that pads the last group of lanes
  bool far = false;             // whether the sinograms of a work item are larger than the caches

  // Each angle of each output block is a separate piece of work.
  Loop place (const Block &in, std::vector<Block> &blocks) const
  {
    const auto angles = in.angles ().size ();
    const auto piece = in.line () * blocks[0].lanes () * static_cast<int64_t> (size);
    const auto some = [this, in, angles, &blocks] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        auto &out = blocks[static_cast<size_t> (i / angles)];
        if (in.lanes () == 1 && in.rows ().contains (out.rows ()))
          transpose (in, i % angles, out);
        else
          scatter (in, i % angles, out);
      }
    };
    const int64_t least = at_once > 1 ? 262144 : 65536; // values per piece; threads also share other blocks
    return {std::ssize (blocks) * angles, least / piece, some};
  }

  auto *at (auto &block, int64_t angle, int64_t row) const
  {
    return block.data () + static_cast<size_t> (block.offset (angle, row)) * size;
  }

  // Fills groups of lanes whose rows are all in the input block.
  void transpose (const Block &in, int64_t angle, Block &out) const
  {
    const auto to = in.angles ().begin + angle - out.angles ().begin;
    for (int64_t first = 0; first < out.rows ().size (); first += out.lanes ()) {
      const std::byte *rows[32];
      for (int64_t lane = 0; lane < out.lanes (); lane++) {
        const bool real = first + lane < out.rows ().size ();
        rows[lane] = real ? at (in, angle, in.rows ().place (out.rows ().at (first + lane))) : zeros.data ();
      }
      interleave::interleave (size, out.lanes (), rows, in.line (), at (out, to, first), far);
    }
  }

  // Fills groups from some of their rows, or from rows in lanes, line by line.
  void scatter (const Block &in, int64_t angle, Block &out) const
  {
    const auto to = in.angles ().begin + angle - out.angles ().begin;
    const auto rows = out.rows ().size ();
    for (int64_t row = 0; row < rows; row++) {
      const auto from = in.rows ().place (out.rows ().at (row));
      if (from < 0)
        continue;
      line (at (in, angle, from), in.lanes (), at (out, to, row), out.lanes (), in.line ());
      if (row + 1 == rows) // after the last row: zeros in the lanes without a row
        for (auto pad = rows; pad % out.lanes (); pad++)
          line (zeros.data (), 1, at (out, to, pad), out.lanes (), in.line ());
    }
  }

  void line (const std::byte *from, int from_step, std::byte *to, int to_step, int64_t n) const
  {
    const auto copy = [&]<class T> (T) {
      for (int64_t i = 0; i < n; i++)
        reinterpret_cast<T *> (to)[i * to_step] = reinterpret_cast<const T *> (from)[i * from_step];
    };
    if (size == 1)
      copy (uint8_t{});
    else if (size == 2)
      copy (uint16_t{});
    else
      copy (uint32_t{});
  }
};

// Device memory in place of a block that kernels cannot access.
struct Copy {
  cl::Buffer memory;
  cl::Event last; // the last command that uses it
};

class OnDevice final : public Worker
{
public:
  OnDevice (const Replica &replica, const families::Setting &setting, const families::Problem &problem)
      : device (as_opencl (replica.device)), monitor (replica.monitor), memory (replica.memory), queues (device),
        uploads (queues, memory), lanes (device, setting, problem), clock (queues, &replica.counters)
  {
  }

  void wait () override { clock.wait (); }

  // All blocks of a work item stay open until its last projection has come.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    const IdleAfterFailure guard (queues);
    device.attempt ([&] {
      std::vector<cl::Buffer> places;
      for (size_t i = 0; i < blocks.size (); i++)
        places.push_back (memory_of (blocks[i], i));
      while (const Block in = inputs[0]->pop ()) {
        monitor.check ();
        const auto from = uploads.take (in, in.bytes ());
        cl::Event first;
        for (size_t i = 0; i < blocks.size (); i++)
          if (const auto event = lanes.enqueue (queues.kernels, in, from, blocks[i], places[i]); !first ())
            first = event;
        const auto taken = kernels_done (queues);
        uploads.until (taken);
        if (first ())
          clock.add (first, taken);
      }
      const auto done = kernels_done (queues);
      for (size_t i = 0; i < blocks.size (); i++)
        finish (blocks[i], i, done);
    });
    output->push_all (blocks);
  }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  Allotment &memory;
  OpenclQueues queues;
  Uploads uploads;
  OpenclLanes lanes;
  std::vector<Copy> copies; // one per block of a work item
  families::KernelClock clock;

  cl::Buffer memory_of (const Block &block, size_t i)
  {
    if (auto direct = MemoryPiece (block).direct (queues.kernels, OpenclBuffer::Use::write))
      return *direct;
    if (copies.size () <= i)
      copies.push_back ({take_buffer (device, memory, Downloads::item), {}});
    auto &copy = copies[i];
    hold (queues.kernels, copy.last);
    require (copy.memory, block.bytes (), Downloads::item);
    return copy.memory;
  }

  // Delivers a block. `done`: end of all kernels.
  void finish (const Block &block, size_t i, const cl::Event &done)
  {
    const MemoryPiece to (block);
    if (to.in_reach ())
      to.buffer->until (done, OpenclBuffer::Use::write);
    else
      copies[i].last = download (queues, to, done, [&] (const cl::CommandQueue &queue, cl::Event &there) {
        queue.enqueueReadBuffer (copies[i].memory, CL_FALSE, 0, block.bytes (), to.address (), nullptr, &there);
      });
  }
};

class Interleave final : public Task, public SeveralAtOnce, public Holds, public Timed
{
public:
  static constexpr Info info{"interleave",
                             "Reorder projections into sinograms, with several detector rows side by side"};
  static constexpr Signature signature{.takes = {scan_kinds, any_element}, .gives = {Kind::sinograms}};

  enum class Lanes { automatic = 0, one = 1, two = 2, four = 4, eight = 8, sixteen = 16, thirty_two = 32 };
  Lanes lanes = Lanes::automatic;
  families::Use opencl{interleave::family ()};

  static constexpr Nick<Lanes> lanes_nicks[] = {
      {Lanes::automatic, "auto"}, {Lanes::one, "1"},      {Lanes::two, "2"},         {Lanes::four, "4"},
      {Lanes::eight, "8"},        {Lanes::sixteen, "16"}, {Lanes::thirty_two, "32"},
  };
  static constexpr auto properties =
      joined (std::array{prop<&Interleave::lanes> (
                  "lanes", "Rows side by side in memory; auto: the best number for the next node", lanes_nicks)},
              kernel_properties<&Interleave::opencl> ());

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    format.axes = {format.dim (Axis::row), format.dim (Axis::angle), format.dim (Axis::column)};
    passes = lanes == Lanes::automatic && format.any_lanes;
    format.any_lanes = lanes == Lanes::automatic;
    bytes = format.bytes ();
    opencl.negotiated (interleave::problem_of (size_of (format.element), 1, 1));
    return format;
  }

  bool collects (size_t) const override { return true; }
  bool shows_filling (const Device &device) const override { return !on_device (device); }
  bool takes_lanes () const override { return true; }
  bool alters () const override { return !passes; }
  bool keeps_noise () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const override { return passes ? downstream : 1; }
  int output_lanes (int input, int wanted) const override
  {
    return passes ? input : lanes == Lanes::automatic ? wanted : static_cast<int> (lanes);
  }

  // Several blocks at once, because a thread copies its share of a block in a few microseconds.
  int blocks_at_once (const Device &, int threads) const override { return threads > few_threads ? 8 : 1; }
  // Limited by writing to memory.
  double seconds (const Device &, int threads) const override { return bytes / (5e9 * threads); }

  const families::Use *kernels () const override { return &opencl; }
  bool timed_by_kernels () const override { return false; } // the kernel depends on the lanes of the output as well
  // Does not name the variant: it depends on the lanes of the output, which the consumers choose later.
  std::string remark (const Device &device, int) const override
  {
    return device.kind == Device::Kind::native ? "" : on_device (device) ? "OpenCL kernel" : "native kernel";
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (!on_device (sizing.device))
      return;
    if (!sizing.input_reached)
      add_buffers (bill, Uploads::item, sizing.input_block[0], Staging::slots);
    if (!sizing.output_reached)
      add_buffers (bill, Downloads::item, sizing.output_block, static_cast<size_t> (sizing.output_blocks));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device)) {
      const auto problem = interleave::problem_of (size_of (replica.output->element), replica.input_layouts[0].lanes,
                                                   replica.output_layout.lanes);
      return std::make_unique<OnDevice> (replica, opencl.choice (replica.device, problem).setting, problem);
    }
    return std::make_unique<Interleaver> (replica, at_once);
  }

private:
  double bytes = 0;    // bytes of the whole output
  bool passes = false; // the input already has the lanes that the consumers want
};

} // namespace

SINO_REGISTER (Interleave)

} // namespace sino::interleave
