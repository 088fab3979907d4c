// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/cancellation.hpp"
#include <utility>

namespace sino {

static thread_local const Monitor *current = nullptr;

WorkingFor::WorkingFor (const Monitor &monitor) : before (std::exchange (current, &monitor)) {}

WorkingFor::~WorkingFor ()
{
  current = before;
}

const Monitor *worked_for ()
{
  return current;
}

void check_cancelled ()
{
  if (current)
    current->check ();
}

void step_unless_cancelled ()
{
  if (current)
    current->step ();
}

} // namespace sino
