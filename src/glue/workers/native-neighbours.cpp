// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/native-neighbours.hpp"
#include <cstring>

namespace sino {

namespace {

int64_t window_lines (Reach reach)
{
  return (2 * reach.frames + 1) * (2 * reach.lines + 1);
}

// Number of values in a line with its borders.
int64_t wide (Reach reach, int64_t width, int64_t step)
{
  return width + 2 * reach.columns * step;
}

// Vector loads may read this many bytes past the last line.
constexpr size_t slack = 1024;

// The lines around a line of the output, as prepared by a thread. Each line has a fixed slot in the window's buffer, so
// most are still there for the next window.
class Window
{
public:
  Window (Reach r, const FrameCounts &a, LineMaker &m, int64_t w, int64_t s, size_t bytes, Allotment &allotment)
      : reach (r), all (a), maker (m), width (w), step (s), size (bytes),
        row (wide (r, w, s) * static_cast<int64_t> (bytes)), memory (allotment.take (window_item)),
        slots (static_cast<size_t> (window_lines (r))), near (slots.size ())
  {
  }

  // `source` (frame, line): address of a line of the input.
  template <class Source> std::span<const NearLine> around (int64_t frame, int64_t line, Source source)
  {
    auto next = near.begin ();
    for (auto f = frame - reach.frames; f <= frame + reach.frames; f++)
      for (auto l = line - reach.lines; l <= line + reach.lines; l++)
        *next++ = laid (std::clamp<int64_t> (f, 0, all.frames - 1), std::clamp<int64_t> (l, 0, all.lines - 1), source);
    return near;
  }

private:
  struct Slot {
    int64_t frame = -1, line = -1;
    bool marked = false;
  };
  const Reach reach;
  const FrameCounts all;
  LineMaker &maker;
  const int64_t width, step;
  const size_t size; // bytes of a value
  const int64_t row; // bytes of a line with its borders
  const Allotment::Piece memory;
  std::vector<Slot> slots;
  std::vector<NearLine> near;

  template <class Source> NearLine laid (int64_t frame, int64_t line, Source source)
  {
    const auto lines = 2 * reach.lines + 1;
    const auto at = frame % (2 * reach.frames + 1) * lines + line % lines;
    const auto border = reach.columns * step * static_cast<int64_t> (size);
    std::byte *values = memory.as<> () + at * row + border;
    auto &slot = slots[static_cast<size_t> (at)];
    if (slot.frame != frame || slot.line != line) {
      slot = {frame, line, maker.lay (source (frame, line), width * static_cast<int64_t> (size), values)};
      const auto column = static_cast<size_t> (step) * size;
      const auto bytes = width * static_cast<int64_t> (size);
      for (int64_t c = 0; c < reach.columns; c++) {
        const auto from = static_cast<int64_t> (column);
        std::memcpy (values - (c + 1) * from, values, column);
        std::memcpy (values + bytes + c * from, values + bytes - from, column);
      }
    }
    return {values, slot.marked};
  }
};

class NeighboursOnCpu final : public NeighbourWorker
{
public:
  NeighboursOnCpu (const Replica &replica, Reach r, LineMakers m)
      : NeighbourWorker (replica, r), makers (std::move (m)), cpu (replica.cpu), allotment (replica.memory)
  {
  }

protected:
  void make (const Block &in, Block &out, Interval frames) override
  {
    const FrameView from (in), to (out);
    const auto size = size_of (in.format ().element), out_size = size_of (out.format ().element);
    const auto source = [&] (int64_t frame, int64_t line) {
      const bool before = frame < from.frames.begin;
      const auto value = before ? (frame % kept () * from.lines.size () + from.lines.place (line)) * from.width
                                : from.offset (frame, line);
      return (before ? memory.as<const std::byte> () : in.data ()) + static_cast<size_t> (value) * size;
    };
    // Successive windows are neighbours, so that they share lines.
    const bool along_frames = reach.frames > 0;
    const auto lines = to.lines.size ();
    cpu.parallel (frames.size () * lines, grain (to.width), [&] (int64_t begin, int64_t end) {
      const auto maker = makers (from.step);
      Window window (reach, all, *maker, from.width, from.step, size, allotment);
      for (auto i = begin; i < end; i++) {
        monitor.check ();
        const auto frame = frames.begin + (along_frames ? i % frames.size () : i / lines);
        const auto line = to.lines.at (along_frames ? i / frames.size () : i % lines);
        maker->make (window.around (frame, line, source), to.width,
                     out.data () + static_cast<size_t> (to.offset (frame, line)) * out_size);
      }
    });
  }

  void keep (const Block &in, Interval frames) override
  {
    const FrameView from (in);
    const auto bytes = static_cast<size_t> (from.lines.size () * from.width) * size_of (in.format ().element);
    if (memory.size () == 0)
      memory = allotment.take (kept_item);
    for (auto frame = frames.begin; frame < frames.end; frame++)
      std::memcpy (memory.as<> () + static_cast<size_t> (frame % kept ()) * bytes,
                   in.data () + static_cast<size_t> (frame - from.frames.begin) * bytes, bytes);
  }

private:
  const LineMakers makers;
  const Cpu &cpu;
  Allotment &allotment;
  Allotment::Piece memory; // memory for frames of earlier blocks

  // Number of lines in a part: large enough that the cost of the first window is small.
  int64_t grain (int64_t width) const
  {
    return std::max<int64_t> (8 * (2 * std::max (reach.frames, reach.lines) + 1), (1 << 14) / width);
  }
};

} // namespace

LineMaker::~LineMaker () = default;

bool LineMaker::lay (const std::byte *from, int64_t bytes, std::byte *to)
{
  std::memcpy (to, from, static_cast<size_t> (bytes));
  return false;
}

size_t window_bytes (Reach reach, int64_t width, int64_t step, size_t value_size)
{
  return static_cast<size_t> (window_lines (reach) * wide (reach, width, step)) * value_size + slack;
}

std::unique_ptr<Worker> native_neighbours (const Replica &replica, Reach reach, LineMakers makers)
{
  return std::make_unique<NeighboursOnCpu> (replica, reach, std::move (makers));
}

} // namespace sino
