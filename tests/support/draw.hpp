// SPDX-License-Identifier: LGPL-3.0-or-later
// Long tables of cases: a change is tried with a part of them, the night with all.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace sino::test {

// All cases are tried: the environment has SINO_TEST_THOROUGH.
inline bool thorough ()
{
  return std::getenv ("SINO_TEST_THOROUGH") != nullptr;
}

// Whether a case is tried: every `part`th one. The commit says which is the first of them (SINO_TEST_DRAW, a number).
inline bool is_drawn (size_t number, size_t part)
{
  const char *draw = std::getenv ("SINO_TEST_DRAW");
  return thorough () || (number + (draw ? std::strtoull (draw, nullptr, 10) : 0)) % part == 0;
}

// The cases that are tried, in their order.
template <class Case> std::vector<Case> drawn (const std::vector<Case> &cases, size_t part)
{
  std::vector<Case> chosen;
  for (size_t i = 0; i < cases.size (); i++)
    if (is_drawn (i, part))
      chosen.push_back (cases[i]);
  return chosen;
}

} // namespace sino::test
