// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/spread.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "formats/name-groups.hpp"
#include "tasks/files/hdf5/file.hpp"
#include "tasks/files/hdf5/structure.hpp"
#include "tasks/files/hdf5/target.hpp"
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

Planned plan_of_part (Planned planned, int number)
{
  planned.pattern = Pattern (escaped_pattern (planned.part_name (number)));
  if (planned.unfinished)
    planned.unfinished = planned.unfinished->parts.at (static_cast<size_t> (number));
  return planned;
}

// One of the files with images.
class SpreadPart final : public PlainFile
{
public:
  SpreadPart (const Planned &whole, int number) : PlainFile (plan_of_part (whole, number))
  {
    if (planned.unfinished)
      return;
    constexpr int64_t structure = 16384;
    out.expect (structure + whole.pages_of_part (number) * whole.page_bytes ());
    out.reserve ();
    first_pixel = lay_out_part (out, file.final_path (), whole, number);
    out.expect (out.size ()); // HDF5 has set the size, without allocating the space
    out.reserve ();
  }

  void check_length () const { out.check_length (); }
  // Gives it its final name; the folder is not synced.
  void commit ()
  {
    file.commit (planned.overwrite || has_its_name (), Temporary::Sync::later);
    folders.keep ();
  }
  void remove () const { unlink (file.final_path ().c_str ()); }
};

class SpreadHdf5 final : public Hdf5Target
{
public:
  SpreadHdf5 (const Planned &p, const Frames::Watch &watch) : Hdf5Target (p, watch)
  {
    for (int i = 0; i < planned.files; i++)
      parts.push_back (std::make_unique<SpreadPart> (planned, i));
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    parts[static_cast<size_t> (page % planned.files)]->write (page / planned.files, lines, pixels);
  }

  void sync () override
  {
    for (const auto &part : parts)
      part->sync ();
    Hdf5Target::sync ();
  }

  std::optional<Unfinished> unfinished () const override
  {
    auto whole = Hdf5Target::unfinished ();
    for (const auto &part : parts)
      whole->parts.push_back (*part->unfinished ());
    return whole;
  }

  void outlive () override
  {
    for (const auto &part : parts)
      part->outlive ();
    Hdf5Target::outlive ();
  }

  void discard () override
  {
    for (const auto &part : parts)
      part->discard ();
    Hdf5Target::discard ();
  }

  // A file must never refer to images that are not its own, so an old one is removed before they are replaced, and the
  // new one gets its name last.
  void finish () override
  {
    for (const auto &part : parts)
      part->check_length ();
    if (planned.overwrite && !has_its_name ()) {
      sync ();
      unlink (file.final_path ().c_str ());
    }
    size_t named = 0;
    try {
      for (; named < parts.size (); named++)
        parts[named]->commit ();
      sync_folder (folder_of (file.final_path ()));
      Hdf5Target::finish ();
    } catch (...) { // nobody could tell what these are
      for (size_t i = 0; i < named && !outlives; i++)
        parts[i]->remove ();
      throw;
    }
  }

private:
  std::vector<std::unique_ptr<SpreadPart>> parts; // each has a descriptor of its own
};

// Whether this file says that the output refers to it.
bool belongs_to (const std::string &path, const std::string &output)
{
  try {
    const Hdf5File file (path);
    return file.exists ("/exchange/data") && file.text_attribute ("/exchange/data", part_of) == file_name (output);
  } catch (const Error &) {
    return false;
  }
}

} // namespace

std::unique_ptr<Target> spread_hdf5 (const Planned &planned, const Frames::Watch &watch)
{
  return std::make_unique<SpreadHdf5> (planned, watch);
}

void remove_old_parts (const Planned &planned)
{
  if (!planned.overwrite)
    return;
  for (int i = planned.spread () ? planned.files : 0;; i++) {
    const auto path = planned.part_name (i);
    if (access (path.c_str (), F_OK) != 0 || !belongs_to (path, planned.name (0)))
      return;
    unlink (path.c_str ());
  }
}

} // namespace sino::files
