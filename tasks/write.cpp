// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes slices, projections or sinograms to files.
#include "api/sino-version.h"
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "formats/name-groups.hpp"
#include "formats/output.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tasks/files/hdf5/parts.hpp"
#include "tasks/files/journal/finished.hpp"
#include "tasks/files/journal/joined.hpp"
#include "tasks/files/journal/kept-checksums.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/volumes/value-range.hpp"
#include "tasks/files/writer.hpp"
#include <algorithm>
#include <unistd.h>

namespace {
using namespace sino;

class Write final : public Sink, public Writes, public files::FindsRange
{
public:
  static constexpr Info info{"write", "Write a stream to files"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}};

  enum class Type { automatic, f32, f16, u16, u8 };
  std::string path, range;
  Type type = Type::automatic;
  using Compression = formats::Compression;
  using Unit = formats::Unit;
  Compression compression = Compression::automatic;
  Unit unit = Unit::automatic;
  bool overwrite = false, allow_empty = false;
  int number = 0, file_count = 1;

  static constexpr Nick<Type> type_nicks[] = {
      {Type::automatic, "auto"}, {Type::f32, "f32"}, {Type::f16, "f16"}, {Type::u16, "u16"}, {Type::u8, "u8"}};
  static constexpr Nick<Compression> compression_nicks[] = {{Compression::automatic, "auto"},
                                                            {Compression::none, "none"},
                                                            {Compression::deflate, "deflate"},
                                                            {Compression::lz4, "lz4"},
                                                            {Compression::zstd, "zstd"}};
  static constexpr Property properties[] = {
      prop<&Write::path> (
          "path",
          "slices/%05i.tif: a TIFF per image, numbered as in the scan; axis-%.2f.tif: named by the axis, for a range "
          "of axes; stack.tif: one TIFF; stack.ome.tif: OME-TIFF; scan.h5: HDF5; volume.zarr: OME-Zarr; volume.mhd: "
          "MetaImage"),
      prop<&Write::type> ("type", "Element type of the file; auto: as in the stream", type_nicks),
      prop<&Write::range> ("range", "Values min:max that become the smallest and largest integer; empty: floats are "
                                    "mapped by a range that is found in a few slices"),
      prop<&Write::compression> ("compression", "Compression of the file; auto: the default of its format",
                                 compression_nicks),
      prop<&Write::unit> ("unit", "Unit of the scan's pixel size, for formats that store a unit; auto: mm",
                          files::unit_nicks),
      prop<&Write::overwrite> ("overwrite", "Replace existing files"),
      prop<&Write::allow_empty> (
          "allow-empty",
          "Accept reconstructed slices with only zeros, NaN or infinite values as a result instead of an error"),
      prop<&Write::number> (
          "requests",
          "Simultaneous requests to the storage, always one for compressed HDF5 and OME-Zarr; 0: the fastest number",
          {0, Requests::largest}),
      prop<&Write::file_count> ("files", "Number of files that share an HDF5 file's images; 1: it has them",
                                {1, files::most_files}),
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &format = *inputs[0];
    if (path.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "path is missing: set path= to the files to write, for example slices/%%05i.tif");
    const auto name = without_slashes (path); // shells add a slash to names of folders
    const formats::Pattern pattern (name);
    file_format = &files::output_format (name, pattern, compression);
    if (name != path && !file_format->replaceable)
      fail (SINO_ERROR_BAD_PROPERTY, "path=%s ends in '/', but %s is a file: remove the '/'", path.c_str (),
            file_format->name.c_str ());
    planned = std::make_shared<formats::Planned> (formats::Planned{
        .pattern = pattern, .element = file_element (format.element), .format = format, .overwrite = overwrite});
    planned->files = file_count;
    files::check_holds (*file_format, *planned, path);
    settle_packing ();
    formats::check_values_in_name (*planned, path);
    const auto mapped = range_of (range, format, planned->element);
    planned->mapped = mapped || finds ();
    planned->scale = files::file_scale (format.scale, mapped, planned->element);
    writing.emplace (*file_format, *planned, files::Conversion (format.element, planned->element, mapped), number);
    check_place (false);
    const bool computed =
        format.kind () == Kind::slices && format.element == Element::f32 && !format.changed_by.empty ();
    content = computed && !allow_empty ? std::make_shared<files::Content> () : nullptr;
    return format;
  }

  std::vector<std::string> warnings () const override
  {
    auto said = past ? files::changed_texts (*past, *planned) : std::vector<std::string> ();
    if (sized () && unit == Unit::automatic && files::spacing_of (planned->format)[2] != 0 &&
        !planned->format.geometry->in_mm)
      said.push_back (
          text ("the scan's pixel size %g is assumed to be in mm: set another unit with unit=, for example unit=um",
                *planned->format.geometry->pixel_size));
    return said;
  }

  std::vector<std::string> outputs () const override { return files::output_paths (*file_format, *planned); }

  std::vector<std::pair<std::string, std::string>> about () const override { return files::about (*planned, path); }

