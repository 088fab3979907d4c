// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-task.h"
#include "glue/task.hpp"
#include "stream/gathered.hpp"
#include <atomic>
#include <mutex>

namespace sino {

// A stream that may end early.
struct OpenEnd {
  std::mutex mutex;                         // of what follows
  std::shared_ptr<const Gathered> gathered; // all of it, of the run that has the object
};

// What a task written in C, Python or another language says of itself when it is made.
struct ForeignTraits {
  SinoFlow flow = SINO_FLOW_POINT;
  std::vector<Port> inputs{{"data"}}; // names are interned
  bool replicable = false;
  std::vector<std::string> live;     // properties
  std::atomic<bool> ended{};         // the stream
  std::unique_ptr<OpenEnd> open_end; // null: it does not end early
  std::atomic<bool> settled{};       // others rely on all of this: it changes no more
  std::atomic_flag running{};        // a run has it
  std::atomic_flag negotiating{};
};

ForeignTraits &foreign_traits (SinoTask *task);

} // namespace sino
