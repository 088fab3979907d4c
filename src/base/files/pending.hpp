// SPDX-License-Identifier: LGPL-3.0-or-later
// What this process has made and not finished, for the moment in which it must leave at once.
#pragma once
#include "base/error.hpp"
#include <mutex>
#include <set>

namespace sino {

struct Pending {
  std::timed_mutex mutex;
  std::set<std::string> files, folders; // folders with all that is in them
  std::set<std::string> made;           // folders that go if they are empty
  std::set<std::string> left;           // those that were not empty yet when their turn came
  bool closed = false;
  int number = 0; // number of names that were made

  // Never destroyed: threads may still write when the process leaves.
  static Pending &get ();

  // A lock that whoever makes something holds. Throws Cancelled once the process leaves.
  std::unique_lock<std::timed_mutex> lock ()
  {
    std::unique_lock guard (mutex);
    if (closed)
      throw Cancelled ();
    return guard;
  }
};

// The name of a file under construction, beside its final one, as long as the file system allows it to be.
SINO_VISIBLE std::string part_path (const std::string &final_path, int number);
// Whether a file's name is one that part_path () gives for a final name.
SINO_VISIBLE bool is_part_of (const std::string &name, const std::string &final_name);

} // namespace sino