  // Each image with its own file is written at once, so it must come whole.
  bool whole_projections () const override
  {
    return (planned->pattern.numbered () || serial ()) && planned->format.kind () == Kind::projections;
  }
  bool serial () const override { return file_format && !file_format->random_access; }
  int requests (int threads) const override { return writing->most_requests (threads); }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    writing->memory (sizing.threads, sizing.input_block[0], sizing.item_rows, bill);
    if (file_format->scratch)
      add_bytes (bill, "darks and flats, copied", file_format->scratch (planned->format));
    if (file_format->work)
      add_bytes (bill, "compressed pixels", file_format->work (*planned, sizing.threads));
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "the open files", file_format->resident);
    add_bytes (bill, "checksums", formats::Checksums::bytes (std::max (planned->pages (), planned->lines ())));
    if (const auto names = keeps_checksums () ? files::bytes_of_names (output (), *planned) : 0)
      add_bytes (bill, "names of files with their checksums", names);
  }

  // Not for whole projections, because these come in a single work item.
  bool resumes () const override
  {
    return file_format->resumes && file_format->resumes (*planned) && !whole_projections ();
  }

  void keep_journal (Journals use, const RunKey &key) override
  {
    journals = use;
    run_key = key;
    if (const auto name = file_name (journal ()); name.size () > most_name) {
      if (use == Journals::resumed)
        fail (SINO_ERROR_BAD_PROPERTY,
              "path=%s: the name of its journal would have %zu bytes, but at most %zu are possible: choose a shorter "
              "name",
              path.c_str (), name.size (), most_name);
      journals = Journals::none;
    } else
      past = files::usable_past (journal (), *planned, outputs (), use, key);
    if (!past)
      check_place (true);
  }

  std::vector<Rows> finished_rows () const override
  {
    return !past ? std::vector<Rows> () : past->ended ? std::vector<Rows>{{0, planned->format.rows ()}} : past->rows;
  }

  bool complete_before () const override { return past && past->ended; }
  std::vector<std::string> beside () const override
  {
    return files::with_old_parts ({journal (), formats::checksums_path (output ())}, outputs (), *planned);
  }

  void provenance (const std::string &json) override { origin = json; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    check_surveyed ();
    if (!clipped && planned->mapped)
      clipped = std::make_shared<files::Clipped> (*planned, replica.messages);
    if (!target) {
      planned->cpu = &replica.cpu;
      open_target ({&replica.monitor, &replica.counters}, replica.messages);
    }
    return std::make_unique<files::Writer> (*writing, target, sums, content, finished, clipped, replica);
  }

  std::string opened () const override { return files::opened_text (*planned, *target); }

  void join (const std::string &by_first, int own_rank) override
  {
    rank = own_rank;
    files::join (*planned, by_first);
    past.reset (); // the first rank reports it
  }

  std::string part_finished () override
  {
    if (finished)
      finished->sync ();
    else if (target)
      target->sync ();
    auto told = sums ? files::part_text (content && content->found, *sums) : std::string ();
    finished.reset ();
    target.reset ();
    return told;
  }

  void others_finished (std::span<const std::string> parts) override
  {
    bool found = false;
    for (const auto &part : parts)
      if (!part.empty () && sums)
        found = files::take_part (part, *sums) || found;
    if (!content || !found)
      return;
    content->found = true;
    if (finished)
      finished->has_content ();
  }

  void distrust () override
  {
    if (finished)
      finished->forget (); // first, so that nothing is resumed if this is killed meanwhile
    if (target && rank == 0)
      target->discard ();
    if (past && !past->ended && !target) // all rows existed already
      files::remove_stale (journal ());
    if (rank == 0)
      withdraw_checksums ();
    finished.reset ();
    target.reset ();
  }

  void finish () override
  {
    Messages told;
    if (past && past->ended)
      tidy_up ();
    if (past && !past->ended && !target) // all rows existed already
      open_target ({}, told);
    if (target && content && !content->found) {
      distrust ();
      fail (SINO_ERROR_FAILED, "all values of the slices are zero, NaN or infinite: check the input with 'preview', "
                               "and its darks, flats and axis; allow-empty=true writes them anyway");
    }
    if (target)
      files::finish_with_checksums (*target, keeps_checksums () ? std::optional (output ()) : std::nullopt, *planned,
                                    *sums);
    if (finished)
      finished->end ();
    if (clipped)
      clipped->tell ();
    finished.reset ();
    target.reset ();
  }

