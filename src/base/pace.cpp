// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/pace.hpp"
#include <algorithm>

namespace sino {

// Twice as many requests must raise the rate by the first factor, for they take memory and processor time; half as many
// may lower it to the second factor.
constexpr double worth_more = 1.25, worth_less = 0.9;
// Shortest window that gives a reliable rate.
constexpr double least_seconds = 0.005;
constexpr int64_t least_rounds = 4;
constexpr int most_rest = 64; // windows; limits the cost of trying, and still notices when the storage changes

Pace Pace::fixed (int number)
{
  Pace pace (number);
  pace.number = pace.kept = number;
  pace.measures = false;
  return pace;
}

void Pace::full (Time time)
{
  if (measures && !window.counts) {
    window.counts = true;
    window.since = time;
  }
}

void Pace::slack (Time time)
{
  count (time);
  window.counts = false;
}

void Pace::count (Time time)
{
  if (window.counts)
    window.seconds += std::chrono::duration<double> (time - window.since).count ();
  window.since = time;
}

void Pace::ended (int64_t bytes, Time time)
{
  if (!window.counts)
    return;
  count (time);
  window.bytes += bytes;
  window.requests++;
  if (window.seconds < least_seconds || window.requests < least_rounds * number)
    return;
  const auto found = static_cast<double> (window.bytes) / window.seconds;
  window = {};
  judge (found);
}

void Pace::judge (double found)
{
  if (trying ()) {
    if (found > (number > kept ? worth_more : worth_less) * rate) {
      kept = number;
      rate = found;
      patience = 0;
      try_next (); // further in the same direction
    } else {
      number = kept;
      up = !up;
      rest = patience = std::min (2 * patience + 2, most_rest);
    }
    return;
  }
  rate = rate == 0 ? found : (rate + found) / 2;
  if (--rest <= 0)
    try_next ();
}

void Pace::try_next ()
{
  for (int ways = 0; ways < 2 && !trying (); ways++) {
    number = up ? std::min (2 * kept, most) : (kept + 1) / 2;
    if (!trying ())
      up = !up;
  }
}

} // namespace sino
