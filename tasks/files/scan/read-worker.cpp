// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/read-worker.hpp"

namespace sino::files {

// Bytes of a request: if it reads many short runs of pixels (a few rows of each projection), and if it reads a part of
// a large image.
constexpr int64_t together_bytes = int64_t{1} << 20, apart_bytes = int64_t{4} << 20;

ReadWorker::ReadWorker (std::shared_ptr<const Scan> s, int number, const Replica &replica)
    : scan (std::move (s)), monitor (replica.monitor), counters (replica.counters),
      reader (scan->stack, scan->picks, {&replica.cpu, &replica.monitor, &replica.counters}),
      requests (replica.monitor, replica.failed, replica.counters, number, Requests::usual (replica.cpu.threads ()))
{
}

void ReadWorker::run (std::span<sino::Input *const>, Output *output)
{
  if (scan->read_apart ())
    read_ahead (*output);
  else
    read_in_order (*output);
}

// Projections are pages, and a slab is a range of their lines; for sinograms and slices, pages are rows of the stream.
static std::pair<Rows, Rows> pages_and_lines (const Block &block)
{
  const auto &format = block.format ();
  if (format.kind () == Kind::projections)
    return {block.angles (), block.rows ()};
  return {block.rows (), {0, format.axes[1].extent}};
}

void ReadWorker::read_in_order (Output &output)
{
  while (Block out = output.next ()) {
    const auto [pages, lines] = pages_and_lines (out);
    reader.read (pages, lines, out.data ());
    output.push (std::move (out));
  }
}

// Never waits for a block while it holds one, because it may hold all blocks of the pool.
void ReadWorker::read_ahead (Output &output)
{
  try {
    while (true) {
      while (!filling.empty () && filling.front ().batch.over ())
        push_first (output);
      if (Block next = filling.empty () ? output.next () : output.next_if_free ()) {
        const auto [pages, lines] = pages_and_lines (next);
        request (filling.emplace_back (std::move (next), choose (scan->picks->pages, pages),
                                       choose (scan->picks->lines, lines)));
      } else if (filling.empty ())
        return requests.settle ();
      else
        push_first (output);
    }
  } catch (...) {
    try {
      requests.settle (); // before the blocks are released
    } catch (...) {       // the failure is reported already
    }
    filling.clear ();
    throw;
  }
}

void ReadWorker::request (Filling &to)
{
  const auto line = static_cast<int64_t> (scan->picks->columns.size () * pixel (*scan->stack));
  const auto at_least_one = [] (int64_t n) { return static_cast<size_t> (std::max<int64_t> (n, 1)); };
  const auto page = std::ssize (to.lines) * line;
  const auto together = at_least_one (together_bytes / page);
  const auto high = page > apart_bytes ? at_least_one (apart_bytes / line) : to.lines.size ();
  for (size_t first = 0; first < to.pages.size (); first += together)
    for (size_t top = 0; top < to.lines.size (); top += high) {
      const auto pages = Numbers (to.pages).subspan (first, std::min (together, to.pages.size () - first));
      const auto lines = Numbers (to.lines).subspan (top, std::min (high, to.lines.size () - top));
      auto *out = to.block.data () + static_cast<int64_t> (first) * page + static_cast<int64_t> (top) * line;
      requests.add (to.batch, std::ssize (pages) * std::ssize (lines) * line, [this, pages, lines, out] {
        scan->stack->read ({pages, lines, scan->picks->columns}, out, {nullptr, &monitor, &counters});
      });
    }
}

void ReadWorker::push_first (Output &output)
{
  requests.wait (filling.front ().batch);
  output.push (std::move (filling.front ().block));
  filling.pop_front ();
}

} // namespace sino::files
