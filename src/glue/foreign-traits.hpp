// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-task.h"
#include "glue/task.hpp"
#include "stream/gathered.hpp"
#include <atomic>
#include <mutex>

namespace sino {

// State of a stream that may end early.
struct OpenEnd {
  std::mutex mutex;                         // protects the members below
  std::shared_ptr<const Gathered> gathered; // all projections of the stream, for the run that uses the object
};

// Traits that a task in C, Python or another language states when it is made.
struct ForeignTraits {
  SinoFlow flow = SINO_FLOW_POINT;
  std::vector<Port> inputs{{"data"}}; // names are interned
  bool replicable = false;
  std::vector<std::string> live;     // names of properties
  std::atomic<bool> ended{};         // the stream has ended
  std::unique_ptr<OpenEnd> open_end; // null: the stream cannot end early
  std::atomic<bool> settled{};       // the traits are in use and must not change any more
  std::atomic_flag running{};        // a run uses the object
  std::atomic_flag negotiating{};
};

ForeignTraits &foreign_traits (SinoTask *task);

} // namespace sino
