// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/kept-checksums.hpp"
#include "base/error.hpp"
#include "base/paths.hpp"
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

// Of the files of an earlier run; what cannot be read tells of none.
KeptChecksums kept_of_files (const std::string &path)
{
  KeptChecksums kept;
  try {
    if (are_checksums (path))
      kept = read_checksums (path);
  } catch (const Error &) { // damaged
  }
  return kept.whole ? KeptChecksums () : kept;
}

} // namespace

Checksums::Of summed (const WritingFormat &format, const Planned &planned)
{
  const bool rows = !planned.format.rows_first () && !planned.pattern.numbered () && format.random_access;
  return rows ? Checksums::Of::rows : Checksums::Of::images;
}

void check_place_of_checksums (const std::string &output)
{
  const auto path = checksums_path (output);
  if (access (path.c_str (), F_OK) == 0 && !are_checksums (path))
    fail (SINO_ERROR_EXISTS, "'%s' exists and has no checksums, which would go there: move it away", path.c_str ());
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

ChecksumFile checksum_file (const std::string &output, const Planned &planned, const Checksums &sums)
{
  const auto path = checksums_path (output);
  KeptChecksums kept;
  if (planned.pattern.numbered ()) {
    kept = kept_of_files (path);
    for (int64_t page = 0; page < sums.size (); page++)
      if (const auto sum = sums.at (page))
        kept.files[file_name (planned.name (page))] = *sum;
  } else {
    auto &whole = kept.whole.emplace (
        KeptChecksums::Whole{sums.of, planned.element, planned.pages (), planned.lines (), planned.columns (), {}});
    for (int64_t i = 0; i < sums.size (); i++)
      whole.sums.push_back (sums.at (i));
  }
  return {path, kept};
}

} // namespace sino::files