private:
  static constexpr size_t most_name = 255 - 5; // longest file name, without the ".NNNN" that other ranks add

  const formats::WritingFormat *file_format = nullptr;
  std::string origin; // provenance as JSON
  int rank = 0;       // number of this process among those that write the output; process 0 opens it
  std::shared_ptr<formats::Planned> planned;
  std::optional<files::Writing> writing;
  std::shared_ptr<formats::Target> target;  // shared by all workers
  std::shared_ptr<formats::Checksums> sums; // checksums of the written data
  std::shared_ptr<files::Content> content;  // null: not checked
  std::shared_ptr<files::Clipped> clipped;  // null: values are not mapped to a range
  Journals journals = Journals::none;
  RunKey run_key;
  std::optional<files::Past> past;           // finished work of an earlier run
  std::shared_ptr<files::Finished> finished; // destroyed before the target that it refers to; null: no journal

  // The path of the output; for a path with a number, the pattern as a name in its folder.
  std::string output () const
  {
    const auto whole = without_slashes (path);
    const auto name = whole.substr (whole.rfind ('/') + 1);
    return formats::unescaped_pattern (whole.substr (0, whole.size () - name.size ())) +
           (formats::is_number_pattern (name) ? name : formats::unescaped_pattern (name));
  }
  std::string journal () const { return files::journal_path (output ()); }
  // Whether names of checksum files would not be too long.
  bool keeps_checksums () const { return file_name (journal ()).size () <= most_name; }

  // Outputs and the checksum file, also those of an earlier run that had more files.
  std::vector<std::string> all_outputs () const { return files::with_possible_parts (outputs (), output (), *planned); }

  void withdraw_checksums () const
  {
    if (keeps_checksums ())
      files::withdraw_checksums (output (), *planned);
  }

  // Throws if the output would replace existing files without permission. An output with a journal belongs to the run
  // that left it; keep_journal () checks that.
  void check_place (bool despite_journal) const
  {
    if (keeps_checksums () && !file_format->kept)
      files::check_place_of_checksums (output ());
    if (!despite_journal && ::access (journal ().c_str (), F_OK) == 0)
      return;
    files::check_parts (*planned);
    if (file_format->replaceable)
      check_output_folder (planned->name (0), overwrite, file_format->name.c_str (), file_format->replaceable);
    else
      check_outputs (outputs (), overwrite);
  }

  // Removes files left by other runs before space is reserved, but not those that this run continues and owns by then.
  void open_target (const Frames::Watch &watch, Messages &messages)
  {
    const auto clean = [&] {
      for (auto &told : remove_abandoned (all_outputs ()))
        messages.add (std::move (told));
    };
    sums = std::make_shared<formats::Checksums> (files::summed (*planned, file_format->random_access),
                                                 planned->pages (), planned->lines (), planned->line_bytes ());
    planned->provenance = origin.empty () ? "{\"sinograph\": \"" SINO_VERSION "\"}" : origin;
    if (rank > 0)
      return open_part (watch);
    if (!past)
      clean ();
    if (past) {
      planned->resumed = true;
      planned->unfinished = past->unfinished;
      planned->finished = past->rows;
      for (const auto &some : past->rows)
        for (auto row = some.begin; row < some.end; row++)
          sums->set (row, past->sums.at (row));
      if (content && past->has_content)
        content->found = true;
    }
    target = file_format->open (*planned, watch);
    if (past) {
      finished = std::make_shared<files::Finished> (journal (), written (), *past);
      clean ();
      return;
    }
    if (planned->pattern.numbered ()) // otherwise the old output is replaced at the end
      withdraw_checksums ();
    files::remove_stale (journal ());
    if (journals != Journals::none)
      finished = std::make_shared<files::Finished> (journal (), written (), run_key, stays ());
  }

  Journal::Stays stays () const
  {
    return journals == Journals::resumed ? Journal::Stays::always : Journal::Stays::if_killed;
  }

  // Opens the output that the first rank has opened.
  void open_part (const Frames::Watch &watch)
  {
    target = file_format->open (*planned, watch);
    if (journals != Journals::none)
      finished = std::make_shared<files::Finished> (files::part_path (journal (), rank), written (), stays ());
  }

  files::Finished::Written written () const { return {*planned, *target, sums}; }

  // Cleanup for the case that an earlier run had finished all rows.
  void tidy_up () const
  {
    remove_abandoned (all_outputs ());
    if (keeps_checksums ())
      files::restore_checksums (output (), *file_format, *planned, past->sums);
  }

  static std::string without_slashes (std::string name)
  {
    while (name.size () > 1 && name.ends_with ('/'))
      name.pop_back ();
    return name;
  }

  bool sized () const { return file_format->sized && file_format->sized (*planned); }

  void settle_packing ()
  {
    planned->compression = compression == Compression::automatic ? file_format->compressions.at (0) : compression;
    if (unit != Unit::automatic && !sized ())
      fail (SINO_ERROR_BAD_PROPERTY,
            "unit= is for files that store pixel sizes with a unit, which %s of %s does not: leave it out",
            file_format->name.c_str (), name_of (planned->format.kind ()));
    planned->unit = files::unit_of (planned->format, unit);
  }

  Element file_element (Element stream) const
  {
    constexpr Element elements[] = {Element::f32, Element::f16, Element::u16, Element::u8};
    return type == Type::automatic ? stream : elements[static_cast<size_t> (type) - 1];
  }
};

} // namespace

SINO_REGISTER (Write)
