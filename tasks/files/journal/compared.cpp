// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/cancellation.hpp"
#include "base/files/paths.hpp"
#include "formats/verify.hpp"
#include "tasks/files/journal/past.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

constexpr int64_t piece_bytes = 16 << 20; // bytes that a thread compares at a time

// Cuts rows into pieces of at most `most`.
std::vector<Rows> pieces (const std::vector<Rows> &rows, int64_t most)
{
  std::vector<Rows> list;
  for (const auto some : rows)
    for (auto row = some.begin; row < some.end; row += most)
      list.push_back ({row, std::min (row + most, some.end)});
  return list;
}

// The files with the pixels.
std::vector<PlainPixels::File> files_of (const Unfinished &output)
{
  std::vector<PlainPixels::File> files;
  for (const auto &part : output.parts)
    files.push_back ({part.path, part.first_pixel});
  return files.empty () ? std::vector<PlainPixels::File>{{output.path, output.first_pixel}} : files;
}

} // namespace

void compare_checksums (Past &past, const Planned &planned)
{
  const bool numbered = planned.pattern.numbered ();
  if (numbered && !past.rows.empty () && !is_read (planned.name (past.rows.front ().begin)))
    return; // a format of a module that only writes
  const bool of_images = planned.format.rows_first ();
  Checksums sums (of_images ? Checksums::Of::images : Checksums::Of::rows, planned.pages (), planned.lines (),
                  planned.line_bytes ());
  const auto row_bytes = of_images ? planned.page_bytes () : planned.line_bytes ();
  const auto list = pieces (past.rows, std::max<int64_t> (piece_bytes / row_bytes, 1));
  in_threads (std::ssize (list), [&] (int64_t i) {
    const auto some = list[static_cast<size_t> (i)];
    if (!numbered)
      return add_pixels ({.files = files_of (*past.unfinished),
                          .pages = planned.pages (),
                          .lines = planned.lines (),
                          .line_bytes = planned.line_bytes ()},
                         {some}, sums);
    for (auto row = some.begin; row < some.end; row++)
      if (const auto sum = checksum_of_image (planned.name (row)))
        sums.set (row, *sum);
  });
  std::vector<Rows> there;
  for (const auto some : past.rows)
    for (auto row = some.begin; row < some.end; row++)
      if (const auto then = past.sums.find (row); then != past.sums.end () && sums.at (row) == then->second)
        add_interval (there, {row, row + 1});
      else
        past.changed.push_back (numbered ? file_name (planned.name (row)) : std::to_string (row));
  past.rows = std::move (there);
}

std::vector<std::string> changed_texts (const Past &past, const Planned &planned)
{
  if (past.changed.empty ())
    return {};
  constexpr size_t most = 5; // most names in a message
  const auto named = std::min (past.changed.size (), most);
  auto names = join (std::span (past.changed).first (named));
  if (named < past.changed.size ())
    names += text (" and %zu more", past.changed.size () - named);
  return {text ("%zu finished %s changed after they were written, and are made again: ", past.changed.size (),
                planned.format.rows_first () ? "images were" : "rows were") +
          names};
}

} // namespace sino::files
