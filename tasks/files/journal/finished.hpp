// SPDX-License-Identifier: LGPL-3.0-or-later
// Which rows of a stream are written for good: kept in a journal beside the output, so that a later run goes on where
// one was killed.
#pragma once
#include "glue/facets.hpp"
#include "tasks/files/journal/past.hpp"
#include <chrono>
#include <map>
#include <mutex>

namespace sino::files {

class Finished
{
public:
  // What is written, and its checksums.
  struct Written {
    const formats::Planned &planned;
    formats::Target &target;
    const std::shared_ptr<const formats::Checksums> sums;
  };

  // Begins a journal for a target that has just been opened. `stays`: as the journal, so what was written.
  Finished (const std::string &journal, const Written &written, const RunKey &key, Journal::Stays stays);
  // Begins one for what another rank than the first writes of it: rows alone, in a file of its own.
  Finished (const std::string &part, const Written &written, Journal::Stays stays);
  // Goes on with one, and takes in those of other ranks.
  Finished (const std::string &journal, const Written &written, const Past &past);
  // What was written and stays is told as far as it was not.
  ~Finished ();
  Finished (const Finished &) = delete;
  Finished &operator= (const Finished &) = delete;

  // These lines of these pages have been written. Any thread.
  void wrote (Interval pages, Interval lines);
  // There is something in the result: no error for blank slices.
  void has_content ();
  // Brings what was written to the disk. Where that fails, nobody knows what is there, and no more is told.
  void sync ();
  // All is there, under its final name.
  void end ();
  // What was written is not wanted: there is nothing to go on with.
  void forget ();

private:
  using Clock = std::chrono::steady_clock;

  formats::Target &target;
  const std::shared_ptr<const formats::Checksums> sums;
  const bool pages_are_rows, stays;
  const std::string path;
  const int64_t parts; // of a row that are to be written: lines of its page, or pages
  Journal journal;
  std::mutex mutex; // of what follows
  std::vector<bool> done;
  std::map<int64_t, std::vector<Interval>> begun; // parts of rows that are there, in their order
  std::vector<Rows> ready;                        // rows that are done and not told
  bool content_found = false;
  std::mutex telling; // of what follows, and the journal
  bool content_told = false;
  Clock::time_point due{};
  bool failed = false; // no more is told

  void add (int64_t row, Interval some);
  void add_lines (std::vector<std::string> &lines, const std::vector<Rows> &rows) const;
  void tell ();
  void remove_parts () const; // journals of other ranks
};

} // namespace sino::files
