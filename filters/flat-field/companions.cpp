// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/companions.hpp"
#include "base/text.hpp"
#include "kernels/flat-field/pile-up.hpp"
#include <algorithm>
#include <cmath>
#include <optional>

namespace sino::flat_field {

namespace {

// Smallest differences between frames that count. For flats a share of their values, because the beam varies; for darks
// a share of the flats, because smaller differences are not visible.
constexpr FrameSamples::Least least_of_flats{0.25, 0};
constexpr double least_share_of_flats = 0.005;
constexpr float none = std::numeric_limits<float>::infinity ();

bool most_are_no_numbers (const std::vector<Frame> &frames)
{
  int64_t empty = 0, all = 0;
  for (const auto &frame : frames) {
    empty += std::ranges::count_if (frame.values, [] (float value) { return std::isnan (value); });
    all += std::ssize (frame.values);
  }
  return 2 * empty > all;
}

// Darks or flats while they are read and reduced.
class Survey
{
public:
  Survey (Which w, const Frames &f, bool times_matter, Reduce h, const Looking &l)
      : which (w), frames (f), how (h), looking (l), groups (groups_by_position (f, times_matter)), top (f.greatest ()),
        samples (f.count, f.rows, f.columns, top)
  {
  }

  // Reads the frames. Values of `end` and more count as missing, as far as the end is known before finish ().
  void read (float end)
  {
    top = std::min (top, end);
    std::optional<PileUp> counts;
    if (which == Which::flats)
      counts.emplace (frames.count, top, looking.cpu);
    result.frames = reduced ([&] (int64_t frame, Interval rows, const std::byte *pixels) {
      samples.take (frame, rows, frames.element, pixels);
      if (counts)
        counts->take (frame, frames.element, pixels, rows.size () * frames.columns);
    });
    if (!counts)
      return;
    pile = counts->find (samples.is_noisy ());
    if (piles_up ())
      top = pile.at;
  }

  std::vector<double> levels () const
  {
    std::vector<double> list;
    for (int64_t frame = 0; frame < frames.count; frame++)
      list.push_back (samples.level (frame));
    return list;
  }

  // Returns the result. Reads the frames again if later knowledge, such as the `end` of the flats, changes the result.
  Companion finish (FrameSamples::Least least, const Levels &levels, float end)
  {
    const auto before = top;
    if (which == Which::darks)
      top = std::min (frames.greatest (), end);
    result.left_out = odd_frames (which, samples, groups_by_position (frames, true), least, levels, looking.messages);
    for (auto &group : groups)
      std::erase_if (group.frames, [&] (int64_t frame) { return std::ranges::binary_search (result.left_out, frame); });
    std::erase_if (groups, [] (const Group &group) { return group.frames.empty (); });
    if (!result.left_out.empty () || top != before || piles_up ())
      read_again ();
    if (std::isfinite (top) && most_are_no_numbers (result.frames)) {
      tell_bright (static_cast<double> (top));
      top = none;
      bright_ = true;
      read_again ();
    } else if (piles_up ())
      tell_pile_up ();
    else if (pile.doubtful)
      tell_bright (static_cast<double> (pile.at));
    for (const auto &group : groups)
      result.positions.push_back (group.position);
    return std::move (result);
  }

  // The count at which the scan saturates below the maximum of its type; infinite if it does not.
  float end () const { return piles_up () && !bright_ ? pile.at : none; }
  bool bright () const { return bright_; }

private:
  const Which which;
  const Frames &frames;
  const Reduce how;
  const Looking &looking;
  std::vector<Group> groups;
  float top;
  FrameSamples samples;
  PileUp::Found pile;
  Companion result;
  bool bright_ = false;

  const char *name () const { return which == Which::darks ? "darks" : "flats"; }

  std::vector<Frame> reduced (const FrameLook &look) const
  {
    return reduce (frames, groups, how, looking.cpu, looking.watch, top, look);
  }
  void read_again ()
  {
    result.frames.clear (); // frees their memory before others are made
    result.frames = reduced ({});
  }

  bool piles_up () const { return pile.values > 0 && !pile.doubtful; }

  void tell_bright (double at) const
  {
    looking.messages.add (text ("most pixels of the %s are at %.10g, the greatest possible count: they are used "
                                "unchanged, but may be saturated",
                                name (), at));
  }
  void tell_pile_up () const
  {
    const auto all = static_cast<double> (frames.count * frames.rows * frames.columns);
    looking.messages.add (
        text ("%" G_GINT64_FORMAT " values of the %s (%.3g %%) are at %.10g, the highest count, which many pixels "
              "reach: they are treated as saturated, in the projections too",
              pile.values, name (), 100 * static_cast<double> (pile.values) / all, static_cast<double> (pile.at)));
  }
};

} // namespace

Surveyed survey (const Frames *darks, const Frames *flats, bool times_matter, Reduce how, const Looking &looking)
{
  Surveyed found;
  std::optional<Survey> dark, flat;
  const auto read = [] (Survey &kind, float end) {
    kind.read (end);
    return kind.levels ();
  };
  std::vector<double> of_darks, of_flats;
  if (flats)
    of_flats = read (flat.emplace (Which::flats, *flats, times_matter, how, looking), none);
  if (darks)
    of_darks = read (dark.emplace (Which::darks, *darks, false, how, looking), flat ? flat->end () : none);
  const auto levels = levels_of (std::move (of_darks), std::move (of_flats));
  if (flat) {
    found.flats = flat->finish (least_of_flats, levels, none);
    found.top = flat->end ();
    found.bright = flat->bright ();
  }
  if (dark)
    found.darks =
        dark->finish ({0, std::isfinite (levels.flat) ? least_share_of_flats * levels.flat : 0}, levels, found.top);
  return found;
}

static bool has_any (const std::shared_ptr<const Frames> &frames)
{
  return frames && frames->count > 0;
}

static void tell_left_out (const Surveyed &found, Messages &messages)
{
  std::vector<std::string> parts;
  for (const auto &[kind, numbers] : {std::pair ("darks", &found.darks.left_out), {"flats", &found.flats.left_out}})
    if (!numbers->empty ())
      parts.push_back (text ("the %s %s", kind, numbers_text (*numbers).c_str ()));
  if (!parts.empty ())
    messages.add (join (parts, " and ", [] (const auto &part) { return part; }) +
                      ", counted from 0, look wrong, and are not used here",
                  Messages::Level::info);
}

Means mean_companions (const Companions &companions, const Looking &looking)
{
  Messages unheard;
  auto found = survey (has_any (companions.darks) ? companions.darks.get () : nullptr, companions.flats.get (), false,
                       Reduce::mean, {looking.cpu, unheard, looking.watch});
  tell_left_out (found, looking.messages);
  Means means{{}, std::move (found.flats.frames.at (0).values), std::move (found.flats.left_out)};
  if (!found.darks.frames.empty ())
    means.dark = std::move (found.darks.frames[0].values);
  return means;
}

size_t mean_companions_bytes (const Companions &companions)
{
  size_t most = 0;
  for (const auto &frames : {companions.flats, companions.darks})
    if (has_any (frames))
      most = std::max (most, surveying_bytes (*frames, groups_by_position (*frames, false), Reduce::mean));
  return most;
}

size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how)
{
  return reducing_bytes (frames, groups, how) + FrameSamples::bytes_for (frames.count) +
         PileUp::bytes_for (frames.count);
}

} // namespace sino::flat_field
