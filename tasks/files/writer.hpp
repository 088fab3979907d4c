// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of `write`: makes requests to the storage from blocks; other threads process them while it takes the next
// blocks.
#pragma once
#include "base/requests.hpp"
#include "formats/checksums.hpp"
#include "formats/formats.hpp"
#include "glue/task.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/journal/finished.hpp"

namespace sino::files {

using namespace formats;

// Whether a result is not blank; all workers check until one has found a value.
struct Content {
  std::atomic<bool> found{false};

  void look (const Block &in);
};

// Values beyond the range that integers stand for; all workers count them.
class Clipped
{
public:
  // Tells people what the integers of the file stand for.
  Clipped (const Planned &planned, Messages &to);

  std::atomic<int64_t> values{0};
  // At the end: tells how many there were.
  void tell () const;

private:
  Messages &messages;
  double all;
};

// Settings for writing a stream, known before the run.
class Writing
{
public:
  // `requests`: number of requests at a time; 0: raised as long as the rate increases.
  Writing (const WritingFormat &format, const Planned &planned, const Conversion &conversion, int requests);

  // Writes whole pages in order, one block at a time.
  bool in_order () const { return !random_access; }
  int most_requests (int threads) const;
  // Adds memory beside the blocks; `block`: size of input blocks in bytes.
  void memory (int threads, size_t block, int64_t item_rows, Bill &bill) const;

private:
  friend class Writer;

  bool random_access, parts, one_file, spread, in_memory, projections;
  int requests;
  Conversion conversion;
  int64_t from_size, to_size, lines, columns;

  int64_t to_line () const { return columns * to_size; }
  int64_t converted_lines (int64_t lines_in_block) const;
  int64_t converted_pages (int threads, int64_t lines_in_block, int64_t pages) const;
};

class Writer final : public Worker
{
public:
  // `content`: null if not checked; `finished`: null without a journal; `clipped`: null if values are not mapped.
  Writer (const Writing &how, std::shared_ptr<Target> target, std::shared_ptr<Checksums> sums,
          std::shared_ptr<Content> content, std::shared_ptr<Finished> finished, std::shared_ptr<Clipped> clipped,
          const Replica &replica);

  void run (std::span<Input *const> inputs, Output *) override;
  void end () override { requests.settle (); }

private:
  // Lines of some pages of a block.
  struct Part {
    Interval pages, lines;
  };

  const Writing how;
  const std::shared_ptr<Target> target;
  const std::shared_ptr<Checksums> sums;
  const std::shared_ptr<Content> content;
  const std::shared_ptr<Finished> finished;
  const std::shared_ptr<Clipped> clipped;
  const Cpu &cpu;
  const Monitor &monitor;
  Counters &counters;
  Allotment &memory;
  Requests::Batch all;
  Requests requests; // last member: its threads use the others

  static Part extent (const Block &in);
  const std::byte *pixels_of (const Block &in, const Part &part) const;
  void request (const Block &in);
  void put (const Part &part, const std::byte *pixels, int64_t page_bytes) const;
  void write (const Block &in, const Part &part) const;
  void count_clipped (int64_t values) const;
  void write_in_order (const Block &in) const;
  void put_in_order (const Part &part, const std::byte *pixels, int64_t page_bytes) const;
};

} // namespace sino::files
