// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/cancellation.hpp"
#include "base/confinement.hpp"
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

const Confinement *Confinement::current ()
{
  return sino::current ? sino::current->confinement.get () : nullptr;
}

void check_confined (const std::string &path)
{
  if (const auto *confinement = Confinement::current ())
    confinement->check (path);
}

void check_place_confined (const std::string &path)
{
  if (const auto *confinement = Confinement::current ())
    confinement->check_place (path);
}

} // namespace sino
