// SPDX-License-Identifier: LGPL-3.0-or-later
// A list of finished work, line by line, in a file that survives the process and the machine: an added line is on the
// disk.
#pragma once
#include "base/files/open-file.hpp"
#include "base/visibility.hpp"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sino {

// The lines of a journal, oldest first.
struct JournalLines {
  std::vector<std::string> lines; // complete lines; an incomplete last one is left out
  size_t bytes = 0;               // size of these lines
};

// Reads a journal; none if the file does not exist. Throws SINO_ERROR_BAD_FILE if the file is not a journal.
SINO_VISIBLE std::optional<JournalLines> read_journal (const std::string &path);

// Whether the file begins like a journal.
SINO_VISIBLE bool is_journal (const std::string &path);

class SINO_VISIBLE Journal
{
public:
  // if_killed: the destructor removes the file, so it stays only if the process is killed. always: it stays in any
  // case.
  enum class Stays { if_killed, always };

  // Creates the file; the folder must exist. Throws the system's error.
  Journal (const std::string &path, Stays stays);
  // Continues a journal after the lines that were read. Throws if another process works with it.
  Journal (const std::string &path, const JournalLines &before);
  ~Journal ();

  // One call at a time. Throws the system's error. Lines must not contain line breaks.
  void add (std::span<const std::string> lines);
  // Removes the file.
  void remove ();

private:
  const std::string path;
  const Stays stays;
  const OpenFile file;

  Journal (OpenFile file, std::string path, Stays stays);
  void put (std::string_view bytes) const;
};

} // namespace sino
