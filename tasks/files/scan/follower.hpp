// SPDX-License-Identifier: LGPL-3.0-or-later
// Opens a scan again and again while a detector writes it.
#pragma once
#include "tasks/files/scan/scan.hpp"
#include <chrono>

namespace sino::files {

class Follower
{
public:
  // `request`: with the number of frames of the scan, or 0. `timeout`: seconds without a new projection after which the
  // scan has ended; 0: it does not end before its last frame.
  Follower (Request request, double timeout);

  // Opens what is there.
  std::shared_ptr<const Scan> look ();
  // Waits until the first `count` projections are there. Throws if the scan ends before.
  std::shared_ptr<const Scan> wait_for (int64_t count, const Monitor &monitor);
  // When all projections have been read: throws if the file has other angles now.
  void check_angles () const;
  // Waits until the scan has ended, and opens all of it.
  std::shared_ptr<const Scan> wait_for_end (bool may_be_short, const Monitor &monitor);

private:
  using Clock = std::chrono::steady_clock;

  Request request;
  const double timeout;
  std::shared_ptr<const Scan> first, scan;
  std::string fault; // why it cannot be opened yet
  Clock::time_point last_change = Clock::now ();

  bool try_look ();
  void check_pages (const Scan &now) const;
  bool is_over () const;
  // Looks until `done ()`; returns false if the scan ended before.
  template <class Done> bool wait (const Monitor &monitor, Done done);
  [[noreturn]] void fail_short (int64_t wanted) const;
};

} // namespace sino::files
