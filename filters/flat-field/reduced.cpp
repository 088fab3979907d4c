// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/reduced.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "filters/flat-field/companions.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

namespace sino::flat_field {

namespace {

// Number of pixels whose flat is above the dark at all times; stops at `enough`. `darks`: one frame or none.
int64_t count_live (const std::vector<Frame> &darks, const std::vector<Frame> &flats, int64_t enough)
{
  int64_t live = 0;
  const auto is_live = [&] (size_t i) {
    return std::ranges::all_of (flats, [&] (const Frame &flat) {
      const float white = flat.values[i] - (darks.empty () ? 0 : darks[0].values[i]);
      return white > 0 && std::isfinite (white);
    });
  };
  for (size_t i = 0; i < flats[0].values.size () && live < enough; i++)
    live += is_live (i);
  return live;
}

int64_t count_dead_pixels (const std::vector<Frame> &darks, const std::vector<Frame> &flats)
{
  const auto all = std::ssize (flats[0].values);
  return all - count_live (darks, flats, all);
}

// Mean of all finite values of frames; NaN if there are none.
double mean (const std::vector<Frame> &frames)
{
  double sum = 0, n = 0;
  for (const auto &frame : frames)
    for (const float value : frame.values)
      if (std::isfinite (value)) {
        sum += static_cast<double> (value);
        n++;
      }
  return sum / n;
}

[[noreturn]] void fail_dead (const std::vector<Frame> &darks, const std::vector<Frame> &flats)
{
  const double white = mean (flats), black = darks.empty () ? 0 : mean (darks);
  fail (SINO_ERROR_BAD_FILE, "no valid detector pixel is left: %s",
        std::isnan (white)   ? "the flats have no finite values"
        : std::isnan (black) ? "the darks have no finite values"
        : white < black
            ? text ("the flats (mean %g) are darker than the darks (mean %g): are they swapped?", white, black).c_str ()
            : text ("the flats (mean %g) are nowhere brighter than the darks (mean %g)", white, black).c_str ());
}

template <class Value> void put_values (Bytes &to, std::span<const Value> values)
{
  const auto bytes = std::as_bytes (values);
  to.insert (to.end (), bytes.begin (), bytes.end ());
}

template <class Value> void take_values (std::span<const std::byte> &from, std::span<Value> values)
{
  std::memcpy (values.data (), from.data (), values.size_bytes ());
  from = from.subspan (values.size_bytes ());
}

// Frames as bytes, for other processes: their number, then rows, columns and values of each.
void put_frames (Bytes &to, const std::vector<Frame> &frames)
{
  put_values<int64_t> (to, std::array{std::ssize (frames)});
  for (const auto &frame : frames) {
    put_values<int64_t> (to, std::array{frame.rows.begin, frame.rows.end, frame.columns});
    put_values<float> (to, frame.values);
  }
}

std::vector<Frame> take_frames (std::span<const std::byte> &from)
{
  std::array<int64_t, 1> count;
  take_values<int64_t> (from, count);
  std::vector<Frame> frames (static_cast<size_t> (count[0]));
  for (auto &frame : frames) {
    std::array<int64_t, 3> shape;
    take_values<int64_t> (from, shape);
    frame = {{shape[0], shape[1]}, shape[2], {}};
    frame.values.resize (static_cast<size_t> (frame.rows.size () * frame.columns));
    take_values<float> (from, frame.values);
  }
  return frames;
}

} // namespace

Reduced::Reduced (const Replica &replica, const Settings &s, std::shared_ptr<Shared> common)
    : once (replica.once), cpu (replica.cpu), counters (replica.counters), messages (replica.messages),
      monitor (replica.monitor), settings (s), shared (std::move (common)),
      companions (replica.inputs[data_port]->companions), rows (replica.inputs[data_port]->rows ()),
      columns (replica.inputs[data_port]->line ()),
      values (rows * replica.inputs[data_port]->line () * replica.inputs[data_port]->angles ()),
      greatest (replica.inputs[data_port]->greatest ())
{
}

void Reduced::begin (Input *dark_frames, Input *flat_frames)
{
  std::call_once (shared->once, [&] { reduce_companions (!dark_frames, !flat_frames); });
  own_darks = dark_frames ? reduce_port (*dark_frames) : std::vector<Frame>{};
  own_flats = flat_frames ? reduce_port (*flat_frames) : std::vector<Frame>{};
  known = {};
}

std::unique_ptr<References> Reduced::references_for (const Block &block)
{
  if (known == block.rows ())
    return nullptr;
  auto references = std::make_unique<References> (block, all_darks (), all_flats (), settings.absorption, shared->top);
  known = block.rows ();
  count_dead (block, *references);
  return references;
}

void Reduced::reduce_here (bool darks, bool flats)
{
  auto found = survey (darks ? companions.darks.get () : nullptr, flats ? companions.flats.get () : nullptr,
                       settings.interpolate, settings.reduce, {cpu, messages, {&monitor, &counters}});
  shared->darks = std::move (found.darks.frames);
  shared->flats = std::move (found.flats.frames);
  shared->positions = std::move (found.flats.positions);
  if (flats && !found.bright)
    shared->top = std::min (greatest, found.top);
}

// With several processes, one of them does the work and shares the result.
void Reduced::reduce_companions (bool darks, bool flats)
{
  const bool has_darks = darks && companions.darks, has_flats = flats && companions.flats;
  if (once && (has_darks || has_flats)) {
    const auto bytes = once ([&] {
      reduce_here (has_darks, has_flats);
      if (has_flats) // no single process sees all rows
        tell_dead (count_dead_pixels (shared->darks, shared->flats));
      Bytes all;
      put_frames (all, shared->darks);
      put_frames (all, shared->flats);
      put_values<double> (all, shared->positions);
      put_values<float> (all, std::span (&shared->top, 1));
      return all;
    });
    std::span<const std::byte> rest (bytes);
    shared->darks = take_frames (rest);
    shared->flats = take_frames (rest);
    shared->positions.resize (shared->flats.size ());
    take_values<double> (rest, shared->positions);
    take_values<float> (rest, std::span (&shared->top, 1));
  } else
    reduce_here (has_darks, has_flats);
  shared->counted.assign (static_cast<size_t> (rows), false);
  if (flats && darks && count_live (shared->darks, shared->flats, 1) == 0)
    fail_dead (shared->darks, shared->flats); // report it before any output is written
}

// Reduces the frames of a port for this work item. Their times are unknown, so they form one group.
std::vector<Frame> Reduced::reduce_port (Input &input) const
{
  std::unique_ptr<Reducer> reducer;
  std::vector<std::byte> kept; // all frames, for the median, which needs them at once
  Rows covered;
  int64_t line = 0;
  while (const Block block = input.pop ()) {
    const auto pixels = block.rows ().size () * block.line ();
    const auto bytes = static_cast<size_t> (pixels) * size_of (block.format ().element);
    if (!reducer)
      reducer = std::make_unique<Reducer> (settings.reduce, block.format ().element, pixels, cpu);
    if (settings.reduce == Reduce::median)
      kept.resize (static_cast<size_t> (block.format ().angles ()) * bytes);
    covered = block.rows ();
    line = block.line ();
    for (int64_t i = 0; i < block.angles ().size (); i++) {
      const auto *frame = block.data () + static_cast<size_t> (i) * bytes;
      if (settings.reduce == Reduce::median)
        frame = std::copy_n (frame, bytes, &kept[static_cast<size_t> (block.angles ().begin + i) * bytes]) - bytes;
      reducer->add (frame);
    }
  }
  if (!reducer)
    return {};
  Frame frame{covered, line, std::vector<float> (static_cast<size_t> (covered.size () * line))};
  reducer->finish (frame.values.data ());
  return {std::move (frame)};
}

// Counts each detector pixel once, however the rows are cut into blocks.
void Reduced::count_dead (const Block &block, const References &references)
{
  const std::lock_guard guard (shared->mutex);
  int64_t dead = 0;
  for (int64_t i = 0; i < block.rows ().size (); i++) {
    const auto row = static_cast<size_t> (block.rows ().at (i));
    if (!shared->counted[row])
      dead += references.dead_in_row (i);
    shared->counted[row] = true;
  }
  counters.add ("dead-pixels", dead);
  shared->dead += dead;
  const auto all = rows * block.line ();
  if (std::ranges::find (shared->counted, false) != shared->counted.end ())
    return;
  if (shared->dead == all) // the frames came at ports, row by row
    fail_dead (all_darks (), all_flats ());
  tell_dead (shared->dead);
}

void Reduced::tell_dead (int64_t dead)
{
  const auto all = rows * columns;
  if (100 * dead >= all)
    messages.add (
        text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
              " detector pixels (%.2g %%) are dead: there the flats are not brighter than the darks, or not finite",
              dead, all, 100 * static_cast<double> (dead) / static_cast<double> (all)));
}

void Reduced::count (int64_t clamped, int64_t filled, int64_t some)
{
  counters.add ("clamped", clamped);
  if (filled > 0)
    counters.add ("filled", filled);
  const int64_t bad = shared->clamped += clamped, holes = shared->filled += filled,
                before = shared->corrected.fetch_add (some);
  if (before >= values || before + some < values)
    return;
  if (100 * bad >= values)
    messages.add (text (
        "%.2g %% of the values are not above %g in transmission: there the projections are not brighter than the darks",
        100 * static_cast<double> (bad) / static_cast<double> (values), static_cast<double> (least_transmission)));
  if (holes > 0)
    messages.add (text ("%" G_GINT64_FORMAT " values of the projections (%.3g %%) are %s: they were filled from their "
                        "neighbours in the row",
                        holes, 100 * static_cast<double> (holes) / static_cast<double> (values),
                        std::isfinite (shared->top) ? text ("at %.10g, the greatest count, where pixels are dead or "
                                                            "saturated",
                                                            static_cast<double> (shared->top))
                                                          .c_str ()
                                                    : "NaN or infinite"));
}

} // namespace sino::flat_field
