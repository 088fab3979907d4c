// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/arrivals.hpp"
#include <utility>

namespace sino {

Arrivals::Kind Arrivals::kind (const Chunk &frames) const
{
  const Interval numbers{frames.number, frames.number + frames.count};
  const auto meets = [&] (Interval other) { return !numbers.meet (other).empty (); };
  if (numbers.begin < next_)
    return std::ranges::any_of (lost_, meets) ? Kind::late : Kind::repeated;
  const auto is_there = [&] (auto entry) { return meets ({entry->first, entry->first + entry->second.count}); };
  const auto behind = waiting.lower_bound (numbers.begin);
  if ((behind != waiting.end () && is_there (behind)) || (behind != waiting.begin () && is_there (std::prev (behind))))
    return Kind::repeated;
  return numbers.begin == next_ ? Kind::next : Kind::early;
}

void Arrivals::add (Chunk frames, int64_t window, std::vector<Chunk> &ready)
{
  early_bytes_ += static_cast<int64_t> (frames.bytes ());
  waiting.emplace (frames.number, std::move (frames));
  hand_on (ready);
  while (!waiting.empty () && newest () - 1 - next_ > window)
    give_up (waiting.begin ()->first, ready);
}

void Arrivals::give_up (int64_t end, std::vector<Chunk> &ready)
{
  while (next_ < end) {
    const auto until = waiting.empty () ? end : std::min (end, waiting.begin ()->first);
    if (until > next_)
      pass ({next_, until}, false);
    hand_on (ready);
  }
  hand_on (ready);
}

int64_t Arrivals::newest () const
{
  return waiting.empty () ? next_ : waiting.rbegin ()->first + waiting.rbegin ()->second.count;
}

// Moves the next number behind these; frames between are lost.
void Arrivals::pass (Interval numbers, bool came)
{
  if (!came)
    note ({next_, numbers.end});
  next_ = numbers.end;
}

void Arrivals::note (Interval numbers)
{
  auto place = std::ranges::lower_bound (lost_, numbers.begin, {}, &Interval::begin);
  if (place != lost_.begin () && std::prev (place)->end == numbers.begin)
    std::prev (place)->end = numbers.end;
  else
    lost_.insert (place, numbers);
}

void Arrivals::hand_on (std::vector<Chunk> &ready)
{
  while (!waiting.empty () && waiting.begin ()->first == next_) {
    auto node = waiting.extract (waiting.begin ());
    early_bytes_ -= static_cast<int64_t> (node.mapped ().bytes ());
    pass ({next_, next_ + node.mapped ().count}, true);
    ready.push_back (std::move (node.mapped ()));
  }
}

} // namespace sino
