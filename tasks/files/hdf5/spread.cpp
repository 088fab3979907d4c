// SPDX-License-Identifier: LGPL-3.0-or-later
// An HDF5 file whose images are in other files beside it. Threads that write several images at the same time write to
// different files, and so need not wait for each other: docs/design/hdf5.md.
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "formats/name-groups.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/parts.hpp"
#include "tasks/files/hdf5/structure.hpp"
#include "tasks/files/hdf5/target.hpp"
#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
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

// Throws if a file under construction is no longer the one that was written.
void check_ready (const Descriptor &out, const Temporary &file)
{
  out.check_length ();
  FileStamp there;
  if (!find_stamp (file.path (), there) || !there.same_file (out.stamp ()))
    fail (SINO_ERROR_BAD_FILE, "'%s' was replaced by another file during writing of '%s': write it again",
          file.path ().c_str (), file.final_path ().c_str ());
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

  // Throws if it cannot get its name: after this, only renaming can fail.
  void check_ready () const { files::check_ready (out, file); }

  // Gives it its final name; the folder is not synced. If this object is destroyed, the file is removed, unless it
  // outlives, or stay () was called.
  void commit ()
  {
    file.commit (planned.overwrite || has_its_name (), Temporary::Sync::later);
    if (!outlives) {
      named.reset (new Temporary (Temporary::of_another (file.final_path (), file.final_path ())));
      named->drop ();
    }
  }
  void stay ()
  {
    if (named)
      named->outlive ();
  }
  void drop ()
  {
    if (named)
      named->drop ();
  }
  void keep_folders () { folders.keep (); }
  const std::string &path () const { return file.final_path (); }

private:
  std::unique_ptr<Temporary> named; // the file under its final name
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
  // new one gets its name last. Whatever can be checked or takes time comes before.
  void finish () override
  {
    for (const auto &part : parts)
      part->check_ready ();
    check_ready (out, file);
    sync ();
    if (planned.overwrite && !has_its_name ())
      remove_old ();
    for (const auto &part : parts)
      part->commit ();
    sync_folder (folder_of (file.final_path ()));
    file.commit (planned.overwrite || has_its_name (), Temporary::Sync::later);
    for (const auto &part : parts)
      part->stay ();
    try {
      sync_folder (folder_of (file.final_path ()));
    } catch (...) { // after an error no file stays
      unlink (file.final_path ().c_str ());
      for (const auto &part : parts)
        part->drop ();
      throw;
    }
    for (const auto &part : parts)
      part->keep_folders ();
    folders.keep ();
  }

private:
  std::vector<std::unique_ptr<SpreadPart>> parts; // each has a descriptor of its own

  void remove_old () const
  {
    const auto old = existing_parts (file.final_path ());
    if (unlink (file.final_path ().c_str ()) != 0 && errno != ENOENT)
      fail_file ("cannot replace", file.final_path (), errno);
    for (const auto &path : old)
      if (std::ranges::none_of (parts, [&] (const auto &part) { return part->path () == path; }))
        unlink (path.c_str ());
  }
};

} // namespace

static const Registered<WritingFormat>
    hdf5_written ({.name = "HDF5",
                   .suffixes = hdf5_suffixes,
                   .sized = keeps_sizes,
                   .resumes = [] (const Planned &) { return true; },
                   .spreads = true,
                   .resident = hdf5_resident,
                   .scratch = companion_scratch,
                   .open =
                       [] (const Planned &planned, const Frames::Watch &watch) {
                         return planned.spread ()
                                    ? std::unique_ptr<Target> (std::make_unique<SpreadHdf5> (planned, watch))
                                    : std::make_unique<Hdf5Target> (planned, watch);
                       },
                   .kept = hdf5_checksums,
                   .keep = [] (const std::string &path, const Planned &,
                               auto &sums) { return put_checksums (Descriptor (path, O_RDWR), sums, path); }});

} // namespace sino::files
