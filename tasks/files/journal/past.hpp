// SPDX-License-Identifier: LGPL-3.0-or-later
// What an earlier run has finished, by the journal beside its output.
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
  std::vector<Rows> rows;           // of the stream that are finished, as add_interval () keeps them
  std::map<int64_t, uint32_t> sums; // checksums of rows
  std::vector<std::string> changed; // those that are not any more what was written, by their names or numbers
  std::vector<std::string> parts;   // journals of other ranks, whose rows are among them
  bool begun = false;               // else nothing was written
  bool has_content = false;         // there was something in a slice
  bool ended = false;               // all is there, under its final name
  bool reopened = false;            // it had ended, and something has gone since

  // None where there is no journal. Throws SINO_ERROR_BAD_FILE where it is damaged.
  static std::optional<Past> read (const std::string &journal);
};

// The journal of an output; that of another rank than the first, beside it.
std::string journal_path (const std::string &output);
std::string part_path (const std::string &journal, int rank);
// Those of all other ranks that are there.
std::vector<std::string> parts_of (const std::string &journal);

// What a run can go on with; none: it begins anew. Throws where a journal is there that must not be touched, or that is
// of another run: its key is not `key`.
std::optional<Past> usable_past (const std::string &journal, const formats::Planned &planned,
                                 const std::vector<std::string> &outputs, Journals use, const RunKey &key);

// Takes rows out of those that are finished where their pixels are not any more what was written; and says so, for
// people to read.
void compare_checksums (Past &past, const formats::Planned &planned);
std::vector<std::string> changed_texts (const Past &past, const formats::Planned &planned);

// Removes a journal that nobody goes on with, and those of other ranks. Throws where a run is at work with it.
void remove_stale (const std::string &journal);

} // namespace sino::files
