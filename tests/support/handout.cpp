// SPDX-License-Identifier: LGPL-3.0-or-later
// The rule by which ranks take work items, for docs/figures/cluster.py, which plays a cluster in a time of its own:
//   handout RANKS ITEMS
// answers each line of its input, at a time in seconds:
//   take RANK TIME   the item that the rank begins, "later" where it has to end one first, "none" where all are taken
//   end RANK TIME    "ended": the oldest item of the rank
#include "pass/handout.hpp"
#include <iostream>
#include <string>

using namespace sino;

int main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  const int ranks = std::stoi (argv[1]);
  const size_t items = std::stoul (argv[2]);
  std::vector<Handout> handouts (static_cast<size_t> (ranks), Handout (items, {0}, false, ranks));
  size_t taken = 0, rank = 0; // by all of them
  double seconds = 0;
  for (std::string what; std::cin >> what >> rank >> seconds;) {
    auto &own = handouts.at (rank);
    // The clock's origin is what a rank has that has ended nothing.
    const Handout::Time now (std::chrono::nanoseconds (1 + static_cast<int64_t> (1e9 * seconds)));
    own.know_place (taken);
    if (what == "end") {
      own.end (0, now);
      std::cout << "ended" << std::endl;
    } else if (own.left () == 0) {
      std::cout << "none" << std::endl;
    } else if (!own.may_take (0)) {
      std::cout << "later" << std::endl;
    } else {
      if (own.wants_place ())
        own.give_place (taken);
      std::cout << own.take (0, now) << std::endl;
      taken++;
    }
  }
}
