// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/journal/finished.hpp"
#include "base/files/paths.hpp"
#include <algorithm>
#include <unistd.h>
#include <utility>

namespace sino::files {

using formats::add_interval;

namespace {

// While results are computed, bringing them to the disk takes at most 1 / most_share of the time.
constexpr int most_share = 10;

std::string line_of (const formats::Unfinished &file)
{
  return text ("file %lld %lld %lld ", static_cast<long long> (file.inode), static_cast<long long> (file.birth),
               static_cast<long long> (file.first_pixel)) +
         escaped (file_name (file.path));
}

} // namespace

Finished::Finished (const std::string &p, const Written &w, Journal::Stays s)
    : target (w.target), sums (w.sums), pages_are_rows (w.planned.format.rows_first ()),
      stays (s == Journal::Stays::always), path (p), parts (pages_are_rows ? w.planned.lines () : w.planned.pages ()),
      journal (path, s), done (static_cast<size_t> (w.planned.format.rows ()))
{
  if (stays)
    target.outlive ();
}

Finished::Finished (const std::string &p, const Written &w, const RunKey &key, Journal::Stays s) : Finished (p, w, s)
{
  target.sync ();
  std::vector<std::string> lines;
  for (const auto &[name, value] : key)
    lines.push_back ("key " + escaped (name) + "\t" + escaped (value));
  if (const auto unfinished = target.unfinished ()) {
    lines.push_back (line_of (*unfinished));
    for (const auto &part : unfinished->parts)
      lines.push_back (line_of (part));
  }
  lines.emplace_back ("begun");
  journal.add (lines);
}

Finished::Finished (const std::string &p, const Written &w, const Past &past)
    : target (w.target), sums (w.sums), pages_are_rows (w.planned.format.rows_first ()), stays (true), path (p),
      parts (pages_are_rows ? w.planned.lines () : w.planned.pages ()), journal (path, past.lines),
      done (static_cast<size_t> (w.planned.format.rows ())), content_found (past.has_content),
      content_told (past.has_content)
{
  target.outlive ();
  for (const auto rows : past.rows)
    std::fill (done.begin () + rows.begin, done.begin () + rows.end, true);
  if (past.parts.empty () && !past.reopened)
    return;
  std::vector<std::string> lines;
  add_lines (lines, past.rows);
  if (content_told)
    lines.emplace_back ("content");
  if (past.reopened)
    lines.emplace_back ("begun");
  journal.add (lines);
  remove_parts ();
}

// Writes the last entries, because messages of other ranks refer to them.
Finished::~Finished ()
{
  try {
    if (stays)
      tell ();
    else
      remove_parts ();
  } catch (...) { // rows without an entry are computed again
  }
}

// Writes the checksums of rows before the rows themselves.
void Finished::add_lines (std::vector<std::string> &lines, const std::vector<Rows> &rows) const
{
  if (rows.empty ())
    return;
  std::string complete = "rows";
  for (const auto some : rows) {
    complete += text (" %lld %lld", static_cast<long long> (some.begin), static_cast<long long> (some.end));
    auto line = text ("sums %lld", static_cast<long long> (some.begin));
    for (auto row = some.begin; row < some.end; row++) {
      const auto sum = sums->at (row);
      if (!sum)
        break; // these and the following rows are computed again
      line += text (" %08x", *sum);
    }
    lines.push_back (std::move (line));
  }
  lines.push_back (std::move (complete));
}

void Finished::add (int64_t row, Interval some)
{
  if (done[static_cast<size_t> (row)])
    return;
  auto &there = begun[row];
  add_interval (there, some);
  if (there.front () != Interval{0, parts})
    return;
  begun.erase (row);
  done[static_cast<size_t> (row)] = true;
  add_interval (ready, {row, row + 1});
}

void Finished::wrote (Interval pages, Interval lines)
{
  const auto rows = pages_are_rows ? pages : lines;
  {
    const std::lock_guard guard (mutex);
    for (auto row = rows.begin; row < rows.end; row++)
      add (row, pages_are_rows ? lines : pages);
  }
  const std::unique_lock one (telling, std::try_to_lock);
  if (!one || Clock::now () < due)
    return;
  const auto begin = Clock::now ();
  tell ();
  due = Clock::now () + (most_share - 1) * (Clock::now () - begin);
}

void Finished::has_content ()
{
  const std::lock_guard guard (mutex);
  content_found = true;
}

// After a failure, the state on the disk is unknown, so nothing more is recorded.
void Finished::tell ()
{
  if (std::exchange (failed, true))
    return;
  std::vector<Rows> rows;
  bool content;
  {
    const std::lock_guard guard (mutex);
    rows.swap (ready);
    content = content_found && !content_told;
  }
  if (rows.empty () && !content) {
    failed = false;
    return;
  }
  target.sync ();
  std::vector<std::string> lines;
  if (content)
    lines.emplace_back ("content");
  add_lines (lines, rows);
  journal.add (lines);
  content_told = content_told || content;
  failed = false;
}

void Finished::sync ()
{
  const std::lock_guard one (telling);
  const bool before = std::exchange (failed, true);
  target.sync ();
  failed = before;
}

void Finished::forget ()
{
  const std::lock_guard one (telling);
  failed = true;
  journal.remove ();
  remove_parts ();
}

void Finished::remove_parts () const
{
  for (const auto &part : parts_of (path))
    unlink (part.c_str ());
}

// Removes the journal if it is not to be kept.
void Finished::end ()
{
  if (!stays)
    return;
  const std::lock_guard one (telling);
  std::vector<std::string> lines;
  if (content_found && !content_told)
    lines.emplace_back ("content");
  const bool others = !parts_of (path).empty ();
  add_lines (lines, others ? std::vector<Rows>{{0, static_cast<int64_t> (done.size ())}} : std::exchange (ready, {}));
  if (others) {
    journal.add (lines);
    lines.clear ();
    remove_parts ();
  }
  lines.emplace_back ("ended");
  journal.add (lines);
  failed = true; // nothing is left to record
}

} // namespace sino::files
