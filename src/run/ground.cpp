// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/ground.hpp"
#include "base/cancellation.hpp"
#include "base/threads.hpp"

namespace sino {

size_t default_crews ()
{
  int64_t number = 0;
  const char *word = g_getenv ("SINOGRAPH_CREWS");
  return word && parse_integer (word, number) && number > 0 ? static_cast<size_t> (number) : 64;
}

void Ground::fail_with (std::exception_ptr what) noexcept
{
  {
    const std::lock_guard guard (mutex);
    if (!first)
      first = std::move (what);
  }
  monitor.cancel ();
}

std::exception_ptr Ground::failure () const
{
  const std::lock_guard guard (mutex);
  return first;
}

void Ground::arrive (const std::string &where)
{
  {
    const std::lock_guard guard (mutex);
    arrived = where;
  }
  monitor.check ();
}

std::string Ground::at () const
{
  const std::lock_guard guard (mutex);
  return arrived;
}

void attend (const std::shared_ptr<Ground> &ground, const std::function<void ()> &body)
{
  struct Call {
    const std::function<void ()> body;
    std::exception_ptr failure;
    bool ended = false;
  };
  const auto call = std::make_shared<Call> (body);
  auto thread = start_thread ([ground, call] {
    const WorkingFor scope (ground->monitor);
    std::exception_ptr failure;
    try {
      call->body ();
    } catch (...) {
      failure = std::current_exception ();
    }
    const auto lock = ground->monitor.lock ();
    call->failure = std::move (failure);
    call->ended = true;
    ground->monitor.changed ();
  });
  if (!ground->patience.wait (ground->monitor, [&] { return call->ended; })) {
    thread.detach ();
    ground->patience.fail (ground->at ());
  }
  thread.join ();
  if (call->failure)
    std::rethrow_exception (call->failure);
  ground->monitor.check ();
}

} // namespace sino
