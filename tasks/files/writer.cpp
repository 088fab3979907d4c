// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/writer.hpp"
#include "base/error.hpp"
#include "tasks/files/stated.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

namespace {

constexpr char converted_item[] = "converted pixels";
constexpr int64_t MiB = 1 << 20;
constexpr int64_t request_bytes = 4 * MiB; // large enough that the overhead of a request is small
constexpr int64_t converted_bytes = MiB; // bytes converted at a time, so that they are in a cache when they are written
constexpr int64_t summed_bytes = MiB / 4; // bytes summed by one of several threads
constexpr int64_t whole_bytes = 64 * MiB; // bytes of a request if only whole pages can be written

int64_t at_least_one (int64_t n)
{
  return std::max<int64_t> (n, 1);
}

} // namespace

void Content::look (const Block &in)
{
  if (found.load (std::memory_order_relaxed))
    return;
  const auto *values = in.as<float> ();
  if (std::any_of (values, values + in.values (), [] (float v) { return std::isfinite (v) && v != 0; }))
    found = true;
}

Clipped::Clipped (const Planned &planned, Messages &to)
    : messages (to),
      all (static_cast<double> (planned.pages ()) * static_cast<double> (planned.lines () * planned.columns ()))
{
  const auto stated = stated_values (planned);
  const auto unit = stated.unit.empty () ? "" : " " + stated.unit;
  const auto greatest = greatest_integer (planned.element);
  messages.add (text ("%.9g%s becomes 0, and %.9g%s becomes %d: ", stated.scale->value_of (0), unit.c_str (),
                      stated.scale->value_of (greatest), unit.c_str (), greatest) +
                    stated_text (stated),
                Messages::Level::info);
}

void Clipped::tell () const
{
  if (values == 0)
    return;
  constexpr double many = 1e-3; // extreme pixels are rarer
  const auto share = static_cast<double> (values) / all;
  messages.add (text ("%" G_GINT64_FORMAT " values (%.2g %%) lie beyond that range, or are NaN, and were clipped",
                      values.load (), 100 * share),
                share > many ? Messages::Level::warning : Messages::Level::info);
}

// --- settings ---

Writing::Writing (const WritingFormat &format, const Planned &planned, const Conversion &c, int r)
    : random_access (format.random_access), parts (format.parts || !planned.pattern.numbered ()),
      one_file (!planned.pattern.numbered ()), spread (planned.spread ()),
      in_memory (kept_in_memory (planned.name (0))), projections (planned.format.kind () == Kind::projections),
      requests (r), conversion (c), from_size (static_cast<int64_t> (size_of (planned.format.element))),
      to_size (static_cast<int64_t> (size_of (planned.element))), lines (planned.lines ()), columns (planned.columns ())
{
}

int Writing::most_requests (int threads) const
{
  if (in_order ())
    return 1;
  const auto most = requests > 0 ? requests : Requests::usual (threads);
  if (!conversion.needed () || parts)
    return most;
  return static_cast<int> (
      std::clamp<int64_t> (whole_bytes / (lines * to_line ()), 1, most)); // each request converts whole pages
}

// Lines of a page that a request converts at once.
int64_t Writing::converted_lines (int64_t lines_in_block) const
{
  return parts ? std::min (lines_in_block, at_least_one (converted_bytes / to_line ())) : lines_in_block;
}

// Pages that are converted at once for writing in order: enough for all threads.
int64_t Writing::converted_pages (int threads, int64_t lines_in_block, int64_t pages) const
{
  return std::clamp<int64_t> (2 * threads * converted_bytes / (lines_in_block * to_line ()), 1, at_least_one (pages));
}

void Writing::memory (int threads, size_t block, int64_t item_rows, Bill &bill) const
{
  const auto high = projections ? item_rows : lines;
  const auto most = static_cast<size_t> (most_requests (threads));
  if (conversion.needed () && in_order ()) {
    const auto pages = static_cast<int64_t> (block) / at_least_one (high * columns * from_size);
    add_pages (bill, converted_item, static_cast<size_t> (converted_pages (threads, high, pages) * high * to_line ()));
  } else if (conversion.needed ())
    add_pages (bill, converted_item, static_cast<size_t> (converted_lines (high) * to_line ()), most);
  if (in_order ())
    return;
  add_bytes (bill, "threads that write", Requests::thread_bytes, most);
  if (one_file && in_memory)
    add_bytes (bill, "mapped parts of the file", Descriptor::mapped_at_once, most);
}

// --- the worker ---

Writer::Writer (const Writing &h, std::shared_ptr<Target> t, std::shared_ptr<Checksums> s, std::shared_ptr<Content> c,
                std::shared_ptr<Finished> f, std::shared_ptr<Clipped> beyond, const Replica &replica)
    : how (h), target (std::move (t)), sums (std::move (s)), content (std::move (c)), finished (std::move (f)),
      clipped (std::move (beyond)), cpu (replica.cpu), monitor (replica.monitor), counters (replica.counters),
      memory (replica.memory),
      requests (replica.monitor, replica.failed, replica.counters,
                h.requests > 0 ? h.most_requests (cpu.threads ()) : 0, h.most_requests (cpu.threads ()))
{
}

