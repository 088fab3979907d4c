// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks whose workers have several blocks under way at a time (device/work.hpp): they pop the next ones while others
// become blocks of the output.
#pragma once
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE SeveralAtOnce
{
public:
  virtual ~SeveralAtOnce ();

  // Blocks of the first input that keep all threads at work.
  virtual int blocks_at_once (const Device &device, int threads) const = 0;

  // How many there will be: fewer where memory is short. Told before Task::memory () and Task::start (), which go by
  // it.
  void allow (int blocks) { at_once = blocks; }

protected:
  int at_once = 1;
};

// The same for any task: 1, and nothing.
SINO_VISIBLE int blocks_at_once (const Task &task, const Device &device, int threads);
SINO_VISIBLE void allow_at_once (Task &task, const Device &device, int blocks);

} // namespace sino
