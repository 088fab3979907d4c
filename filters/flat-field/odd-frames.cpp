// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/odd-frames.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::flat_field {

namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t most_named = 8;
constexpr double least_share_between_times = 0.5;
// Shares of the distance from darks to flats: a dark above the first has light, a flat below the second has no light.
constexpr double most_light_of_darks = 0.5, least_light_of_flats = 0.1;
// Share of that distance: if two darks differ by more, one of them is wrong.
constexpr double least_between_two_darks = 0.02;

// Frames that can be compared: frames of one time if there are enough of them, else frames of several times together,
// between which the beam may have changed.
struct Alike {
  Numbers frames;
  FrameSamples::Least least;
};

std::vector<Alike> alike (const std::vector<Group> &times, FrameSamples::Least least)
{
  std::vector<Alike> sets{{{}, least}};
  for (const auto &time : times)
    if (time.frames.size () >= 3)
      sets.push_back ({time.frames, least});
    else {
      if (!sets[0].frames.empty ())
        sets[0].least.share = std::max (least.share, least_share_between_times);
      sets[0].frames.insert (sets[0].frames.end (), time.frames.begin (), time.frames.end ());
    }
  return sets;
}

class Judge
{
public:
  Judge (Which w, const FrameSamples &s, const Levels &l) : which (w), samples (s), levels (l) {}

  void judge (Alike set)
  {
    leave_out_by_level (set.frames);
    const auto odd = samples.odd (set.frames, set.least);
    auto &list = odd.many ? many : differing;
    list.insert (list.end (), odd.frames.begin (), odd.frames.end ());
    if (set.frames.size () == 2)
      compare (set.frames[0], set.frames[1], set.least);
  }

  // Numbers of the frames to leave out, rising. Writes the messages.
  Numbers tell (int64_t count, Messages &messages)
  {
    const char *what = which == Which::darks ? "darks" : "flats";
    const auto tell = [&] (Numbers &frames, const std::string &fault) {
      std::ranges::sort (frames);
      if (!frames.empty ())
        messages.add (text ("%zu of the %" G_GINT64_FORMAT " %s %s: %s, counted from 0", frames.size (), count, what,
                            fault.c_str (), numbers_text (frames).c_str ()));
    };
    const bool one = mistaken.size () == 1;
    const std::string left_out = one ? ", and is left out" : ", and are left out";
    tell (mistaken, (one ? "has " : "have ") +
                        std::string (which == Which::darks ? "light, like flats" : "no more light than darks") +
                        left_out);
    tell (differing, "differ from the others by more than noise, and are left out");
    tell (many, "differ from the others by more than noise; they are too many to say which are wrong, and are kept");
    for (const auto &[a, b] : doubtful)
      messages.add (text ("the %s %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                          ", counted from 0, have means of %.5g and %.5g: it is unknown which is right, and both are "
                          "kept; give %s= to 'read' without the wrong one",
                          what, a, b, samples.level (a), samples.level (b), what));
    Numbers out = mistaken;
    out.insert (out.end (), differing.begin (), differing.end ());
    std::ranges::sort (out);
    return out;
  }

private:
  const Which which;
  const FrameSamples &samples;
  const Levels &levels;
  Numbers mistaken, differing, many;
  std::vector<std::pair<int64_t, int64_t>> doubtful;

  // First removes frames that belong to the other kind, because they may be the majority.
  void leave_out_by_level (Numbers &frames)
  {
    std::erase_if (frames, [&] (int64_t frame) {
      const auto gone = samples.level (frame) - levels.dark;
      const bool other =
          which == Which::darks ? gone > most_light_of_darks * levels.way : gone < least_light_of_flats * levels.way;
      if (other)
        mistaken.push_back (frame);
      return other;
    });
  }

  void compare (int64_t a, int64_t b, FrameSamples::Least least)
  {
    const auto [less, more] = std::minmax ({samples.level (a), samples.level (b)});
    const auto limit =
        which == Which::darks ? least_between_two_darks * levels.way : least.share * (more - levels.dark);
    if (more - less > limit)
      doubtful.emplace_back (std::min (a, b), std::max (a, b));
  }
};

} // namespace

std::string numbers_text (const std::vector<int64_t> &numbers)
{
  const Numbers few (numbers.begin (), numbers.begin () + std::min<int64_t> (std::ssize (numbers), most_named));
  auto list = join (few, ", ", [] (int64_t number) { return std::to_string (number); });
  if (std::ssize (numbers) > most_named)
    list += text (" and %" G_GINT64_FORMAT " more", std::ssize (numbers) - most_named);
  return list;
}

std::vector<int64_t> odd_frames (Which which, const FrameSamples &samples, const std::vector<Group> &times,
                                 FrameSamples::Least least, const Levels &levels, Messages &messages)
{
  Judge judge (which, samples, levels);
  int64_t count = 0;
  for (const auto &time : times)
    count += std::ssize (time.frames);
  for (const auto &set : alike (times, least))
    judge.judge (set);
  return judge.tell (count, messages);
}

} // namespace sino::flat_field
