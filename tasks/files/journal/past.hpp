// SPDX-License-Identifier: LGPL-3.0-or-later
// Finished work of an earlier run, read from the journal beside its output.
#pragma once
#include "base/files/journal.hpp"
#include "formats/checksums.hpp"
#include "formats/target.hpp"
#include "glue/facets.hpp"
#include "glue/task.hpp"

namespace sino::files {

struct Past {
  JournalLines lines;
  RunKey key;
  std::optional<formats::Unfinished> unfinished;
  std::vector<Rows> rows;           // finished rows of the stream, sorted as by add_interval ()
  std::map<int64_t, uint32_t> sums; // checksums of rows
  std::vector<std::string> changed; // rows that have changed since they were written: names or numbers
  std::vector<std::string> parts;   // journals of other ranks, whose rows are included
  bool begun = false;               // whether anything was written
  bool has_content = false;         // whether a slice was not blank
  bool ended = false;               // whether the output is complete, with its final name
  bool reopened = false;            // whether rows have been lost after it had ended

  // None if there is no journal. Throws SINO_ERROR_BAD_FILE if it is damaged.
  static std::optional<Past> read (const std::string &journal);
};

// journal_path (): the journal of an output. part_path (): the journal of another rank, beside it.
std::string journal_path (const std::string &output);
std::string part_path (const std::string &journal, int rank);
// Existing journals of all other ranks.
std::vector<std::string> parts_of (const std::string &journal);

// The earlier work that a run can continue; none: it starts from the beginning. Throws if there is a journal that must
// not be changed, or that belongs to another run (its key is not `key`).
std::optional<Past> usable_past (const std::string &journal, const formats::Planned &planned,
                                 const std::vector<std::string> &outputs, Journals use, const RunKey &key);

// Removes rows from the finished ones if their pixels have changed since they were written; changed_texts () are
// messages about them.
void compare_checksums (Past &past, const formats::Planned &planned);
std::vector<std::string> changed_texts (const Past &past, const formats::Planned &planned);

// Removes a journal that will not be continued, and those of other ranks. Throws if a run works with it.
void remove_stale (const std::string &journal);

} // namespace sino::files
