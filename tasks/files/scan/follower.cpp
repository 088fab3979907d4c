// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/follower.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "tasks/files/scan/open-scan.hpp"
#include <thread>

namespace sino::files {

using namespace std::chrono_literals;

// Between two looks: one at an HDF5 file takes about 20 ms, one at a folder of 3000 images 150 ms. A run that is
// cancelled ends within a slice.
constexpr auto least_pause = 200ms, slice = 20ms;
constexpr int pause_per_look = 4;

Follower::Follower (Request r, double t) : request (std::move (r)), timeout (t)
{
  request.growing = true;
  request.coming = Coming::leading;
}

std::shared_ptr<const Scan> Follower::look ()
{
  return std::make_shared<const Scan> (open_scan (request));
}

bool Follower::try_look ()
try {
  auto now = look ();
  fault.clear ();
  if (scan)
    check_pages (*now);
  if (scan && (now->leading < scan->leading || (now->leading == scan->leading && now->end == scan->end)))
    return false;
  scan = std::move (now);
  if (!first)
    first = scan;
  last_change = Clock::now ();
  return true;
} catch (const Error &e) {
  if (e.code != SINO_ERROR_BAD_FILE)
    throw;
  fault = e.what ();
  return false;
}

// Files of a sequence that were read as projection i must still be that.
void Follower::check_pages (const Scan &now) const
{
  const auto before = scan->stack->files (), after = now.stack->files ();
  if (std::ssize (before) != scan->stack->pages || std::ssize (after) != now.stack->pages)
    return;
  const auto file = [] (const Scan &of, const std::vector<FileStamp> &files, size_t i) {
    return files[static_cast<size_t> (of.picks->pages[i])];
  };
  for (size_t i = 0; i < static_cast<size_t> (std::min (scan->leading, now.leading)); i++)
    if (!file (now, after, i).same_file (file (*scan, before, i)))
      fail (SINO_ERROR_LOST_FRAME,
            "the file of projection %zu came behind that of a later one: set short-scan=finish to wait for all files",
            i);
}

void Follower::check_angles () const
{
  if (open_scan (request).format.geometry->angles != first->format.geometry->angles)
    fail (SINO_ERROR_BAD_FILE,
          "the angles in '%s' have changed since the run began: set angles=, or short-scan=finish "
          "to wait for all of them",
          request.path.c_str ());
}

bool Follower::is_over () const
{
  return timeout > 0 && std::chrono::duration<double> (Clock::now () - last_change).count () > timeout;
}

template <class Done> bool Follower::wait (const Monitor &monitor, Done done)
{
  last_change = Clock::now ();
  monitor.growing = true;
  while (true) {
    monitor.check ();
    const auto begun = Clock::now ();
    const auto before = scan ? scan->leading : 0;
    if (try_look ()) {
      monitor.beat ();
      monitor.frames_came (scan->leading - before);
    }
    if (scan && done ())
      return true;
    if (is_over ())
      return false;
    const auto now = Clock::now ();
    for (const auto end = now + std::max<Clock::duration> (least_pause, pause_per_look * (now - begun));
         Clock::now () < end;) {
      monitor.check ();
      std::this_thread::sleep_for (slice);
    }
  }
}

std::shared_ptr<const Scan> Follower::wait_for (int64_t count, const Monitor &monitor)
{
  if (!(scan && scan->leading >= count) && !wait (monitor, [&] { return scan->leading >= count; }))
    fail_short (count);
  return scan;
}

std::shared_ptr<const Scan> Follower::wait_for_end (bool may_be_short, const Monitor &monitor)
{
  const auto wanted = request.frames;
  const bool whole = wait (monitor, [&] { return wanted > 0 && scan->leading == scan->format.angles (); });
  const bool holes = scan && scan->leading < scan->end && request.missing == Missing::fail;
  const bool is_short = !whole && wanted > 0 && scan && scan->end < scan->format.angles () && !may_be_short;
  if (!scan || scan->end == 0 || holes || is_short)
    fail_short (scan ? scan->format.angles () : 1);
  request.coming = Coming::came;
  return look ();
}

void Follower::fail_short (int64_t wanted) const
{
  const auto waited = text ("no new projection has come for %g s", timeout);
  if (!scan)
    fail (SINO_ERROR_SHORT_SCAN, "%s: %s", waited.c_str (), fault.c_str ());
  const auto there = static_cast<long long> (scan->leading), all = static_cast<long long> (scan->format.angles ());
  if (scan->leading < scan->end)
    fail (SINO_ERROR_LOST_FRAME,
          "%s, and projection %lld is lost, of those up to %lld: set missing=skip to continue without such, or "
          "missing=zero to use zeros",
          waited.c_str (), there, static_cast<long long> (scan->end - 1));
  fail (SINO_ERROR_SHORT_SCAN,
        "%s, and %lld of %lld are there%s%s: set short-scan=finish to reconstruct these, or a longer timeout=",
        waited.c_str (), there, std::max (all, static_cast<long long> (wanted)), fault.empty () ? "" : "; ",
        fault.c_str ());
}

} // namespace sino::files
