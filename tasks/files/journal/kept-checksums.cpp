// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/journal/kept-checksums.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/paths.hpp"
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

// The checksums that `find` returns for a path; empty if it finds none, or if they are damaged.
KeptChecksums kept_by (std::optional<KeptChecksums> (*find) (const std::string &path), const std::string &path)
{
  try {
    return find (path).value_or (KeptChecksums ());
  } catch (const Error &) {
    return {};
  }
}

// Checksums of single files from an earlier run.
KeptChecksums kept_of_files (const std::string &path)
{
  auto kept = kept_by (find_checksums, path);
  kept.whole.reset ();
  return kept;
}

bool holds (const KeptChecksums &kept, const Planned &planned, const Checksums &sums)
{
  if (!planned.pattern.numbered ())
    return kept == whole_checksums (planned, sums);
  for (int64_t page = 0; page < sums.size (); page++)
    if (const auto sum = sums.at (page)) {
      const auto found = kept.files.find (file_name (planned.name (page)));
      if (found == kept.files.end () || found->second != sum)
        return false;
    }
  return true;
}

// The new checksums, and those of other images that the output had before.
KeptChecksums kept_beside (const std::string &output, const Planned &planned, const Checksums &sums)
{
  if (!planned.pattern.numbered ())
    return whole_checksums (planned, sums);
  auto kept = kept_of_files (checksums_path (output));
  for (int64_t page = 0; page < sums.size (); page++)
    if (const auto sum = sums.at (page))
      kept.files[file_name (planned.name (page))] = *sum;
  return kept;
}

} // namespace

size_t bytes_of_names (const std::string &output, const Planned &planned)
{
  if (!planned.pattern.numbered ())
    return 0;
  constexpr size_t of_line = 10, of_node = 80, of_name = 24,
                   inside = 15; // bytes beside a name in: a line, a map node, its own memory; longest name in the node
  const auto length = file_name (planned.name (0)).size ();
  const auto each = of_node + (length > inside ? length + of_name : 0);
  FileStamp there;
  const auto text = find_stamp (checksums_path (output), there) ? static_cast<size_t> (there.size) : 0;
  // They are read at the begin and at the end of the run, in threads whose allocators keep freed memory.
  const auto known = 2 * (text / (of_line + length));
  return (static_cast<size_t> (planned.pages ()) + known) * each + text;
}

Checksums::Of summed (const Planned &planned, bool random_access)
{
  const bool rows = !planned.format.rows_first () && !planned.pattern.numbered () && random_access;
  return rows ? Checksums::Of::rows : Checksums::Of::images;
}

void check_place_of_checksums (const std::string &output)
{
  const auto path = checksums_path (output);
  if (access (path.c_str (), F_OK) == 0 && !are_checksums (path))
    fail (SINO_ERROR_EXISTS, "'%s' exists and does not contain checksums, which would be written there: move it away",
          path.c_str ());
}

void withdraw_checksums (const std::string &output, const Planned &planned)
{
  const auto path = checksums_path (output);
  if (!are_checksums (path))
    return;
  auto kept = planned.pattern.numbered () ? kept_of_files (path) : KeptChecksums ();
  const auto before = kept.files.size ();
  for (int64_t page = 0; page < planned.pages () && !kept.files.empty (); page++)
    kept.files.erase (file_name (planned.name (page)));
  if (kept.files.empty ())
    unlink (path.c_str ());
  else if (kept.files.size () < before)
    ChecksumFile (path, kept).commit ();
}

KeptChecksums whole_checksums (const Planned &planned, const Checksums &sums)
{
  KeptChecksums kept;
  auto &whole = kept.whole.emplace (KeptChecksums::Whole{.of = sums.of,
                                                         .element = planned.element,
                                                         .images = planned.pages (),
                                                         .lines = planned.lines (),
                                                         .columns = planned.columns ()});
  for (int64_t i = 0; i < sums.size (); i++)
    whole.sums.push_back (sums.at (i));
  return kept;
}

void finish_with_checksums (Target &target, const std::optional<std::string> &output, const Planned &planned,
                            const Checksums &sums)
{
  const bool inside = target.keep (sums);
  if (!output)
    return target.finish ();
  try {
    if (!inside) // first, because a complete output without checksums could not be told from one that has none
      ChecksumFile (checksums_path (*output), kept_beside (*output, planned, sums)).commit ();
    target.finish ();
  } catch (...) {
    if (!inside && !planned.pattern.numbered ())
      withdraw_checksums (*output, planned);
    throw;
  }
  if (inside) // the file beside belongs to an earlier output
    withdraw_checksums (*output, planned);
}

void restore_checksums (const std::string &output, const WritingFormat &format, const Planned &planned,
                        const std::map<int64_t, uint32_t> &of_rows)
{
  Checksums sums (summed (planned, format.random_access), planned.pages (), planned.lines (), planned.line_bytes ());
  for (const auto &[row, sum] : of_rows)
    if (row < sums.size ()) // the journal may be wrong
      sums.set (row, sum);
  const auto inside = [&] { return format.kept && holds (kept_by (format.kept, output), planned, sums); };
  if (inside ())
    return;
  if (format.keep && format.keep (output, planned, sums)) {
    if (!inside ())
      fail (
          SINO_ERROR_BAD_FILE,
          "the checksums in '%s' do not match its pixels, and cannot be corrected: write it again, with overwrite=true",
          output.c_str ());
    return;
  }
  const auto path = checksums_path (output);
  if (!holds (kept_by (find_checksums, path), planned, sums))
    ChecksumFile (path, kept_beside (output, planned, sums)).commit ();
}

} // namespace sino::files
