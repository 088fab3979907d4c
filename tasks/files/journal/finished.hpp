// SPDX-License-Identifier: LGPL-3.0-or-later
// Records finished rows of a stream in a journal beside the output, so that a later run can continue a killed one.
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
  // The output and its checksums.
  struct Written {
    const formats::Planned &planned;
    formats::Target &target;
    const std::shared_ptr<const formats::Checksums> sums;
  };

  // Begins a journal for a newly opened target. `stays`: whether the journal and the written data outlive the run.
  Finished (const std::string &journal, const Written &written, const RunKey &key, Journal::Stays stays);
  // Begins the journal of another rank than the first: only rows, in a separate file.
  Finished (const std::string &part, const Written &written, Journal::Stays stays);
  // Continues a journal, and merges those of other ranks.
  Finished (const std::string &journal, const Written &written, const Past &past);
  // Records rows that were written and not recorded yet, if the journal stays.
  ~Finished ();

  // Called when these lines of these pages have been written. Any thread.
  void wrote (Interval pages, Interval lines);
  // Records that the result is not blank, so that no error is raised for blank slices.
  void has_content ();
  // Brings the written data to the disk. If that fails, the state is unknown and nothing more is recorded.
  void sync ();
  // Called when the output is complete and has its final name.
  void end ();
  // Called when the output is not wanted: no later run may continue it.
  void forget ();

private:
  using Clock = std::chrono::steady_clock;

  formats::Target &target;
  const std::shared_ptr<const formats::Checksums> sums;
  const bool pages_are_rows, stays;
  const std::string path;
  const int64_t parts; // parts of a row: lines of its page, or pages
  Journal journal;
  std::mutex mutex; // protects the members below
  std::vector<bool> done;
  std::map<int64_t, std::vector<Interval>> begun; // written parts of incomplete rows, sorted
  std::vector<Rows> ready;                        // complete rows that are not recorded yet
  bool content_found = false;
  std::mutex telling; // protects the members below and the journal
  bool content_told = false;
  Clock::time_point due{};
  bool failed = false; // recording has failed or ended

  void add (int64_t row, Interval some);
  void add_lines (std::vector<std::string> &lines, const std::vector<Rows> &rows) const;
  void tell ();
  void remove_parts () const; // removes journals of other ranks
};

} // namespace sino::files
