// SPDX-License-Identifier: LGPL-3.0-or-later
// What an earlier run has finished, by the journal beside its output.
#pragma once
#include "base/journal.hpp"
#include "formats/target.hpp"
#include "glue/task.hpp"

namespace sino::files {

struct Past {
  JournalLines lines;
  RunKey key;
  std::optional<formats::Unfinished> unfinished;
  std::vector<Rows> rows;   // of the stream that are finished, as add_interval () keeps them
  bool begun = false;       // else nothing was written
  bool has_content = false; // there was something in a slice
  bool ended = false;       // all is there, under its final name

  // None where there is no journal. Throws SINO_ERROR_BAD_FILE where it is damaged.
  static std::optional<Past> read (const std::string &journal);
};

// Adds an interval to those of a list in order, which do not touch.
void add_interval (std::vector<Interval> &list, Interval more);

// The journal of an output.
std::string journal_path (const std::string &output);

// What a run can go on with; none: it begins anew. Throws where a journal is there that must not be touched, or that is
// of another run: its key is not `key`.
std::optional<Past> usable_past (const std::string &journal, const formats::Planned &planned,
                                 const std::vector<std::string> &outputs, Journals use, const RunKey &key);

// Removes a journal that nobody goes on with. Throws where a run is at work with it.
void remove_stale (const std::string &journal);

} // namespace sino::files
