// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the number of simultaneous requests to a storage: increases it as long as more bytes per second come.
#pragma once
#include "base/visibility.hpp"
#include <chrono>
#include <cstdint>

namespace sino {

// Measures the rate with the present number, tries twice and half as many from time to time, and keeps the faster. To
// be used by one thread at a time.
class SINO_VISIBLE Pace
{
public:
  using Time = std::chrono::steady_clock::time_point;

  // Begins with one request; uses at most `most`.
  explicit Pace (int m) : most (m) {}
  // Always uses the same number.
  static Pace fixed (int number);

  int now () const { return number; }

  // To be called when now () requests are active and more wait. Only then the storage is the limit, so only the time
  // until slack () is measured.
  void full (Time time);
  // A request has ended.
  void ended (int64_t bytes, Time time);
  // No request waits any more.
  void slack (Time time);

private:
  int most;
  int number = 1;
  bool measures = true;

  // Result of `number` requests in the measured time.
  struct Window {
    bool counts = false;
    Time since;
    double seconds = 0;
    int64_t bytes = 0, requests = 0;
  } window;

  // The number that is kept unless a tried one is better, and its rate; 0: not measured yet.
  int kept = 1;
  double rate = 0;
  bool up = true;   // direction of the next try
  int rest = 0;     // windows until the next try
  int patience = 0; // windows to rest after an unsuccessful try
  bool trying () const { return number != kept; }

  void count (Time time);
  void judge (double found);
  void try_next ();
};

} // namespace sino
