// SPDX-License-Identifier: LGPL-3.0-or-later
// Few cases out of many dimensions, such that every pair of values of two dimensions occurs in one.
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace sino::test {

using Pick = std::vector<int>; // the number of the value in each dimension

// `sizes`: how many values each dimension has. Pairs that no allowed case seems to have are left out. Greedy: of some
// random cases with a pair that is missing, the one with most of those. The same for the same arguments.
inline std::vector<Pick> pairwise (const std::vector<int> &sizes, const std::function<bool (const Pick &)> &allowed)
{
  const size_t dimensions = sizes.size ();
  std::mt19937 random (1);
  const auto below = [&random] (int n) { return static_cast<int> (random () % static_cast<unsigned> (n)); };

  struct Pair {
    size_t a, b;
    int x, y;
    bool in (const Pick &pick) const { return pick[a] == x && pick[b] == y; }
  };
  std::vector<Pair> missing;
  for (size_t a = 0; a < dimensions; a++)
    for (size_t b = a + 1; b < dimensions; b++)
      for (int x = 0; x < sizes[a]; x++)
        for (int y = 0; y < sizes[b]; y++)
          missing.push_back ({a, b, x, y});

  std::vector<Pick> cases;
  while (!missing.empty ()) {
    const Pair wanted = missing.back ();
    Pick best;
    int64_t most = 0;
    for (int found = 0, tries = 0; found < 40 && tries < 4000; tries++) {
      Pick pick (dimensions);
      for (size_t i = 0; i < dimensions; i++) // more often the first: fewer contradictions
        pick[i] = tries % 2 && below (2) ? 0 : below (sizes[i]);
      pick[wanted.a] = wanted.x;
      pick[wanted.b] = wanted.y;
      if (!allowed (pick))
        continue;
      found++;
      const auto gain = std::count_if (missing.begin (), missing.end (), [&] (const Pair &p) { return p.in (pick); });
      if (gain > most)
        most = gain, best = pick;
    }
    if (best.empty ()) {
      missing.pop_back ();
      continue;
    }
    std::erase_if (missing, [&] (const Pair &p) { return p.in (best); });
    cases.push_back (std::move (best));
  }
  return cases;
}

} // namespace sino::test
