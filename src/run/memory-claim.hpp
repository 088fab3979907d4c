// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of several simultaneous runs of one process. Each one plans with what the others will take.
#pragma once
#include "base/visibility.hpp"
#include <mutex>

namespace sino {

class MemoryClaim : NoCopy
{
public:
  // A lock to hold from before the construction until set (): other runs wait until this run's memory is known.
  static std::unique_lock<std::mutex> alone ();
  MemoryClaim ();
  ~MemoryClaim ();

  // Resident bytes of the process before this run. Includes the bytes that other runs have planned, even if they have
  // not taken them yet.
  double before () const { return before_; }
  // Resident bytes now.
  double now () const { return now_; }
  // Sets the bytes that this run will take.
  void set (double bytes);

private:
  double now_ = 0, before_ = 0, own = 0;
};

} // namespace sino
