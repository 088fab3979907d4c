// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of several runs of one process at once, each of which plans with what the others will take.
#pragma once
#include <mutex>

namespace sino {

class MemoryClaim
{
public:
  // Held by who makes one until set (): others wait for what this run will take.
  static std::unique_lock<std::mutex> alone ();
  MemoryClaim ();
  ~MemoryClaim ();
  MemoryClaim (const MemoryClaim &) = delete;
  MemoryClaim &operator= (const MemoryClaim &) = delete;

  // Resident bytes of the process before this run, those counted that the other runs have planned and perhaps not
  // taken.
  double before () const { return before_; }
  // Resident bytes now.
  double now () const { return now_; }
  // Sets the bytes that this run will take.
  void set (double bytes);

private:
  double now_ = 0, before_ = 0, own = 0;
};

} // namespace sino
