// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/attend.hpp"
#include "base/cancellation.hpp"
#include "base/threads.hpp"
#include "pass/quiet.hpp"

namespace sino {

void attend (const std::shared_ptr<RunContext> &context, const std::function<void ()> &body,
             const std::function<void ()> &watch)
{
  struct Call {
    const std::function<void ()> body;
    std::exception_ptr failure;
    bool ended = false;
  };
  const auto call = std::make_shared<Call> (body);
  // Nothing is allocated after the start of the thread, because an exception there would end the process.
  Quiet quiet (*context);
  const std::function<void ()> look = [&] {
    context->guard ([&] {
      if (watch)
        watch ();
      if (quiet.too_long ())
        fail (SINO_ERROR_FAILED,
              "there was no progress for %.3g s in the preparation of %s; if it may take so long, give the watchdog "
              "more time, or 0 for no limit",
              quiet.seconds (), context->place ().c_str ());
    });
    // While the net is under construction, its tasks wait for nothing yet.
    if (!context->gathering.empty ())
      wake_if_cancelled (context);
  };
  const std::function<bool ()> over = [&] { return call->ended && !context->waking (); };
  auto thread = start_thread ([context, call] {
    const WorkingFor scope (context->monitor);
    std::exception_ptr failure;
    try {
      call->body ();
    } catch (...) {
      failure = std::current_exception ();
    }
    const auto lock = context->monitor.lock ();
    call->failure = std::move (failure);
    call->ended = true;
    context->monitor.changed ();
  });
  if (!context->patience.wait (context->monitor, over, look)) {
    thread.detach ();
    const bool hangs = !call->ended;
    end_waking (context);
    context->patience.fail (hangs ? context->place () : unlock_of_a_task, context->failure ());
  }
  end_waking (context);
  thread.join ();
  const auto first = context->failure ();
  if (const auto failure = first ? first : call->failure)
    std::rethrow_exception (failure);
  context->monitor.check ();
}

} // namespace sino
