// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/filter.hpp"
#include "families/choice.hpp"
#include "filters/move-pixels/images.hpp"
#include "filters/move-pixels/moved-frames.hpp"
#include "filters/move-pixels/opencl-move.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::move_pixels {

namespace {

class Mover final : public PointWorker
{
public:
  Mover (const Replica &replica, std::shared_ptr<const Move> m) : cpu (replica.cpu), move (std::move (m)) {}

  void process (const Block &in, Block &out) override
  {
    const Images from (in), to (out);
    const auto together = move->together (), parts = divide_up (to.rows.size (), together);
    const auto grain = std::max<int64_t> ((1 << 15) / (together * to.width * to.lanes), 1);
    cpu.parallel (to.count * parts, grain, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        const auto image = i / parts, first = to.rows.begin + i % parts * together;
        const Rows rows{first, std::min (first + together, to.rows.end)};
        move->make (
            {.data = in.data () + from.place (image, 0), .rows = from.rows, .width = from.width, .lanes = from.lanes},
            from.first + image, rows, out.data () + to.place (image, rows.begin - to.rows.begin));
      }
    });
  }

private:
  const Cpu &cpu;
  const std::shared_ptr<const Move> move;
};

// Tables are kept for all images if they are not larger.
size_t largest_table (const Device &device)
{
  constexpr size_t most = size_t{256} << 20;
  return std::min (most, device.largest_block ());
}

class MoverOnDevice final : public OpenclPointWorker
{
public:
  MoverOnDevice (const Replica &replica, std::shared_ptr<const Move> m, const families::Use &use)
      : OpenclPointWorker (replica), move (std::move (m)),
        there (move->on ({queues, replica.memory, replica.cpu, use.choice (replica.device, 1).setting, use.problem (),
                          use.family ().options, largest_table (replica.device)}))
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override
  {
    const auto ran = there->enqueue (Images (in), from, Images (out), to);
    return {ran.first, ran.last};
  }

private:
  const std::shared_ptr<const Move> move;
  const std::unique_ptr<OpenclMove> there;
};

} // namespace

std::shared_ptr<const Frames> MovingFilter::moved (const std::shared_ptr<const Frames> &frames, const char *what,
                                                   const Format &input)
{
  if (!frames)
    return nullptr;
  want_size (what, frames->rows, frames->columns, input);
  auto result = std::make_shared<MovedFrames> (
      frames, move ({frames->element,
                     {frames->columns, frames->rows},
                     input.kind () == Kind::sinograms ? Shape::Rows::kept : Shape::Rows::moved}));
  result->top = moved_top (frames->top);
  if (input.kind () == Kind::sinograms) { // positions count the angles that are kept
    const auto first = negotiated->needs ({0, 1}).begin;
    for (auto &position : result->positions)
      position -= static_cast<double> (first);
  }
  reading = std::max (reading, result->reading ());
  return result;
}

Format MovingFilter::negotiate (std::span<const Format *const> inputs)
{
  const auto &input = *inputs[0];
  const auto kind = input.kind ();
  check (input);
  projections = kind == Kind::projections;
  negotiated = move ({input.element,
                      {input.axes[2].extent, input.axes[1].extent},
                      kind == Kind::sinograms ? Shape::Rows::angles : Shape::Rows::moved});
  settle (negotiated->problem ());
  images = input.axes[0].extent;
  Format output = input;
  output.element = negotiated->made;
  output.top = moved_top (input.top);
  output.scan = nullptr;
  if (const char *name = hides_places ())
    output.moved_by = name;
  output.axes[1].extent = negotiated->to.height;
  output.axes[2].extent = negotiated->to.width;
  reading = 0;
  output.companions.darks = moved (input.companions.darks, "darks that come with the scan", input);
  output.companions.flats = moved (input.companions.flats, "flats that come with the scan", input);
  Geometry geometry = input.geometry ? *input.geometry : Geometry{};
  follow (input, output, geometry);
  if (input.geometry)
    output.geometry = std::make_shared<const Geometry> (std::move (geometry));
  return output;
}

Rows MovingFilter::demand (size_t, const Format &, const Rows &rows) const
{
  return projections && !rows.empty () ? negotiated->needs (rows) : rows;
}

void MovingFilter::memory (const Sizing &sizing, Bill &bill) const
{
  if (on_device (sizing.device)) {
    add_copies (sizing, bill);
    const auto rows = projections ? sizing.item_rows : negotiated->to.height;
    const auto image =
        std::max<int64_t> (rows * negotiated->to.width, 1) * static_cast<int64_t> (size_of (negotiated->made)); // bytes
    negotiated->device_memory (
        {.rows_in = projections ? sizing.input_rows : negotiated->from.height,
         .rows_out = rows,
         .images = std::clamp<int64_t> (divide_up (static_cast<int64_t> (sizing.output_block), image), 1, images),
         .threads = static_cast<size_t> (sizing.threads),
         .largest_table = largest_table (sizing.device)},
        bill);
    return;
  }
  const auto lanes = sizing.input_layouts.empty () ? 1 : sizing.input_layouts[0].lanes;
  if (const auto bytes = negotiated->scratch (lanes); bytes > 0)
    add_bytes (bill, "memory to make rows", bytes, static_cast<size_t> (sizing.threads));
}

void MovingFilter::shared_memory (Bill &bill) const
{
  if (reading > 0)
    add_bytes (bill, "darks and flats before the filter", reading);
}

std::unique_ptr<Worker> MovingFilter::start (const Replica &replica)
{
  if (on_device (replica.device))
    return std::make_unique<MoverOnDevice> (replica, negotiated, *kernels ());
  return std::make_unique<Mover> (replica, negotiated);
}

} // namespace sino::move_pixels