void Writer::run (std::span<Input *const> inputs, Output *)
{
  while (const Block in = inputs[0]->pop ()) {
    if (content)
      content->look (in);
    if (finished && content && content->found)
      finished->has_content ();
    monitor.check ();
    if (how.in_order ())
      write_in_order (in);
    else
      request (in);
  }
}

Writer::Part Writer::extent (const Block &in)
{
  if (in.format ().kind () == Kind::projections)
    return {in.angles (), in.rows ()};
  return {in.rows (), {0, in.format ().axes[1].extent}};
}

const std::byte *Writer::pixels_of (const Block &in, const Part &part) const
{
  const auto [pages, lines] = extent (in);
  const auto line = (part.pages.begin - pages.begin) * lines.size () + part.lines.begin - lines.begin;
  return in.data () + line * how.columns * how.from_size;
}

// Several small pages are one request; a large page is split if one file holds all pages. If several files share the
// pages, a page is one request: those that are at work at the same time then go to different files. Requests keep the
// Block.
void Writer::request (const Block &in)
{
  const auto [pages, lines] = extent (in);
  const auto line = how.to_line (), page = line * lines.size ();
  const auto together = how.spread ? 1 : at_least_one (request_bytes / page);
  const auto high =
      how.one_file && !how.spread ? std::min (lines.size (), at_least_one (request_bytes / line)) : lines.size ();
  for (auto first = pages.begin; first < pages.end; first += together)
    for (auto top = lines.begin; top < lines.end; top += high) {
      const Part part{{first, std::min (first + together, pages.end)}, {top, std::min (top + high, lines.end)}};
      requests.add (all, part.pages.size () * part.lines.size () * line, [this, in, part] {
        write (in, part);
        if (finished)
          finished->wrote (part.pages, part.lines);
      });
    }
}

void Writer::put (const Part &part, const std::byte *pixels, int64_t page_bytes) const
{
  sums->add (part.pages, part.lines, pixels, page_bytes);
  target->write_pages (part.pages, part.lines, pixels, page_bytes);
}

// Runs in a thread of the requests.
void Writer::write (const Block &in, const Part &part) const
{
  const auto page_bytes = extent (in).lines.size () * how.columns * how.from_size;
  if (!how.conversion.needed ())
    return put (part, pixels_of (in, part), page_bytes);
  const auto converted = memory.take (converted_item);
  const auto high = how.converted_lines (part.lines.size ());
  for (auto page = part.pages.begin; page < part.pages.end; page++)
    for (auto top = part.lines.begin; top < part.lines.end; top += high) {
      monitor.check ();
      const Interval some{top, std::min (top + high, part.lines.end)};
      const auto n = static_cast<size_t> (some.size () * how.columns);
      count_clipped (how.conversion.apply (pixels_of (in, {{page, page + 1}, some}), n, converted.as ()));
      put ({{page, page + 1}, some}, converted.as (), some.size () * how.to_line ());
    }
}

void Writer::count_clipped (int64_t values) const
{
  if (values == 0)
    return;
  counters.add ("clipped", values);
  if (clipped)
    clipped->values += values;
}

// Uses all compute threads, because formats that write in order compress.
void Writer::write_in_order (const Block &in) const
{
  const auto [pages, lines] = extent (in);
  const auto n = lines.size () * how.columns;
  if (!how.conversion.needed ())
    return put_in_order ({pages, lines}, in.data (), n * how.from_size);
  const auto converted = memory.take (converted_item);
  const auto together = static_cast<int64_t> (converted.size ()) / (n * how.to_size);
  if (together < 1)
    fail (SINO_ERROR_FAILED, "converts more pixels at once than planned");
  for (auto first = pages.begin; first < pages.end; first += together) {
    const Interval some{first, std::min (first + together, pages.end)};
    const auto *pixels = pixels_of (in, {some, lines});
    std::atomic<int64_t> beyond = 0;
    cpu.parallel (some.size () * n, 65536, [&] (int64_t begin, int64_t end) {
      beyond += how.conversion.apply (pixels + begin * how.from_size, static_cast<size_t> (end - begin),
                                      converted.as () + begin * how.to_size);
    });
    count_clipped (beyond);
    put_in_order ({some, lines}, converted.as (), n * how.to_size);
  }
}

void Writer::put_in_order (const Part &part, const std::byte *pixels, int64_t page_bytes) const
{
  const auto line = how.to_line (), high = at_least_one (summed_bytes / line);
  const auto bands = divide_up (part.lines.size (), high);
  cpu.parallel (part.pages.size () * bands, 1, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      const auto page = i / bands, first = i % bands * high;
      const Interval some = part.lines.meet ({part.lines.begin + first, part.lines.begin + first + high});
      sums->add ({part.pages.begin + page, part.pages.begin + page + 1}, some,
                 pixels + page * page_bytes + first * line, page_bytes);
    }
  });
  target->write_pages (part.pages, part.lines, pixels, page_bytes);
}

} // namespace sino::files
