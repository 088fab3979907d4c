// SPDX-License-Identifier: LGPL-3.0-or-later
// Counts what was received and not used, for messages to people.
#pragma once
#include "glue/frames/frame-queue.hpp"
#include <array>
#include <mutex>
#include <string>
#include <vector>

namespace sino::zeromq {

class Report
{
public:
  // other: frames of another size or type; damaged: frames that lack pixels; outside: numbers that the scan does not
  // have; unreadable: messages that are no frames; behind: darks and flats behind the first projection.
  enum class What : uint8_t { other, damaged, outside, unreadable, behind };

  // Counts one, and keeps the description of the first.
  void add (What what, std::string first);
  // Also names the frames that are lost, came again or came late.
  std::vector<std::string> messages (const FrameQueue &queue) const;

private:
  struct Entry {
    int64_t count = 0;
    std::string first;
  };
  mutable std::mutex mutex;
  std::array<Entry, 5> entries;
};

} // namespace sino::zeromq
