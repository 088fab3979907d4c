// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/frame-source.hpp"
#include "base/angle.hpp"
#include "glue/frames/frame-workers.hpp"
#include "glue/gathered-worker.hpp"

namespace sino {

FrameSource::~FrameSource ()
{
  if (!shared->queue.leave (this))
    return;
  const std::lock_guard guard (shared->mutex);
  shared->gathered.reset ();
}

Bounds FrameSource::usual_bounds () const
{
  const auto &set = settings ();
  return {.bytes = static_cast<int64_t> (most_bytes ()),
          .scan = scan_frames (),
          .window = set.order == FrameOrder::any ? set.window : 0};
}

// --- negotiate ---

int64_t FrameSource::scan_frames () const
{
  const std::lock_guard guard (shared->mutex);
  const auto frames = settings ().frames;
  if (frames > 0)
    return frames;
  return shared->geometry ? std::ssize (shared->geometry->angles) : shared->announced;
}

bool FrameSource::needs_all () const
{
  const auto &set = settings ();
  return scan_frames () == 0 || angles_from () || set.missing == Lost::skip || set.short_scan == ShortScan::finish;
}

bool FrameSource::suppose (int64_t projections)
{
  const std::lock_guard guard (shared->mutex);
  shared->supposed = projections;
  return true;
}

void FrameSource::gather (const Monitor &monitor)
{
  auto &queue = shared->queue;
  queue.attach (this, shape ());
  monitor.check (); // a cancellation before attach () could not end the waits of the queue
  const auto room = static_cast<int64_t> (most_bytes ());
  auto all = std::make_shared<Gathered> (room > 0 ? room : std::numeric_limits<int64_t>::max ());
  Gaps gaps (queue, settings ().missing);
  const auto add = [&] (Chunk frames_come) {
    monitor.check ();
    monitor.frames_came (frames_come.count);
    all->add (std::move (frames_come));
  };
  while (auto some = gaps.pop ())
    add (std::move (*some));
  const auto came = queue.next_number (), wanted = scan_frames ();
  if (all->count () == 0)
    fail (SINO_ERROR_SHORT_SCAN, "the scan ended before its first frame");
  while (auto some = gaps.pop_to (came)) // the last frames may have been dropped
    add (std::move (*some));
  if (came < wanted && settings ().short_scan == ShortScan::fail)
    fail_short (came, wanted);
  if (const char *from = angles_from (); from && std::ssize (all->angles ()) != all->count ())
    fail (SINO_ERROR_FAILED, "%zu of %lld frames have an angle, but %s is set: all frames need their angles",
          all->angles ().size (), static_cast<long long> (all->count ()), from);
  const std::lock_guard guard (shared->mutex);
  shared->gathered = std::move (all);
  shared->supposed = std::max (came, wanted);
}

// Geometry of the scan, which has `scan` frames; after gather () only that of the frames that have come.
std::shared_ptr<const Geometry> FrameSource::geometry_of (int64_t scan) const
{
  Geometry all;
  {
    const std::lock_guard guard (shared->mutex);
    if (shared->geometry)
      all = *shared->geometry;
  }
  const auto &set = settings ();
  const char *from = angles_from ();
  if (set.frames > 0 && !all.angles.empty () && std::ssize (all.angles) != set.frames)
    fail (SINO_ERROR_BAD_FORMAT, "the geometry has %zu projections, but frames=%d", all.angles.size (), set.frames);
  if (from && !all.views.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "the geometry has a view for each projection, but %s is set: leave one of them out",
          from);
  if (all.angles.empty () || from) {
    const double step = set.angle_step != 0 ? set.angle_step : 180.0 / static_cast<double> (scan);
    all.angles.resize (static_cast<size_t> (scan));
    for (int64_t i = 0; i < scan; i++)
      all.angles[static_cast<size_t> (i)] = radians (set.angle_start + static_cast<double> (i) * step);
  }
  if (!gathered)
    return std::make_shared<const Geometry> (std::move (all));
  if (from)
    for (size_t i = 0; i < gathered->numbers ().size (); i++)
      all.angles[static_cast<size_t> (gathered->numbers ()[i])] = radians (gathered->angles ()[i]);
  return gathered->choose (all);
}

Format FrameSource::negotiate (std::span<const Format *const>)
{
  const auto frame = shape ();
  int64_t scan = scan_frames ();
  {
    const std::lock_guard guard (shared->mutex);
    gathered = shared->gathered;
    scan = scan > 0 && !gathered ? scan : shared->supposed;
  }
  if (gathered && !(gathered->shape () == frame))
    fail (SINO_ERROR_BAD_FORMAT, "frames of %s were pushed, but the properties give %s",
          gathered->shape ().describe ().c_str (), frame.describe ().c_str ());
  Format format = projections (frame.element, {Axis::angle, gathered ? gathered->count () : scan},
                               {Axis::row, frame.rows}, {Axis::column, frame.columns});
  format.finite = frame.element == Element::u8 || frame.element == Element::u16;
  format.geometry = geometry_of (scan);
  format.companions.darks = shared->darks.read (frame, gathered.get ());
  format.companions.flats = shared->flats.read (frame, gathered.get ());
  format.companions.from = name ();
  return format;
}

// --- plan ---

double FrameSource::bytes_read (const Format &output, const Rows &some) const
{
  return gathered && !gathered->in_memory () ? Source::bytes_read (output, some) : 0;
}

// Programs usually push single frames. As blocks of one frame they need no copy.
int64_t FrameSource::most_angles (const Format &) const
{
  return frames_of_block (static_cast<double> (shape ().bytes ()));
}

void FrameSource::shared_memory (Bill &bill) const
{
  if (gathered) // these frames are in memory or in a file already
    return;
  const double all = static_cast<double> (scan_frames ()) * static_cast<double> (shape ().bytes ());
  const double most = most_bytes ();
  add_bytes (bill, "frames that wait", static_cast<size_t> (most > 0 && all > 0 ? std::min (most, all) : most + all));
}

// --- run ---

std::unique_ptr<Worker> FrameSource::start (const Replica &replica)
{
  if (gathered)
    return std::make_unique<GatheredWorker> (gathered, replica);
  if (needs_all ())
    fail (SINO_ERROR_BAD_GRAPH, "a scan with an unknown number of frames cannot be inside another node: set frames");
  shared->queue.attach (this, shape ());
  replica.monitor.check (); // a cancellation before attach () could not end the waits of the queue
  return std::make_unique<QueueWorker> (shared->queue, settings ().missing, replica);
}

} // namespace sino
