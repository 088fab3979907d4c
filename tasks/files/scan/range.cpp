// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/range.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::files {

std::vector<int64_t> Range::numbers () const
{
  std::vector<int64_t> list (static_cast<size_t> (count));
  for (int64_t i = 0; i < count; i++)
    list[static_cast<size_t> (i)] = first + i * step;
  return list;
}

Range parse_range (const char *property, const std::string &word, int64_t extent, const char *what)
{
  if (word.empty ())
    return {0, 1, extent, extent};
  const auto refuse = [&] {
    fail (SINO_ERROR_BAD_PROPERTY,
          "%s=%s is not a range: give begin:end or begin:end:step, for example %s=0:%" G_GINT64_FORMAT, property,
          word.c_str (), property, extent);
  };
  int64_t numbers[3] = {0, extent, 1};
  size_t n = 0;
  for (const auto &part : split (word, ':')) {
    if (n == 3 || (!part.empty () && !parse_integer (part, numbers[n])))
      refuse ();
    if (n < 2 && !part.empty () && numbers[n] < 0)
      numbers[n] += extent;
    n++;
  }
  auto [begin, end, step] = numbers;
  if (n == 1) {
    if (begin < 0 || begin >= extent)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s is outside the %" G_GINT64_FORMAT " %s of the scan", property,
            word.c_str (), extent, what);
    return {begin, 1, 1, begin + 1};
  }
  if (step < 1)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%s has a step of %" G_GINT64_FORMAT ": it must be 1 or more", property,
          word.c_str (), step);
  begin = std::max<int64_t> (begin, 0);
  end = std::min (end, extent);
  if (begin >= end)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%s contains none of the %" G_GINT64_FORMAT " %s of the scan", property,
          word.c_str (), extent, what);
  return {begin, step, 1 + (end - begin - 1) / step, end};
}

} // namespace sino::files
