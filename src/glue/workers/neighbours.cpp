// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/neighbours.hpp"
#include "base/error.hpp"
#include "families/choice.hpp"
#include "families/trial.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <cmath>

namespace sino {

using namespace families;

namespace {

Interval widened (Interval rows, int64_t by, int64_t end)
{
  return rows.empty () ? rows : Interval{std::max<int64_t> (rows.begin - by, 0), std::min (rows.end + by, end)};
}

// A stream in memory.
class Feed final : public Input, public Output
{
public:
  explicit Feed (const std::vector<Block> &b) : blocks (b) {}
  Rows rows () const override { return rows_of (blocks); }
  Block pop () override { return next (); }
  Block next () override { return taken < blocks.size () ? blocks[taken++] : Block (); }
  const Region *coming () const override { return taken < blocks.size () ? &blocks[taken].region () : nullptr; }
  void push (Block) override {}

private:
  const std::vector<Block> &blocks;
  size_t taken = 0;
};

// Size of a small stream for trials.
constexpr int64_t frames = 7, lines = 9, columns = 101;

Format small (Kind kind, Element element)
{
  if (kind == Kind::sinograms)
    return sinograms (element, {Axis::row, frames}, {Axis::angle, lines}, {Axis::column, columns});
  return projections (element, {Axis::angle, frames}, {Axis::row, lines}, {Axis::column, columns});
}

std::vector<Block> two_blocks (const Format &format)
{
  const auto shared = std::make_shared<const Format> (format);
  std::vector<Block> blocks;
  for (const Interval part : {Interval{0, 4}, Interval{4, frames}}) {
    const bool rows_first = format.kind () == Kind::sinograms;
    const Interval all{0, lines};
    blocks.push_back (make_block (shared, {1}, {rows_first ? part : all, rows_first ? all : part}));
  }
  return blocks;
}

void fill (Block &block, uint32_t &next)
{
  constexpr uint16_t half_nan = 0x7e00;
  for (int64_t i = 0; i < block.values (); i++) {
    const auto noise = next++ * 2654435761u;
    const bool nan = noise % 23 == 0;
    switch (block.format ().element) {
    case Element::f32:
      block.as<float> ()[i] = nan ? NAN : static_cast<float> (noise >> 8) / (1 << 23) - 1;
      break;
    case Element::f16: // finite values only
      block.as<uint16_t> ()[i] = nan ? half_nan : static_cast<uint16_t> (noise >> 16 & 0xbbff);
      break;
    case Element::u16:
      block.as<uint16_t> ()[i] = static_cast<uint16_t> (noise >> 16);
      break;
    case Element::u8:
      block.as<uint8_t> ()[i] = static_cast<uint8_t> (noise >> 24);
    }
  }
}

} // namespace

Format NeighbourFilter::negotiate (std::span<const Format *const> inputs)
{
  const auto &input = negotiated = *inputs[0];
  auto output = filtered (input);
  reach = {reach_along (input.axes[0].axis), reach_along (input.axes[1].axis), reach_along (input.axes[2].axis)};
  angles_first = input.kind () == Kind::projections;
  return output;
}

Rows NeighbourFilter::demand (size_t, const Format &format, const Rows &rows) const
{
  return widened (rows, reach_along (format.slab_axis ()), format.rows ());
}

size_t NeighbourFilter::kept_bytes (const Sizing &sizing) const
{
  const auto of_frame = angles_first ? std::min (sizing.item_rows + 2 * reach.lines, negotiated.axes[1].extent)
                                     : negotiated.axes[1].extent;
  return static_cast<size_t> (2 * reach.frames * of_frame * negotiated.axes[2].extent) * size_of (negotiated.element);
}

void NeighbourFilter::memory (const Sizing &sizing, Bill &bill) const
{
  on_device (sizing.device) ? device_memory (sizing, bill) : native_memory (sizing, bill);
}

void NeighbourFilter::native_memory (const Sizing &sizing, Bill &bill) const
{
  const auto step = sizing.input_layouts[0].lanes;
  const auto threads = static_cast<size_t> (sizing.threads);
  add_pages (bill, NeighbourWorker::kept_item, kept_bytes (sizing));
  add_pages (bill, window_item,
             window_bytes (reach, negotiated.axes[2].extent * step, step, size_of (negotiated.element)), threads);
  add_bytes (bill, "memory to make lines", line_memory (step), threads);
}

void NeighbourFilter::device_memory (const Sizing &sizing, Bill &bill) const
{
  add_copies (sizing, bill);
  add_buffers (bill, NeighbourWorker::kept_item, kept_bytes (sizing));
}

std::unique_ptr<Worker> NeighbourFilter::start (const Replica &replica)
{
  prepare (replica);
  if (!on_device (replica.device))
    return native (replica);
  return on (replica, kernels ()->choice (replica.device, 1).setting, kernels ()->problem ().with_lanes (1));
}

std::unique_ptr<Worker> NeighbourFilter::native (const Replica &replica) const
{
  return native_neighbours (replica, reach, [this] (int64_t step) { return line_maker (step); });
}

std::unique_ptr<Worker> NeighbourFilter::on (const Replica &replica, const Setting &setting,
                                             const Problem &problem) const
{
  return opencl_neighbours (
      replica, reach,
      {.family = kernels ()->family (),
       .setting = setting,
       .problem = problem,
       .set_arguments = [this] (cl::Kernel &kernel, unsigned first) { set_arguments (kernel, first); },
       .take_count = take_count ()});
}

Kernel neighbour_kernel (const char *name, const char *summary, const families::KernelSource &source)
{
  Kernel kernel{
      .name = name, .summary = summary, .source = source, .lanes = {1}, .parameters = {{"GROUP", {64, 32, 128, 256}}}};
  kernel.shape = group_shape;
  return kernel;
}

double NeighbourFilter::trial (Kind kind, Element element, const OpenclDevice &device, const Setting &setting,
                               const Problem &problem)
{
  const auto format = small (kind, element);
  const auto result = negotiate (std::vector{&format});
  auto in = two_blocks (format);
  uint32_t noise = 1;
  for (auto &block : in)
    fill (block, noise);

  Monitor monitor;
  const Cpu cpu (1, monitor);
  Counters native_counters, counters;
  Messages messages;
  const std::vector formats{&format};
  const std::vector<Layout> layouts (1);
  const std::vector blocks{in[0].bytes ()};
  const Sizing sizing{.device = device,
                      .threads = 1,
                      .item_rows = format.rows (),
                      .input_block = blocks,
                      .input_layouts = layouts,
                      .output_block = in[0].bytes (),
                      .output_blocks = 2,
                      .input_rows = format.rows (),
                      .input_reached = false,
                      .output_reached = false};
  Bill bill, device_bill;
  native_memory (sizing, bill);
  device_memory (sizing, device_bill);
  Allotment allotment (bill), device_allotment (device_bill);
  const auto failed = [&monitor] (const auto &) { monitor.cancel (); };
  const auto prepared = [&] (Allotment &of, Counters &to) {
    Replica replica{.device = device,
                    .cpu = cpu,
                    .monitor = monitor,
                    .failed = failed,
                    .counters = to,
                    .messages = messages,
                    .memory = of,
                    .inputs = formats,
                    .output = &result,
                    .input_layouts = layouts};
    prepare (replica);
    return replica;
  };
  const auto made_by = [&] (Worker &worker) {
    auto out = two_blocks (result);
    Feed from (in), to (out);
    const std::vector<Input *> inputs{&from};
    worker.run (inputs, &to);
    worker.wait ();
    return out;
  };
  const auto truth = made_by (*native (prepared (allotment, native_counters)));
  const auto got = made_by (*on (prepared (device_allotment, counters), setting, problem));
  const auto counted = counters.read ();
  for (const auto &[name, n] : native_counters.read ())
    if (const auto found = counted.find (name); found == counted.end () || found->second != n)
      return 1;
  double wrong = 0;
  for (size_t i = 0; i < got.size (); i++)
    wrong += share_different (got[i].all (), truth[i].all ());
  return wrong / static_cast<double> (got.size ());
}

} // namespace sino
