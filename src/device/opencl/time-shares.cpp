// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl/time-shares.hpp"
#include <algorithm>

namespace sino {

double TimeShares::Account::nanoseconds () const
{
  const std::lock_guard guard (shares.mutex);
  return charged;
}

// Divides the span that contains this time, and returns the index of the one that begins there. Most kernels are young,
// so the search goes backward.
size_t TimeShares::cut (uint64_t at)
{
  size_t i = spans.size ();
  while (i > 0 && spans[i - 1].begin >= at)
    i--;
  if (i == spans.size () || spans[i].begin > at) {
    auto &divided = spans[i - 1];
    Span later{at, divided.end, divided.accounts};
    divided.end = at;
    spans.insert (spans.begin () + static_cast<std::ptrdiff_t> (i), std::move (later));
  }
  return i;
}

void TimeShares::charge (const std::shared_ptr<Account> &account, uint64_t begin, uint64_t end)
{
  if (end <= begin) // drivers may compute these times from two clocks
    return;
  const std::lock_guard guard (mutex);
  if (spans.empty ())
    spans.push_back ({begin, begin, {}});
  const auto known = spans.front ().begin;
  if (begin < known) { // it is no longer known who else worked then
    account->charged += static_cast<double> (std::min (end, known) - begin);
    begin = known;
  }
  if (end <= begin)
    return;
  if (end > spans.back ().end)
    spans.push_back ({spans.back ().end, end, {}});
  const auto first = cut (begin);
  if (end < spans.back ().end)
    cut (end);
  for (auto i = first; i < spans.size () && spans[i].begin < end; i++) {
    auto &span = spans[i];
    const auto length = static_cast<double> (span.end - span.begin), n = static_cast<double> (span.accounts.size ());
    for (auto &other : span.accounts)
      other->charged -= length / n - length / (n + 1);
    account->charged += length / (n + 1);
    span.accounts.push_back (account);
  }
  while (spans.size () > most_spans)
    spans.pop_front ();
}

} // namespace sino
