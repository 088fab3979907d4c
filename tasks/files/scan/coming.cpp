// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/coming.hpp"
#include <algorithm>

namespace sino::files {

Come come_of (const Stack &stack, const Gaps &gaps, const FrameKeys *keys, Numbers numbers)
{
  constexpr int64_t none = -1;
  const auto unwritten = stack.unwritten ();
  // The page of a projection, if it has come.
  const auto page_of = [&] (int64_t number) {
    auto page = number;
    if (keys)
      page = number < std::ssize (keys->projections) ? keys->projections[static_cast<size_t> (number)] : none;
    else if (std::ranges::binary_search (gaps.places, number))
      return none;
    else
      page -= std::ranges::lower_bound (gaps.places, number) - gaps.places.begin ();
    return page < stack.pages && !std::ranges::binary_search (unwritten, page) ? page : none;
  };
  Come come;
  bool gap = false;
  for (size_t i = 0; i < numbers.size (); i++) {
    const auto page = page_of (numbers[i]);
    gap |= page == none;
    if (!gap)
      come.leading.push_back (page);
    if (page != none)
      come.end = static_cast<int64_t> (i) + 1;
  }
  return come;
}

} // namespace sino::files
