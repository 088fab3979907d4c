// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/companions.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::flat_field {

namespace {

constexpr int64_t most_named = 8;

std::string numbers_text (const std::vector<int64_t> &numbers)
{
  const std::vector few (numbers.begin (), numbers.begin () + std::min<int64_t> (std::ssize (numbers), most_named));
  auto list = join (few, ", ", [] (int64_t number) { return std::to_string (number); });
  if (std::ssize (numbers) > most_named)
    list += text (" and %" G_GINT64_FORMAT " more", std::ssize (numbers) - most_named);
  return list;
}

// Frames that can be compared: those of a time where there are enough, and all others together, between which the beam
// may have changed.
struct Alike {
  std::vector<int64_t> frames;
  FrameSamples::Least least;
};

constexpr double least_share_between_times = 0.5;

std::vector<Alike> alike (const std::vector<Group> &groups, FrameSamples::Least least)
{
  std::vector<Alike> sets{{{}, {std::max (least.share, least_share_between_times), least.value}}};
  for (const auto &group : groups)
    if (group.frames.size () >= 3)
      sets.push_back ({group.frames, least});
    else
      sets[0].frames.insert (sets[0].frames.end (), group.frames.begin (), group.frames.end ());
  return sets;
}

// Which frames are to be left out, rising.
std::vector<int64_t> odd_frames (const FrameSamples &samples, const std::vector<Group> &groups,
                                 FrameSamples::Least least, int64_t count, const char *what, Messages &messages)
{
  std::vector<int64_t> out, many;
  for (const auto &set : alike (groups, least)) {
    const auto odd = samples.odd (set.frames, set.least);
    auto &list = odd.many ? many : out;
    list.insert (list.end (), odd.frames.begin (), odd.frames.end ());
  }
  std::ranges::sort (out);
  std::ranges::sort (many);
  const auto tell = [&] (const std::vector<int64_t> &frames, const char *consequence) {
    if (!frames.empty ())
      messages.add (text ("%zu of the %" G_GINT64_FORMAT
                          " %s differ from the others by more than noise, %s: %s, counted "
                          "from 0",
                          frames.size (), count, what, consequence, numbers_text (frames).c_str ()));
  };
  tell (out, "and are left out");
  tell (many, "too many to say which are wrong, and are kept");
  return out;
}

void leave_out (std::vector<Group> &groups, const std::vector<int64_t> &frames)
{
  for (auto &group : groups)
    std::erase_if (group.frames, [&] (int64_t frame) { return std::ranges::binary_search (frames, frame); });
  std::erase_if (groups, [] (const Group &group) { return group.frames.empty (); });
}

bool most_are_no_numbers (const std::vector<Frame> &frames)
{
  int64_t none = 0, all = 0;
  for (const auto &frame : frames) {
    none += std::ranges::count_if (frame.values, [] (float value) { return std::isnan (value); });
    all += std::ssize (frame.values);
  }
  return 2 * none > all;
}

} // namespace

Surveyed survey_frames (const Frames &frames, std::vector<Group> groups, Reduce how, FrameSamples::Least least,
                        const char *what, const Looking &looking)
{
  FrameSamples samples (frames.count, frames.rows, frames.columns);
  auto top = frames.greatest ();
  Surveyed found;
  found.frames = reduce (frames, groups, how, looking.cpu, looking.watch, top, &samples);
  const auto odd = odd_frames (samples, groups, least, frames.count, what, looking.messages);
  leave_out (groups, odd);
  if (!odd.empty ()) {
    found.frames.clear (); // before others are made
    found.frames = reduce (frames, groups, how, looking.cpu, looking.watch, top);
  }
  if (std::isfinite (top) && most_are_no_numbers (found.frames)) {
    found.bright = true;
    looking.messages.add (
        text ("most pixels of the %s are at %.10g, the greatest count that there is: they are taken as "
              "they are, though they may be saturated",
              what, static_cast<double> (top)));
    found.frames.clear ();
    found.frames = reduce (frames, groups, how, looking.cpu, looking.watch);
  }
  for (const auto &group : groups)
    found.positions.push_back (group.position);
  found.mean = samples.mean ();
  return found;
}

size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how)
{
  return reducing_bytes (frames, groups, how) + FrameSamples::bytes_for (frames.count);
}

} // namespace sino::flat_field
