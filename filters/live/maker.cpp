// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/maker.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace sino::live {

using Turn = std::lock_guard<Turns>;

static constexpr char sums_item[] = "pictures", row_item[] = "a blended row";

void Maker::memory (const Making &making, const Projections &projections, int threads, Bill &bill)
{
  const auto picture = making.measures.most_values () * sizeof (float);
  add_pages (bill, sums_item, picture, most_planes);
  add_bytes (bill, "pictures for the program", picture, most_planes);
  add_pages (bill, row_item, static_cast<size_t> (projections.stride ()) * sizeof (float),
             static_cast<size_t> (threads));
}

Maker::Maker (const Making &m, const Projections &p, Board &b, const Cpu &c, Allotment &a)
    : making (m), projections (p), board (b), cpu (c), allotment (a)
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
                                       .sums = allotment.take (sums_item),
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
  std::fill_n (made.sums.as<float> (), made.plane.stride () * made.plane.height, 0.0f);
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
  for (auto &made : planes)
    approach (made, made.ready ? window.size () : &made == anew ? some_of (made) : 0, changes);
  apply (changes);
  for (const auto &change : changes) {
    auto &made = *change.made;
    made.ready = made.ready || complete (made);
    if (made.ready)
      publish (made);
  }
  caught = window.end;
  return anew != nullptr;
}

// The projections that a picture takes in about 5 ms.
int64_t Maker::some_of (const Made &made) const
{
  constexpr double updates_of_step = 15e6;
  const auto pixels = static_cast<double> (made.plane.stride () * made.plane.height);
  return std::max<int64_t> (static_cast<int64_t> (updates_of_step * cpu.threads () / pixels), 4);
}

// Takes away what has left the window, and adds some of what the picture lacks.
void Maker::approach (Made &made, int64_t some, std::vector<Change> &changes) const
{
  Change change{&made, {}, {}};
  add_sights (change, {made.held.begin, std::min (made.held.end, window.begin)}, -1);
  const auto from = std::max (made.held.end, window.begin), to = std::min (from + some, window.end);
  add_sights (change, {from, to}, 1);
  made.held = {window.begin, to};
  if (!change.empty ())
    changes.push_back (std::move (change));
}

void Maker::add_sights (Change &change, Interval some, float factor) const
{
  for (auto k = some.begin; k < some.end; k++)
    if (making.cones.empty ()) {
      auto &sight = change.sights.emplace_back (making.sights[static_cast<size_t> (k)]);
      sight.origin += change.made->shift;
      sight.factor = factor;
    } else {
      auto &sight = change.cones.emplace_back (making.cones[static_cast<size_t> (k)]);
      for (size_t i = 0; i < 4; i++)
        sight.matrix[0][i] += change.made->shift * sight.matrix[2][i];
      sight.factor = factor;
    }
}

void Maker::apply (const std::vector<Change> &changes)
{
  std::vector<std::pair<const Change *, int64_t>> tiles; // and their first lines
  for (const auto &change : changes)
    for (int64_t line = 0; line < change.made->plane.height; line += tile_lines)
      tiles.emplace_back (&change, line);
  cpu.parallel (std::ssize (tiles), 1, [&] (int64_t begin, int64_t end) {
    const auto row = allotment.take (row_item);
    for (auto i = begin; i < end; i++) {
      const auto &[change, line] = tiles[static_cast<size_t> (i)];
      const auto &made = *change->made;
      const auto last = std::min (line + tile_lines, made.plane.height);
      live::add (projections, change->sights, made.plane, line, last, row.as<float> (), made.sums.as<float> ());
      add_cone (projections, change->cones, made.plane, made.turns, line, last, made.sums.as<float> ());
    }
  });
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
  for (int64_t line = 0; line < plane.height; line++) {
    const auto *sums = made.sums.as<float> () + line * plane.stride ();
    std::transform (sums, sums + plane.width, block.as<float> () + line * plane.width,
                    [this] (float sum) { return sum * making.scale * projections.unit; });
  }
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
