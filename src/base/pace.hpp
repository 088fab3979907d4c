// SPDX-License-Identifier: LGPL-3.0-or-later
// How many requests to a storage are at work at once: as many as it gives more bytes per second for.
#pragma once
#include "base/visibility.hpp"
#include <chrono>
#include <cstdint>

namespace sino {

// Measures what comes of so many, tries twice and half as many now and then, and keeps what is faster. Not for several
// threads at a time.
class SINO_VISIBLE Pace
{
public:
  using Time = std::chrono::steady_clock::time_point;

  // Begins with one; at most `most`.
  explicit Pace (int m) : most (m) {}
  // Stays at a number.
  static Pace fixed (int number);

  int now () const { return number; }

  // Says that now () requests are at work and more wait. Only then the storage is the limit, so only the time until
  // slack () counts.
  void full (Time time);
  // One has ended.
  void ended (int64_t bytes, Time time);
  // None waits any more.
  void slack (Time time);

private:
  int most;
  int number = 1;
  bool measures = true;

  // What came of `number` in the time that counts.
  struct Window {
    bool counts = false;
    Time since;
    double seconds = 0;
    int64_t bytes = 0, requests = 0;
  } window;

  // The number that is kept unless what is tried is better, and its rate; 0: not measured yet.
  int kept = 1;
  double rate = 0;
  bool up = true;   // what is tried next
  int rest = 0;     // windows until then
  int patience = 0; // windows to rest after what was tried was no better
  bool trying () const { return number != kept; }

  void count (Time time);
  void judge (double found);
  void try_next ();
  void settle (int better, double found);
};

} // namespace sino
