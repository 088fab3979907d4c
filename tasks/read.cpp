// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a scan, or reconstructed slices, from files.
#include "base/error.hpp"
#include "glue/beam.hpp"
#include "glue/frames/frame-source.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tasks/files/scan/follow-worker.hpp"
#include "tasks/files/scan/open-scan.hpp"
#include "tasks/files/scan/read-worker.hpp"

namespace {
using namespace sino;

// The scan that a run follows, shared by the copies of a node.
struct Followed {
  std::mutex mutex; // protects the members below
  std::shared_ptr<files::Follower> follower;
  std::shared_ptr<const files::Scan> scan; // as it was opened last
};

class Read final : public Source, public Embedded
{
public:
  Read () = default;
  Read (const Read &) = default;
  Read &operator= (const Read &) = default;
  ~Read () override
  {
    if (!gathering)
      return;
    const std::lock_guard guard (followed->mutex);
    followed->follower.reset ();
    followed->scan.reset ();
  }

  static constexpr Info info{"read", "Read a scan from files"};
  static constexpr Signature signature{.gives = {image_kinds, any_element}};

  std::string path, dataset, raw, darks, darks_after, flats, flats_after, angles, rows, columns, projections;
  Kind axes = Kind::projections;
  formats::Missing missing = formats::Missing::fail;
  Meaning values = Meaning::open;
  enum class GreyScale { apply, keep } scale = GreyScale::apply;
  std::string axis;
  int number = 0;
  bool follow = false;
  int frames = 0;
  double timeout = 30;
  ShortScan short_scan = ShortScan::fail;
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
  static constexpr Nick<GreyScale> scale_nicks[] = {{GreyScale::apply, "apply"}, {GreyScale::keep, "keep"}};
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
          prop<&Read::scale> (
              "scale",
              "If a file of slices says what its grey values stand for: apply gives these values in f32, "
              "keep gives the grey values, and files that are made of them say it again",
              scale_nicks),
          prop<&Read::axis> (
              "axis", "Axis of rotation, as a column of the whole detector; empty: from the HDF5 file, or unknown"),
          prop<&Read::number> ("requests",
                               "Simultaneous requests to the storage, for uncompressed files; 0: the fastest number",
                               {0, Requests::largest}),
          prop<&Read::follow> ("follow", "Whether a detector still writes the scan: projections are read as they come"),
          prop<&Read::frames> ("frames",
                               "With follow: projections of the whole scan; 0: those that have come when it ends, and "
                               "the rest of the graph then begins after the last one",
                               {0, 1 << 22}),
          prop<&Read::timeout> ("timeout",
                                "With follow: seconds without a new projection after which the scan has ended; 0: it "
                                "does not end before its last projection",
                                {0, 1e6}),
          prop<&Read::short_scan> ("short-scan",
                                   "With follow: if a scan ends early: fail, or finish with what is there",
                                   FrameSettings::short_nicks),
      },
      group<&Read::beam> ());

  Format negotiate (std::span<const Format *const>) override
  {
    check_follow ();
    if (!follow)
      scan = std::make_shared<const files::Scan> (files::open_scan (request ()));
    else {
      const std::lock_guard guard (followed->mutex);
      follower = followed->follower;
      scan = follower ? followed->scan : files::Follower (request (), timeout).look ();
    }
    return scan->format;
  }

  bool gathers () const override { return follow; }
  // The graph can be negotiated beforehand if the file is there, and the number of projections is known.
  bool suppose (int64_t) override
  {
    try {
      files::Follower (request (), timeout).look ();
      return frames > 0;
    } catch (const Error &) {
      return false;
    }
  }
  void gather (const Monitor &monitor) override
  {
    check_follow ();
    const auto now = std::make_shared<files::Follower> (request (), timeout);
    auto opened =
        streams () ? now->wait_for (1, monitor) : now->wait_for_end (short_scan == ShortScan::finish, monitor);
    if (streams ())
      check_stream (*opened);
    const std::lock_guard guard (followed->mutex);
    if (followed->follower)
      fail (SINO_ERROR_FAILED, "another run follows the scan with this node: wait for its end");
    gathering = true;
    followed->follower = now;
    followed->scan = std::move (opened);
  }

  std::vector<std::string> warnings () const override { return scan->messages; }
  std::vector<FileStamp> files () const override { return streams () ? std::vector<FileStamp> () : scan->files; }
  Access access () const override
  {
    return streams () || (scan && !scan->random_access) ? Access::once : Access::random;
  }
  bool serial () const override { return streams (); }
  bool waits_outside () const override { return streams (); }
  int64_t most_angles (const Format &format) const override
  {
    return streams () ? frames_of_block (format.bytes () / static_cast<double> (format.angles ()))
                      : Source::most_angles (format);
  }
  std::shared_ptr<const formats::Stack> images () const override
  {
    return scan && scan->random_access ? scan->stack : nullptr;
  }
  double bytes_read (const Format &, const Rows &some) const override { return scan->bytes_read (some); }
  int requests (int threads) const override
  {
    return streams () || !scan->read_apart () ? 1 : number > 0 ? number : Requests::usual (threads);
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    scan->memory (sizing.threads, requests (sizing.threads), sizing.item_rows, bill);
  }
  void shared_memory (Bill &bill) const override { scan->shared_memory (bill); }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!streams ())
      return std::make_unique<files::ReadWorker> (scan, number, replica);
    if (!follower)
      fail (SINO_ERROR_BAD_GRAPH, "a scan that is followed cannot be inside another node");
    return std::make_unique<files::FollowWorker> (follower, replica);
  }

private:
  std::shared_ptr<const files::Scan> scan; // opened in negotiation
  std::shared_ptr<files::Follower> follower;
  std::shared_ptr<Followed> followed = std::make_shared<Followed> ();
  bool gathering = false; // this copy has set what is followed

  // Whether projections pass through the graph as they come.
  bool streams () const
  {
    return follow && frames > 0 && missing == formats::Missing::fail && short_scan == ShortScan::fail;
  }

  // What passes on before all has come must not depend on what comes later.
  static void check_stream (const files::Scan &opened)
  {
    const auto &angles = opened.format.geometry->angles;
    const char *what = opened.has_keys ? "darks and flats may lie between the projections"
                       : angles.size () > 1 && std::ranges::all_of (angles, [&] (double a) { return a == angles[0]; })
                           ? "all angles are equal, so they may not be there yet"
                           : nullptr;
    if (what)
      fail (SINO_ERROR_BAD_FILE, "%s: set %sshort-scan=finish to wait for the whole scan", what,
            opened.has_keys ? "" : "angles=, or ");
  }

  void check_follow () const
  {
    if (!follow && (frames > 0 || short_scan == ShortScan::finish))
      fail (SINO_ERROR_BAD_PROPERTY, "%s is for scans that are still written: set follow=true, or leave it out",
            frames > 0 ? "frames" : "short-scan");
    if (follow && frames == 0 && timeout == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "a scan without frames= and without timeout= would never end: set one of them");
  }

  files::Request request () const
  {
    return {.path = path,
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
            .values = values,
            .applies_scale = scale == GreyScale::apply,
            .frames = frames};
  }
};

} // namespace

SINO_REGISTER (Read)
