// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/app-source.hpp"
#include "app/frame-workers.hpp"
#include "base/angle.hpp"
#include <cmath>
#include <cstring>

namespace sino::app {

// What a plan counts with that is made before the frames have come.
constexpr int64_t frames_of_a_plan = 1800;

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
  return {static_cast<int64_t> (max_bytes), max_buffers, leaky, scan_frames ()};
}

size_t AppSource::frame_bytes () const
{
  if (rows <= 0 || columns <= 0)
    fail (SINO_ERROR_BAD_PROPERTY, "set rows and columns to the size of a frame");
  return static_cast<size_t> (rows) * static_cast<size_t> (columns) * size_of (element);
}

int64_t AppSource::frames_in (size_t bytes) const
{
  const auto one = frame_bytes ();
  if (bytes == 0 || bytes % one != 0)
    fail (SINO_ERROR_BAD_FORMAT, "%zu bytes are no number of frames: one of %d x %d %s has %zu", bytes, rows, columns,
          name_of (element), one);
  return static_cast<int64_t> (bytes / one);
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
  return scan_frames () == 0 || own_angles || missing == formats::Missing::skip || short_scan == ShortScan::finish;
}

void AppSource::gather (const Monitor &monitor)
{
  shared->queue.attach (this);
  auto all = std::make_shared<Gathered> (static_cast<int64_t> (max_bytes));
  int64_t next = 0;
  while (auto frames_come = shared->queue.pop ()) {
    monitor.check ();
    check_size (frame_bytes (), frames_come->frame_bytes);
    if (missing == formats::Missing::fail)
      check_number (next, frames_come->number);
    next = frames_come->number + frames_come->count;
    all->add (std::move (*frames_come));
  }
  const auto wanted = scan_frames ();
  if (all->count () == 0)
    fail (SINO_ERROR_FAILED, "the scan ended before its first frame");
  if (wanted > 0 && next < wanted && short_scan == ShortScan::fail && missing == formats::Missing::fail)
    fail_short (next, wanted);
  if (own_angles && std::ssize (all->angles ()) != all->count ())
    fail (SINO_ERROR_FAILED, "%zu of %lld frames came with an angle, and own-angles is set: push all with theirs",
          all->angles ().size (), static_cast<long long> (all->count ()));
  const std::lock_guard guard (shared->mutex);
  shared->gathered = std::move (all);
}

std::shared_ptr<const Geometry> AppSource::geometry_of (int64_t count) const
{
  Geometry made;
  std::shared_ptr<const Geometry> given;
  {
    const std::lock_guard guard (shared->mutex);
    given = shared->geometry;
  }
  if (given)
    made = *given;
  const auto number = [this] (int64_t i) { return gathered ? gathered->numbers ()[static_cast<size_t> (i)] : i; };
  // Those of the frames that came, of values for each frame of the scan.
  const auto choose = [&] (auto &values) {
    if (std::ssize (values) <= 1 || std::ssize (values) == count) // one for all, or there is nothing to choose
      if (!gathered || number (count - 1) == count - 1)
        return;
    auto all = std::move (values);
    values.clear ();
    for (int64_t i = 0; i < count; i++) {
      if (number (i) >= std::ssize (all))
        fail (SINO_ERROR_BAD_FORMAT, "frame %lld came, and the geometry has %zu projections",
              static_cast<long long> (number (i)), all.size ());
      values.push_back (all[static_cast<size_t> (number (i))]);
    }
  };
  if (given && !given->angles.empty () && !own_angles) {
    choose (made.angles);
    if (made.axis.size () > 1)
      choose (made.axis);
    if (!made.views.empty ())
      choose (made.views);
    return std::make_shared<const Geometry> (std::move (made));
  }
  const auto planned = scan_frames ();
  const double step = angle_step != 0 ? angle_step : 180.0 / static_cast<double> (planned > 0 ? planned : count);
  made.angles.clear ();
  for (int64_t i = 0; i < count; i++)
    made.angles.push_back (own_angles && gathered ? radians (gathered->angles ()[static_cast<size_t> (i)])
                                                  : radians (angle_start + static_cast<double> (number (i)) * step));
  return std::make_shared<const Geometry> (std::move (made));
}

Format AppSource::negotiate (std::span<const Format *const>)
{
  frame_bytes ();
  {
    const std::lock_guard guard (shared->mutex);
    gathered = shared->gathered;
  }
  const auto planned = scan_frames ();
  const int64_t count = gathered ? gathered->count () : planned > 0 ? planned : frames_of_a_plan;
  Format format = projections (element, {Axis::angle, count}, {Axis::row, rows}, {Axis::column, columns});
  format.geometry = geometry_of (count);
  format.companions.darks = shared->darks.read (element, rows, columns);
  format.companions.flats = shared->flats.read (element, rows, columns);
  format.companions.from = info.name;
  return format;
}

// --- plan ---

double AppSource::bytes_read (const Format &output, const Rows &some) const
{
  return gathered && !gathered->in_memory () ? Source::bytes_read (output, some) : 0;
}

// Frames are pushed one by one, as a rule: large ones are not copied then.
int64_t AppSource::most_angles (const Format &) const
{
  constexpr size_t large = 256 << 10;
  return frame_bytes () >= large ? 1 : std::numeric_limits<int64_t>::max ();
}

void AppSource::shared_memory (Bill &bill) const
{
  if (!gathered) // else it is there already
    add_bytes (bill, "frames that wait", static_cast<size_t> (max_bytes));
}

// --- run ---

std::unique_ptr<Worker> AppSource::start (const Replica &replica)
{
  if (gathered)
    return std::make_unique<GatheredWorker> (gathered, replica);
  if (gathers ())
    fail (SINO_ERROR_BAD_GRAPH,
          "a scan whose frames are not known before cannot begin inside another node: set frames");
  shared->queue.attach (this);
  return std::make_unique<QueueWorker> (shared->queue, replica);
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
