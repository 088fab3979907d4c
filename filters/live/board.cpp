// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/board.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace sino::live {

using Lock = std::unique_lock<std::mutex>;

// --- the program ---

size_t Board::place_of (int number) const
{
  const auto found = std::ranges::find (wanted.planes, number, &Wish::number);
  if (found == wanted.planes.end ())
    fail (SINO_ERROR_BAD_PROPERTY, "there is no plane %d: %s", number,
          wanted.planes.empty () ? "add one" : ("there are " + join (wanted.planes, ", ", [] (const Wish &w) {
                                                  return text ("%d", w.number);
                                                })).c_str ());
  return static_cast<size_t> (found - wanted.planes.begin ());
}

int Board::add (PlaneWords plane)
{
  if (wanted.planes.size () == most_planes)
    fail (SINO_ERROR_BAD_PROPERTY, "there are %zu planes already, and there may be no more: move or remove one",
          most_planes);
  shown.push_back ({.number = next_number, .version = 0, .last = {}});
  wanted.planes.push_back ({next_number, std::move (plane), ++wanted.serial});
  changed.notify_all ();
  return next_number++;
}

int Board::add (const std::string &plane)
{
  auto words = parse_plane (plane);
  const Lock lock (mutex);
  return add (std::move (words));
}

void Board::move (int number, const std::string &plane)
{
  auto words = parse_plane (plane);
  const Lock lock (mutex);
  auto &wish = wanted.planes[place_of (number)];
  wish.plane = std::move (words);
  wish.serial = ++wanted.serial;
  changed.notify_all ();
}

void Board::remove (int number)
{
  const Lock lock (mutex);
  const auto place = static_cast<ptrdiff_t> (place_of (number));
  wanted.planes.erase (wanted.planes.begin () + place);
  shown.erase (shown.begin () + place);
  wanted.serial++;
  changed.notify_all ();
}

std::vector<std::pair<int, std::string>> Board::list () const
{
  const Lock lock (mutex);
  std::vector<std::pair<int, std::string>> planes;
  for (const auto &wish : wanted.planes)
    planes.emplace_back (wish.number, wish.plane.text);
  return planes;
}

void Board::set_axis (double column)
{
  if (std::isinf (column) || std::abs (column) > 1e6)
    fail (SINO_ERROR_BAD_PROPERTY, "the axis cannot be at column %g", column);
  const Lock lock (mutex);
  place_axis (column);
  axis_of_run = false;
}

void Board::place_axis (double column)
{
  if (wanted.axis == column || (std::isnan (wanted.axis) && std::isnan (column)))
    return;
  wanted.axis = column;
  wanted.axis_serial = ++wanted.serial;
  changed.notify_all ();
}

void Board::set_axis (const std::string &word)
{
  double column = 0;
  if (word != "auto" && !parse_number (word, column))
    fail (SINO_ERROR_BAD_PROPERTY, "axis=%s: while a run goes on, give auto or a number of columns", word.c_str ());
  if (word == "auto") {
    const Lock lock (mutex);
    column = scan_axis;
  }
  set_axis (column);
  const Lock lock (mutex);
  axis_of_run = true;
}

double Board::axis () const
{
  const Lock lock (mutex);
  return std::isnan (wanted.axis) ? first_axis : wanted.axis;
}

std::map<int, int64_t> Board::versions () const
{
  const Lock lock (mutex);
  std::map<int, int64_t> all;
  for (const auto &plane : shown)
    all[plane.number] = plane.version;
  return all;
}

int64_t Board::version_of (int number) const
{
  const Lock lock (mutex);
  return shown[place_of (number)].version;
}

std::optional<FoundAxis> Board::found_axis () const
{
  const Lock lock (mutex);
  return sought;
}

void Board::set_contrast (const Contrast &contrast)
{
  const Lock lock (mutex);
  grey = contrast;
  contrast_of_run = true;
}

Contrast Board::contrast () const
{
  const Lock lock (mutex);
  return grey;
}

