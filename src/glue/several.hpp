// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks whose workers process several blocks at a time (device/work.hpp): they pop the next blocks before earlier ones
// are finished.
#pragma once
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE SeveralAtOnce
{
public:
  virtual ~SeveralAtOnce ();

  // Number of blocks of the first input that keeps all threads busy.
  virtual int blocks_at_once (const Device &device, int threads) const = 0;

  // Sets the actual number, which is lower if memory is short. Called before Task::memory () and Task::start (), which
  // depend on it.
  void allow (int blocks) { at_once = blocks; }

protected:
  int at_once = 1;
};

// The same for any task: other tasks have 1 block, and allow_at_once () does nothing for them.
SINO_VISIBLE int blocks_at_once (const Task &task, const Device &device, int threads);
SINO_VISIBLE void allow_at_once (Task &task, const Device &device, int blocks);

} // namespace sino
