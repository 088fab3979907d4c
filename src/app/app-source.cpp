// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/app-source.hpp"
#include "app/frame-workers.hpp"
#include "base/angle.hpp"
#include "glue/gathered-worker.hpp"

namespace sino::app {

AppSource::~AppSource ()
{
  if (programs)
    shared->queue.forsake ();
  if (!shared->queue.leave (this))
    return;
  const std::lock_guard guard (shared->mutex);
  shared->gathered.reset ();
}

// --- the program ---

Bounds AppSource::bounds () const
{
  return {.bytes = static_cast<int64_t> (max_bytes),
          .buffers = max_buffers,
          .leaky = leaky,
          .wait = block,
          .scan = scan_frames (),
          .window = order == Order::any ? window : 0};
}

FrameShape AppSource::shape () const
{
  if (rows <= 0 || columns <= 0)
    fail (SINO_ERROR_BAD_PROPERTY, "set rows and columns to the size of a frame");
  return {element, rows, columns};
}

int64_t AppSource::frames_in (size_t bytes) const
{
  return shape ().frames_in (bytes);
}

// --- negotiate ---

int64_t AppSource::scan_frames () const
{
  const std::lock_guard guard (shared->mutex);
  if (frames > 0 || !shared->geometry)
    return frames;
  return std::ssize (shared->geometry->angles);
}

bool AppSource::gathers () const
{
  return scan_frames () == 0 || own_angles || missing == Lost::skip || short_scan == ShortScan::finish;
}

bool AppSource::suppose (int64_t projections)
{
  const std::lock_guard guard (shared->mutex);
  shared->supposed = projections;
  return true;
}

void AppSource::gather (const Monitor &monitor)
{
  auto &queue = shared->queue;
  queue.attach (this, shape ());
  monitor.check (); // a cancellation before attach () could not end the waits of the queue
  const auto room = static_cast<int64_t> (max_bytes);
  auto all = std::make_shared<Gathered> (room > 0 ? room : std::numeric_limits<int64_t>::max ());
  Gaps gaps (queue, missing);
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
  if (came < wanted && short_scan == ShortScan::fail)
    fail_short (came, wanted);
  if (own_angles && std::ssize (all->angles ()) != all->count ())
    fail (SINO_ERROR_FAILED,
          "%zu of %lld frames have an angle, but own-angles is set: push all frames with their angles",
          all->angles ().size (), static_cast<long long> (all->count ()));
  const std::lock_guard guard (shared->mutex);
  shared->gathered = std::move (all);
  shared->supposed = std::max (came, wanted);
}

// Geometry of the scan, which has `scan` frames; after gather () only that of the frames that have come.
std::shared_ptr<const Geometry> AppSource::geometry_of (int64_t scan) const
{
  Geometry all;
  {
    const std::lock_guard guard (shared->mutex);
    if (shared->geometry)
      all = *shared->geometry;
  }
  if (frames > 0 && !all.angles.empty () && std::ssize (all.angles) != frames)
    fail (SINO_ERROR_BAD_FORMAT, "the geometry has %zu projections, but frames=%d", all.angles.size (), frames);
  if (own_angles && !all.views.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the geometry has a view for each projection, but own-angles is set: leave one of them out");
  if (all.angles.empty () || own_angles) {
    const double step = angle_step != 0 ? angle_step : 180.0 / static_cast<double> (scan);
    all.angles.resize (static_cast<size_t> (scan));
    for (int64_t i = 0; i < scan; i++)
      all.angles[static_cast<size_t> (i)] = radians (angle_start + static_cast<double> (i) * step);
  }
  if (!gathered)
    return std::make_shared<const Geometry> (std::move (all));
  if (own_angles)
    for (size_t i = 0; i < gathered->numbers ().size (); i++)
      all.angles[static_cast<size_t> (gathered->numbers ()[i])] = radians (gathered->angles ()[i]);
  return gathered->choose (all);
}

Format AppSource::negotiate (std::span<const Format *const>)
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
  Format format = projections (element, {Axis::angle, gathered ? gathered->count () : scan}, {Axis::row, rows},
                               {Axis::column, columns});
  format.finite = element == Element::u8 || element == Element::u16;
  format.geometry = geometry_of (scan);
  format.companions.darks = shared->darks.read (frame, gathered.get ());
  format.companions.flats = shared->flats.read (frame, gathered.get ());
  format.companions.from = info.name;
  return format;
}

// --- plan ---

double AppSource::bytes_read (const Format &output, const Rows &some) const
{
  return gathered && !gathered->in_memory () ? Source::bytes_read (output, some) : 0;
}

// Programs usually push single frames. Large ones are then passed on without a copy, as blocks of one frame.
int64_t AppSource::most_angles (const Format &) const
{
  constexpr size_t large = 256 << 10;
  return shape ().bytes () >= large ? 1 : std::numeric_limits<int64_t>::max ();
}

void AppSource::shared_memory (Bill &bill) const
{
  if (gathered) // these frames are in memory or in a file already
    return;
  const double all = static_cast<double> (scan_frames ()) * static_cast<double> (shape ().bytes ());
  const double most = max_bytes;
  add_bytes (bill, "frames that wait", static_cast<size_t> (most > 0 && all > 0 ? std::min (most, all) : most + all));
}

// --- run ---

std::unique_ptr<Worker> AppSource::start (const Replica &replica)
{
  if (gathered)
    return std::make_unique<GatheredWorker> (gathered, replica);
  if (gathers ())
    fail (SINO_ERROR_BAD_GRAPH, "a scan with an unknown number of frames cannot be inside another node: set frames");
  shared->queue.attach (this, shape ());
  replica.monitor.check (); // a cancellation before attach () could not end the waits of the queue
  return std::make_unique<QueueWorker> (shared->queue, missing, replica);
}

// --- signals ---

static guint need_data = 0, enough_data = 0;

void AppSource::add_signals (GType type)
{
  need_data = new_signal (type, "need-data", G_TYPE_NONE);
  enough_data = new_signal (type, "enough-data", G_TYPE_INT64);
}

void AppSource::made (GObject *object)
{
  programs.set ();
  shared->queue.watch ([post = Post (object)] (bool needs, int64_t waiting) {
    if (needs)
      post.send (need_data);
    else
      post.send (enough_data, waiting);
  });
}

SINO_REGISTER (AppSource)

} // namespace sino::app
