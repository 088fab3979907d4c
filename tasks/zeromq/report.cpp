// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/report.hpp"
#include "base/text.hpp"

namespace sino::zeromq {

namespace {

// "3, 7 to 9 and 4 more"
std::string numbers_text (const std::vector<Interval> &numbers)
{
  constexpr size_t most = 8;
  std::string all;
  int64_t more = 0;
  for (size_t i = 0; i < numbers.size (); i++) {
    const auto first = static_cast<long long> (numbers[i].begin), last = static_cast<long long> (numbers[i].end - 1);
    if (i >= most)
      more += numbers[i].size ();
    else
      all += (i == 0 ? "" : ", ") + (first == last ? text ("%lld", first) : text ("%lld to %lld", first, last));
  }
  return more == 0 ? all : all + text (" and %lld more", static_cast<long long> (more));
}

std::string counted (int64_t count, const char *one, const char *several)
{
  return text ("%lld %s", static_cast<long long> (count), count == 1 ? one : several);
}

} // namespace

void Report::add (What what, std::string first)
{
  const std::lock_guard guard (mutex);
  auto &entry = entries[static_cast<size_t> (what)];
  if (entry.count++ == 0)
    entry.first = std::move (first);
}

std::vector<std::string> Report::messages (const FrameQueue &queue) const
{
  constexpr std::pair<const char *, const char *> words[] = {
      {"frame of another size or type was left out", "frames of another size or type were left out"},
      {"frame came without all of its pixels", "frames came without all of their pixels"},
      {"frame with a number outside the scan was left out", "frames with numbers outside the scan were left out"},
      {"message could not be read", "messages could not be read"},
      {"dark or flat came behind the first projection, and is not used",
       "darks and flats came behind the first projection, and are not used"}};
  std::vector<std::string> all;
  const auto lost = queue.lost ();
  if (!lost.empty ())
    all.push_back ("lost frames: " + numbers_text (lost));
  const auto level = queue.level ();
  if (level.repeated > 0)
    all.push_back (counted (level.repeated, "frame", "frames") + " came again");
  if (level.late > 0)
    all.push_back (counted (level.late, "frame", "frames") + " came too late: raise 'window'");
  const std::lock_guard guard (mutex);
  for (size_t i = 0; i < entries.size (); i++)
    if (entries[i].count > 0)
      all.push_back (counted (entries[i].count, words[i].first, words[i].second) + "; the first: " + entries[i].first);
  return all;
}

} // namespace sino::zeromq