std::optional<LivePicture> Board::pull (int number, int64_t newer_than, std::chrono::microseconds time,
                                        const std::function<bool ()> &stop)
{
  using Clock = std::chrono::steady_clock;
  constexpr auto look = std::chrono::milliseconds (20); // for stop ()
  const auto latest = Clock::now () + time;
  for (Lock lock (mutex);;) {
    if (!failure.empty ())
      fail (SINO_ERROR_FAILED, "the run has no picture: %s", failure.c_str ());
    const auto &plane = shown[place_of (number)];
    if (plane.version > newer_than) {
      if (ended)
        return plane.last;
      const auto from = running;
      lock.unlock ();
      if (auto picture = from ? from->picture (number) : std::nullopt; picture && picture->version > newer_than)
        return picture;
      lock.lock ();
    } else if (ended)
      return {};
    if (stop () || (time.count () >= 0 && Clock::now () >= latest))
      return {};
    changed.wait_until (lock, time.count () < 0 ? Clock::now () + look : std::min (latest, Clock::now () + look));
  }
}

void Board::watch (std::weak_ptr<const Watch> watch)
{
  const Lock lock (mutex);
  std::erase_if (watches, [] (const auto &each) { return each.expired (); });
  watches.push_back (std::move (watch));
}

// --- the run ---

void Board::settle (const Words &words)
{
  const Lock lock (mutex);
  if (running) // a run keeps its planes
    return;
  const bool moved_contrast = std::exchange (contrast_of_run, false), moved_axis = std::exchange (axis_of_run, false);
  if (words.contrast != settled.contrast || moved_contrast)
    grey = parse_contrast (words.contrast);
  if (words.planes != settled.planes) {
    const auto planes = [&] {
      try {
        return parse_planes (words.planes);
      } catch (const Error &e) {
        fail (e.code, "planes=%s: %s", words.planes.c_str (), e.what ());
      }
    }();
    wanted.planes.clear ();
    shown.clear ();
    next_number = 0;
    for (const auto &plane : planes)
      add (plane);
  }
  if (words.axis != settled.axis || moved_axis)
    place_axis (NAN);
  settled = words;
}

void Board::settle_axis (double of_scan, double of_properties)
{
  const Lock lock (mutex);
  if (!running) {
    scan_axis = of_scan;
    first_axis = of_properties;
  }
}

void Board::drop_pictures ()
{
  ended = false;
  failure.clear ();
  sought.reset ();
  for (auto &plane : shown)
    plane = {.number = plane.number, .version = 0, .last = {}};
}

void Board::expect ()
{
  const Lock lock (mutex);
  if (!running)
    drop_pictures ();
}

void Board::begin (const void *user, std::shared_ptr<Pictures> pictures)
{
  const Lock lock (mutex);
  if (running)
    fail (SINO_ERROR_FAILED, "another run uses this node");
  drop_pictures ();
  running = std::move (pictures);
  owner = user;
}

void Board::end (std::vector<std::pair<int, LivePicture>> last)
{
  const Lock lock (mutex);
  running.reset ();
  ended = true;
  for (auto &plane : shown) {
    const auto found = std::ranges::find (last, plane.number, &std::pair<int, LivePicture>::first);
    plane.version = found == last.end () ? 0 : found->second.version;
    if (found != last.end ())
      plane.last = std::move (found->second);
  }
  changed.notify_all ();
}

void Board::close (const void *user, const std::string &why)
{
  const Lock lock (mutex);
  if (running && owner != user)
    return;
  running.reset ();
  failure = why;
  changed.notify_all ();
}

void Board::found (const FoundAxis &axis)
{
  const Lock lock (mutex);
  sought = axis;
}

void Board::apply_axis (double column)
{
  const Lock lock (mutex);
  if (std::isnan (wanted.axis) || wanted.axis == applied_axis) {
    place_axis (applied_axis = column);
    axis_of_run = true;
  }
}

Wishes Board::wishes () const
{
  const Lock lock (mutex);
  return wanted;
}

void Board::wait (int64_t serial, const std::function<bool ()> &stop)
{
  Lock lock (mutex);
  changed.wait (lock, [&] { return stop () || wanted.serial > serial; });
}

void Board::wake ()
{
  const Lock lock (mutex);
  changed.notify_all ();
}

void Board::publish (int number, int64_t newest)
{
  std::vector<std::shared_ptr<const Watch>> told;
  {
    const Lock lock (mutex);
    if (const auto found = std::ranges::find (shown, number, &Shown::number); found != shown.end ())
      found->version = newest;
    changed.notify_all ();
    for (const auto &each : watches)
      if (newest > 0 && !each.expired ())
        told.push_back (each.lock ());
  }
  for (const auto &watch : told)
    if (watch)
      (*watch) (number, newest);
}

int64_t Board::next_version ()
{
  const Lock lock (mutex);
  return ++version;
}

} // namespace sino::live
