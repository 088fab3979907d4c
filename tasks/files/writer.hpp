// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of `write`: blocks become requests to the storage, which its threads do while it takes the next ones.
#pragma once
#include "base/requests.hpp"
#include "formats/checksums.hpp"
#include "formats/formats.hpp"
#include "glue/task.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/journal/finished.hpp"

namespace sino::files {

using namespace formats;

// Whether a result has anything in it, which all workers look for until one has found it.
struct Content {
  std::atomic<bool> found{false};

  void look (const Block &in);
};

// How a stream is written, known before it is.
class Writing
{
public:
  // `requests`: so many at a time; 0: as many as pay.
  Writing (const WritingFormat &format, const Planned &planned, const Conversion &conversion, int requests);

  // Whole pages in their order, one block at a time.
  bool in_order () const { return !random_access; }
  int most_requests (int threads) const;
  // Beside the blocks, with input blocks of so many bytes.
  void memory (int threads, size_t block, int64_t item_rows, Bill &bill) const;

private:
  friend class Writer;

  bool random_access, parts, one_file, in_memory, projections;
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
  // `content`: null where nothing is to be looked for; `finished`: where nobody keeps a journal.
  Writer (const Writing &how, std::shared_ptr<Target> target, std::shared_ptr<Checksums> sums,
          std::shared_ptr<Content> content, std::shared_ptr<Finished> finished, const Replica &replica);

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
  const Cpu &cpu;
  const Monitor &monitor;
  Counters &counters;
  Allotment &memory;
  Requests::Batch all;
  Requests requests; // after all that its threads use

  static Part extent (const Block &in);
  const std::byte *pixels_of (const Block &in, const Part &part) const;
  void request (const Block &in);
  void put (const Part &part, const std::byte *pixels, int64_t page_bytes) const;
  void write (const Block &in, const Part &part) const;
  void write_in_order (const Block &in) const;
  void put_in_order (const Part &part, const std::byte *pixels, int64_t page_bytes) const;
};

} // namespace sino::files
