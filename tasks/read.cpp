// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a scan, or reconstructed slices, from files.
#include "base/error.hpp"
#include "glue/beam.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tasks/files/scan/open-scan.hpp"
#include "tasks/files/scan/read-worker.hpp"

namespace {
using namespace sino;

class Read final : public Source
{
public:
  static constexpr Info info{"read", "Read a scan from files"};
  static constexpr Signature signature{.gives = {image_kinds, any_element}};

  std::string path, dataset, raw, darks, darks_after, flats, flats_after, angles, rows, columns, projections;
  Kind axes = Kind::projections;
  formats::Missing missing = formats::Missing::fail;
  Meaning values = Meaning::open;
  std::string axis;
  int number = 0;
  BeamSettings beam;

  static constexpr Nick<Kind> axes_nicks[] = {
      {Kind::projections, "projections"}, {Kind::sinograms, "sinograms"}, {Kind::slices, "slices"}};
  static constexpr Nick<formats::Missing> missing_nicks[] = {
      {formats::Missing::fail, "fail"}, {formats::Missing::zero, "zero"}, {formats::Missing::skip, "skip"}};
  static constexpr Nick<Meaning> values_nicks[] = {{Meaning::open, "auto"},
                                                   {Meaning::counts, "counts"},
                                                   {Meaning::transmission, "transmission"},
                                                   {Meaning::attenuation, "attenuation"},
                                                   {Meaning::emission, "emission"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&Read::path> (
              "path", "A file, a folder of images, or a pattern like raw_*.tif; scan.h5:/data also names a dataset"),
          prop<&Read::dataset> ("dataset",
                                "Dataset of an HDF5 file, or array of a MATLAB file; empty: found automatically"),
          prop<&Read::raw> ("raw", "Pixels of a file without a header: type:columnsxrows, and if needed ximages, "
                                   "+offset and :big, as in u16:2048x2048+1024:big"),
          prop<&Read::darks> ("darks", "Path of the dark frames; empty: from the HDF5 file"),
          prop<&Read::darks_after> ("darks-after", "Path of dark frames taken after the projections"),
          prop<&Read::flats> ("flats", "Path of the flat frames; empty: from the HDF5 file"),
          prop<&Read::flats_after> ("flats-after", "Path of flat frames taken after the projections"),
          prop<&Read::angles> (
              "angles", "Degrees as start:stop (stop excluded), start:stop:inclusive, start:stop:step, or a text or "
                        "HDF5 file with one angle per projection, as motors.h5:/log/srot; empty: from the HDF5 file"),
          prop<&Read::rows> ("rows", "Rows (for slices: slices) to read, as begin:end:step; empty: all"),
          prop<&Read::columns> ("columns", "Columns to read, as begin:end:step; empty: all"),
          prop<&Read::projections> ("projections", "Projections to read, as begin:end:step; empty: all"),
          prop<&Read::axes> ("axes", "Kind of the images in the file", axes_nicks),
          prop<&Read::missing> ("missing",
                                "If a part of a scan or a file of a sequence is missing: fail, use zeros, or skip its "
                                "projection with its angle",
                                missing_nicks),
          prop<&Read::values> ("values",
                               "Meaning of the values; auto: counts if there are flats, otherwise not specified",
                               values_nicks),
          prop<&Read::axis> (
              "axis", "Axis of rotation, as a column of the whole detector; empty: from the HDF5 file, or unknown"),
          prop<&Read::number> ("requests",
                               "Simultaneous requests to the storage, for uncompressed files; 0: the fastest number",
                               {0, Requests::largest}),
      },
      group<&Read::beam> ());

  Format negotiate (std::span<const Format *const>) override
  {
    scan = std::make_shared<const files::Scan> (files::open_scan ({.path = path,
                                                                   .dataset = dataset,
                                                                   .darks = darks,
                                                                   .darks_after = darks_after,
                                                                   .flats = flats,
                                                                   .flats_after = flats_after,
                                                                   .angles = angles,
                                                                   .rows = rows,
                                                                   .columns = columns,
                                                                   .projections = projections,
                                                                   .axes = axes,
                                                                   .missing = missing,
                                                                   .axis = axis,
                                                                   .beam = beam,
                                                                   .raw = raw,
                                                                   .values = values}));
    return scan->format;
  }

  std::vector<std::string> warnings () const override { return scan->messages; }
  std::vector<FileStamp> files () const override { return scan->files; }
  Access access () const override { return scan && !scan->random_access ? Access::once : Access::random; }
  double bytes_read (const Format &, const Rows &some) const override { return scan->bytes_read (some); }
  int requests (int threads) const override
  {
    return !scan->read_apart () ? 1 : number > 0 ? number : Requests::usual (threads);
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    scan->memory (sizing.threads, requests (sizing.threads), sizing.item_rows, bill);
  }
  void shared_memory (Bill &bill) const override { scan->shared_memory (bill); }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<files::ReadWorker> (scan, number, replica);
  }

private:
  std::shared_ptr<const files::Scan> scan; // opened in negotiation
};

} // namespace

SINO_REGISTER (Read)
