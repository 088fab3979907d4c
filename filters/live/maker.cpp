// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/maker.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace sino::live {

using Turn = std::lock_guard<Turns>;

void Maker::memory (const Making &making, Bill &bill)
{
  add_bytes (bill, "pictures for the program", making.measures.most_values () * sizeof (float), most_planes);
}

Maker::Maker (const Making &m, Easel &e, Board &b) : making (m), easel (e), board (b)
{
  follow (board.wishes ());
}

// Begins with the planes that are wished. A picture that is being made is completed first, so that there are pictures
// while somebody moves a plane all the time.
void Maker::follow (const Wishes &wishes)
{
  if (wishes.serial == known)
    return;
  std::erase_if (planes, [&] (const Made &made) {
    return std::ranges::find (wishes.planes, made.number, &Wish::number) == wishes.planes.end ();
  });
  bool all = true;
  for (const auto &wish : wishes.planes) {
    const auto found = std::ranges::find (planes, wish.number, &Made::number);
    if (found == planes.end ())
      begin (planes.emplace_back (Made{.number = wish.number,
                                       .serial = 0,
                                       .axis_serial = 0,
                                       .words = {},
                                       .plane = {},
                                       .shift = 0,
                                       .turns = {},
                                       .sums = easel.sums (),
                                       .held = {},
                                       .begun = 0,
                                       .ready = false}),
             wish, wishes);
    else if (found->serial != wish.serial || found->axis_serial != wishes.axis_serial) {
      if (found->ready)
        begin (*found, wish, wishes);
      else
        all = false;
    }
  }
  if (all)
    known = wishes.serial;
}

void Maker::begin (Made &made, const Wish &wish, const Wishes &wishes)
{
  made.serial = wish.serial;
  made.axis_serial = wishes.axis_serial;
  made.words = wish.plane;
  made.plane = making.measures.plane_of (wish.plane);
  made.shift = std::isnan (wishes.axis) ? 0 : wishes.axis - making.axis;
  made.turns.clear ();
  for (int64_t line = 0; making.turns && line < made.plane.height; line++)
    made.turns.push_back (making.turns (made.plane.row_of (line)));
  made.held = {window.begin, window.begin};
  made.begun = begins++;
  made.ready = complete (made);
  made.sums->begin (made.plane);
  board.publish (made.number, 0);
}

void Maker::arrive (Interval fresh)
{
  const Turn turn (turns);
  window = {std::max<int64_t> (fresh.end - making.window, 0), fresh.end};
}

void Maker::end_with (const Wishes &wishes)
{
  const Turn turn (turns);
  last = wishes;
}

bool Maker::step ()
{
  const Turn turn (turns);
  follow (last ? *last : board.wishes ());
  std::vector<Change> changes;
  // One picture is made anew in a step: the one that waits for the longest time.
  Made *anew = nullptr;
  for (auto &made : planes)
    if (!made.ready && (!anew || made.begun < anew->begun))
      anew = &made;
  std::vector<Made *> changed;
  for (auto &made : planes)
    if (approach (made, made.ready ? window.size () : &made == anew ? some_of (made) : 0, changes))
      changed.push_back (&made);
  easel.add (changes);
  for (auto *made : changed) {
    made->ready = made->ready || complete (*made);
    if (made->ready)
      publish (*made);
  }
  caught = window.end;
  return anew != nullptr;
}

// The projections that a picture takes in about 5 ms.
int64_t Maker::some_of (const Made &made) const
{
  const auto pixels = static_cast<double> (made.plane.stride () * made.plane.height);
  return std::max<int64_t> (static_cast<int64_t> (easel.updates_of_step () / pixels), 4);
}

// Takes away what has left the window, and adds some of what the picture lacks.
bool Maker::approach (Made &made, int64_t some, std::vector<Change> &changes) const
{
  Change change{.sums = made.sums.get (), .plane = &made.plane, .turns = made.turns, .sights = {}, .cones = {}};
  add_sights (change, made, {made.held.begin, std::min (made.held.end, window.begin)}, -1);
  const auto from = std::max (made.held.end, window.begin), to = std::min (from + some, window.end);
  add_sights (change, made, {from, to}, 1);
  made.held = {window.begin, to};
  const bool changes_it = !change.empty ();
  if (changes_it)
    changes.push_back (std::move (change));
  return changes_it;
}

void Maker::add_sights (Change &change, const Made &made, Interval some, float factor) const
{
  for (auto k = some.begin; k < some.end; k++)
    if (making.cones.empty ()) {
      auto &sight = change.sights.emplace_back (making.sights[static_cast<size_t> (k)]);
      sight.origin += made.shift;
      sight.factor = factor;
    } else {
      auto &sight = change.cones.emplace_back (making.cones[static_cast<size_t> (k)]);
      for (size_t i = 0; i < 4; i++)
        sight.matrix[0][i] += made.shift * sight.matrix[2][i];
      sight.factor = factor;
    }
}

void Maker::publish (Made &made)
{
  made.version = board.next_version ();
  board.publish (made.number, made.version);
}

LivePicture Maker::picture_of (const Made &made) const
{
  const auto &plane = made.plane;
  const auto format = std::make_shared<const Format> (
      slices (Element::f32, {Axis::z, 1}, {Axis::y, plane.height}, {Axis::x, plane.width}));
  auto block = make_block (format, {}, {{0, 1}, {0, 1}});
  made.sums->read (making.scale * easel.unit (), block.as<float> ());
  return {.block = std::move (block),
          .version = made.version,
          .projections = made.held.size (),
          .last = made.held.end - 1,
          .plane = made.words.text};
}

std::optional<LivePicture> Maker::picture (int number)
{
  const Turn turn (turns);
  const auto found = std::ranges::find (planes, number, &Made::number);
  if (closed || found == planes.end () || !found->ready || found->held.empty ())
    return {};
  return picture_of (*found);
}

std::vector<std::pair<int, LivePicture>> Maker::pictures ()
{
  const Turn turn (turns);
  std::vector<std::pair<int, LivePicture>> all;
  for (const auto &made : planes)
    if (made.ready && !made.held.empty ())
      all.emplace_back (made.number, picture_of (made));
  return all;
}

void Maker::close ()
{
  const Turn turn (turns);
  planes.clear ();
  closed = true;
}

} // namespace sino::live
