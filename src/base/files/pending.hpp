// SPDX-License-Identifier: LGPL-3.0-or-later
// Files and folders that this process has made and not finished, to be removed if it must exit at once.
#pragma once
#include "base/error.hpp"
#include <mutex>
#include <set>

namespace sino {

struct Pending {
  std::timed_mutex mutex;
  std::set<std::string> files, folders; // folders are removed with their content
  std::set<std::string> made;           // folders that are removed if they are empty
  std::set<std::string> left;           // folders that were not empty yet at their removal
  bool closed = false;
  int number = 0; // number of temporary names so far

  // Never destroyed: threads may still write when the process exits.
  static Pending &get ();

  // A lock to hold while making a file or folder. Throws Cancelled when the process exits.
  std::unique_lock<std::timed_mutex> lock ()
  {
    std::unique_lock guard (mutex);
    if (closed)
      throw Cancelled ();
    return guard;
  }
};

// The name of a file under construction, in the folder of the final one, cut to the length that file systems allow.
SINO_VISIBLE std::string part_path (const std::string &final_path, int number);
// Whether a file's name is one that part_path () gives for a final name.
SINO_VISIBLE bool is_part_of (const std::string &name, const std::string &final_name);

} // namespace sino
