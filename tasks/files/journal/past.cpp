// SPDX-License-Identifier: LGPL-3.0-or-later
// Lines of the journal: "key NAME<tab>VALUE", "file INODE BIRTH OFFSET NAME" (more of them
// for the files that share its images), "begun", "sums BEGIN CHECKSUM ...", "rows
// BEGIN END ...", "content", "ended"; a later "begun" cancels "ended".
#include "tasks/files/journal/past.hpp"
#include "base/error.hpp"
#include "base/files/claim.hpp"
#include "base/files/paths.hpp"
#include "formats/checksum-file.hpp"
#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sino::files {

using formats::add_interval;
using formats::Unfinished;

namespace {

// Removes the first word with its blank from the text, and returns it.
std::string_view take_word (std::string_view &text)
{
  const auto end = std::min (text.find (' '), text.size ());
  const auto word = text.substr (0, end);
  text.remove_prefix (std::min (end + 1, text.size ()));
  return word;
}

bool take_number (std::string_view &text, int64_t &number)
{
  return parse_integer (take_word (text), number);
}

bool read_line (Past &past, std::string_view line, const std::string &folder)
{
  const auto kind = take_word (line);
  int64_t first = 0, second = 0, third = 0;
  if (kind == "key") {
    const auto tab = line.find ('\t');
    if (tab == line.npos)
      return false;
    past.key.emplace_back (unescaped (line.substr (0, tab)), unescaped (line.substr (tab + 1)));
    return true;
  }
  if (kind == "file") {
    if (!take_number (line, first) || !take_number (line, second) || !take_number (line, third) || line.empty ())
      return false;
    const auto name = unescaped (line);
    Unfinished file{
        .path = folder + "/" + name, .inode = static_cast<uint64_t> (first), .first_pixel = third, .birth = second};
    if (past.unfinished)
      past.unfinished->parts.push_back (std::move (file));
    else
      past.unfinished = std::move (file);
    return name.find ('/') == name.npos; // the file must be beside the journal, even if the journal was manipulated
  }
  if (kind == "sums") {
    if (!take_number (line, first) || first < 0)
      return false;
    for (uint32_t sum = 0; !line.empty (); first++)
      if (formats::parse_checksum (take_word (line), sum))
        past.sums[first] = sum;
      else
        return false;
    return true;
  }
  if (kind == "rows") {
    while (!line.empty ()) {
      if (!take_number (line, first) || !take_number (line, second) || first < 0 || second <= first)
        return false;
      add_interval (past.rows, {first, second});
    }
    return true;
  }
  for (const auto &[word, flag] :
       {std::pair ("begun", &past.begun), {"content", &past.has_content}, {"ended", &past.ended}})
    if (kind == word)
      *flag = true;
  if (kind == "begun")
    past.ended = false;
  return past.begun && line.empty ();
}

// Throws if the earlier run had another key.
void compare (const std::string &journal, const RunKey &then, const RunKey &now)
{
  const auto value = [] (const RunKey &key, const std::string &name) {
    const auto found = std::ranges::find (key, name, &RunKey::value_type::first);
    return found == key.end () ? std::string () : found->second;
  };
  for (const auto *key : {&then, &now})
    for (const auto &[name, ignored] : *key)
      if (value (then, name) != value (now, name))
        fail (SINO_ERROR_EXISTS,
              "'%s' cannot be continued: the run that wrote it had another %s; continue with that, or remove the "
              "journal to start again",
              journal.c_str (), name.c_str ());
}

bool is_file (const std::string &path, const Unfinished &file)
{
  const OpenFile found (open (path.c_str (), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (found < 0)
    return false;
  const auto birth = birth_of (found);
  return stamp_of (found).inode == file.inode && (birth == 0 || file.birth == 0 || birth == file.birth);
}

bool is_of_run (const std::string &path, const Unfinished &output)
{
  return is_file (path, output) ||
         std::ranges::any_of (output.parts, [&] (const auto &part) { return is_file (path, part); });
}

// Finds the present path of a file under construction: its temporary name, or its final one, for messages.
void find_file (const std::string &journal, const Past &past, Unfinished &file, const std::string &final_path,
                const formats::Planned &planned, const std::vector<std::string> &outputs)
{
  if (!past.ended && is_file (file.path, file)) {
    for (const auto &path : outputs)
      if (!planned.overwrite && access (path.c_str (), F_OK) == 0 && !is_of_run (path, *past.unfinished))
        fail (SINO_ERROR_EXISTS, "'%s' was created after the run that '%s' describes: move it away", path.c_str (),
              journal.c_str ());
    return;
  }
  for (const auto &path : outputs)
    if (is_file (path, file)) {
      file.path = path;
      return;
    }
  if (past.ended)
    fail (SINO_ERROR_BAD_FILE,
          "'%s' is not the file that '%s' describes as complete: remove the journal to start again",
          final_path.c_str (), journal.c_str ());
  fail (SINO_ERROR_BAD_FILE, "the unfinished file '%s' is missing: remove '%s' to start again", file.path.c_str (),
        journal.c_str ());
}

// Finds all files of the output.
void find_files (const std::string &journal, Past &past, const formats::Planned &planned,
                 const std::vector<std::string> &outputs)
{
  auto &output = *past.unfinished;
  // Without parts, the last output is the one with the pixels.
  find_file (journal, past, output, planned.spread () ? outputs.front () : outputs.back (), planned, outputs);
  for (size_t i = 0; i < output.parts.size (); i++)
    find_file (journal, past, output.parts[i], planned.part_name (static_cast<int> (i)), planned, outputs);
}

void require_size (const std::string &journal, const Unfinished &file, int64_t bytes)
{
  FileStamp stamp;
  if (!find_stamp (file.path, stamp) || stamp.size < file.first_pixel + bytes)
    fail (SINO_ERROR_BAD_FILE, "'%s' is shorter than '%s' says: remove the journal to start again", file.path.c_str (),
          journal.c_str ());
}

// Throws if a file is too short for the finished rows. Parts have their full size from the beginning.
void check_size (const std::string &journal, const Past &past, const formats::Planned &planned)
{
  const auto &file = *past.unfinished;
  for (size_t i = 0; i < file.parts.size (); i++)
    require_size (journal, file.parts[i], planned.pages_of_part (static_cast<int> (i)) * planned.page_bytes ());
  if (!file.parts.empty ())
    return;
  const auto end = past.ended ? planned.format.rows () : past.rows.empty () ? 0 : past.rows.back ().end;
  const auto bytes = end == 0 ? 0
                     : planned.format.rows_first ()
                         ? end * planned.page_bytes ()
                         : (planned.pages () - 1) * planned.page_bytes () + end * planned.line_bytes ();
  require_size (journal, file, bytes);
}

// Finished rows whose files exist and have the usual length.
std::vector<Rows> rows_there (const std::vector<Rows> &rows, const formats::Planned &planned)
{
  std::vector<std::pair<int64_t, off_t>> sizes;
  off_t usual = 0;
  for (const auto some : rows)
    for (auto row = some.begin; row < some.end; row++) {
      struct stat status {
      };
      if (stat (planned.name (row).c_str (), &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      sizes.emplace_back (row, status.st_size);
      usual = std::max (usual, status.st_size);
    }
  std::vector<Rows> there;
  for (const auto &[row, size] : sizes)
    if (size == usual && size >= planned.page_bytes ())
      add_interval (there, {row, row + 1});
  return there;
}

// Handles the loss of finished rows after the run had ended.
void reopen (Past &past, const std::vector<Rows> &whole)
{
  past.reopened = past.ended && past.rows != whole;
  past.ended = past.ended && !past.reopened;
}

} // namespace

std::string journal_path (const std::string &output)
{
  return output + ".journal";
}

std::string part_path (const std::string &journal, int rank)
{
  return text ("%s.%d", journal.c_str (), rank);
}

std::vector<std::string> parts_of (const std::string &journal)
{
  std::vector<std::string> parts;
  const auto begin = file_name (journal) + ".";
  const auto folder = folder_of (journal);
  for (const auto &name : names_in (folder).list) {
    int64_t rank = 0;
    if (name.starts_with (begin) && parse_integer (name.substr (begin.size ()), rank))
      if (auto path = text ("%s/%s", folder.c_str (), name.c_str ()); is_journal (path))
        parts.push_back (std::move (path));
  }
  return parts;
}

std::optional<Past> Past::read (const std::string &journal)
{
  auto lines = read_journal (journal);
  if (!lines)
    return {};
  Past past;
  for (const auto &line : lines->lines)
    if (!read_line (past, line, folder_of (journal)))
      fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: remove it to start again", journal.c_str ());
  past.lines = std::move (*lines);
  past.parts = parts_of (journal);
  for (const auto &part : past.parts)
    if (const auto more = read_journal (part))
      for (const auto &line : more->lines)
        if (!read_line (past, line, folder_of (journal)))
          fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: remove it to continue without the results that it lists",
                part.c_str ());
  return past;
}

std::optional<Past> usable_past (const std::string &journal, const formats::Planned &planned,
                                 const std::vector<std::string> &outputs, Journals use, const RunKey &key)
{
  auto past = Past::read (journal);
  if (!past)
    return {};
  if (is_claimed (journal) || std::ranges::any_of (past->parts, is_claimed))
    fail (SINO_ERROR_EXISTS, "'%s': another run is writing this output", journal.c_str ());
  if (!past->begun || (past->ended && use != Journals::resumed))
    return {};
  if (use != Journals::resumed)
    fail (SINO_ERROR_EXISTS,
          "'%s' belongs to an unfinished run: continue it with --resume, or remove the journal to start again",
          journal.c_str ());
  compare (journal, past->key, key);
  const auto all = planned.format.rows ();
  if (std::ranges::any_of (past->rows, [all] (Rows rows) { return rows.end > all; }))
    fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: remove it to start again", journal.c_str ());
  const std::vector<Rows> whole{{0, all}};
  if (planned.pattern.numbered ()) {
    past->rows = rows_there (past->ended ? whole : past->rows, planned);
    compare_checksums (*past, planned);
    reopen (*past, whole);
    return past;
  }
  if (past->ended)
    for (const auto &path : outputs)
      if (access (path.c_str (), F_OK) != 0)
        fail (SINO_ERROR_BAD_FILE,
              "'%s' is missing, but '%s' describes it as complete: remove the journal to start again", path.c_str (),
              journal.c_str ());
  if (!past->unfinished ||
      past->unfinished->parts.size () != (planned.spread () ? static_cast<size_t> (planned.files) : 0))
    fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: remove it to start again", journal.c_str ());
  find_files (journal, *past, planned, outputs);
  check_size (journal, *past, planned);
  if (past->ended)
    past->rows = whole;
  compare_checksums (*past, planned);
  reopen (*past, whole);
  return past;
}

void remove_stale (const std::string &journal)
{
  auto all = parts_of (journal); // read before the journal that they belong to
  if (access (journal.c_str (), F_OK) == 0)
    all.push_back (journal);
  for (const auto &each : all)
    if (remove_if_gone (each, [&] { return unlink (each.c_str ()) == 0; }) == Claim::held)
      fail (SINO_ERROR_EXISTS, "'%s': another run is writing this output", each.c_str ());
}

} // namespace sino::files
