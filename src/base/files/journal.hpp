// SPDX-License-Identifier: LGPL-3.0-or-later
// What a run has finished, line by line, in a file that outlives the process and the machine: a line that was added is
// on the disk.
#pragma once
#include "base/visibility.hpp"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sino {

// The lines of a journal, oldest first.
struct JournalLines {
  std::vector<std::string> lines; // whole ones; one that was being written when the machine stopped is left out
  size_t bytes = 0;               // that they take
};

// What a file holds that may be a journal; none where there is no file. Throws SINO_ERROR_BAD_FILE where it is none.
SINO_VISIBLE std::optional<JournalLines> read_journal (const std::string &path);

// Whether it begins like one.
SINO_VISIBLE bool is_journal (const std::string &path);

class SINO_VISIBLE Journal
{
public:
  // Whether the file goes with this object, or stays whatever ends the run.
  enum class Stays { if_killed, always };

  // Creates it; the folder must exist. Throws what the system says.
  Journal (const std::string &path, Stays stays);
  // Goes on with one, after the lines that were read. Throws where another process is at work with it.
  Journal (const std::string &path, const JournalLines &before);
  ~Journal ();
  Journal (const Journal &) = delete;
  Journal &operator= (const Journal &) = delete;

  // One call at a time. Throws what the system says. Lines without line breaks.
  void add (std::span<const std::string> lines);
  // Removes the file.
  void remove ();

private:
  const std::string path;
  const Stays stays;
  const int file;

  Journal (int file, std::string path, Stays stays);
  void put (std::string_view bytes) const;
};

} // namespace sino
