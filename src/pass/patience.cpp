// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/patience.hpp"
#include "base/named-error.hpp"

namespace sino {

bool Patience::wait (Monitor &monitor, const std::function<bool ()> &ended, const std::function<void ()> &watch) const
{
  using Clock = std::chrono::steady_clock;
  for (auto give_up = Clock::time_point::max (); Clock::now () <= give_up;) {
    {
      auto lock = monitor.lock ();
      if (monitor.wait_for (lock, Time (100), ended))
        return true;
      if (monitor.cancelled () && give_up == Clock::time_point::max ())
        give_up = Clock::now () + time.load ();
    }
    if (watch)
      watch ();
  }
  return false;
}

static std::atomic<bool> left{false};

bool Patience::left_any () noexcept
{
  return left;
}

void Patience::fail (const std::string &stuck, const std::exception_ptr &failure) const
{
  left = true;
  const auto then = text ("; then %s did not return within %g s: its thread was abandoned", stuck.c_str (),
                          std::chrono::duration<double> (time.load ()).count ());
  try {
    if (failure)
      std::rethrow_exception (failure);
  } catch (const Error &e) {
    throw_again (e, e.what () + then);
  } catch (const std::exception &e) {
    throw Error (SINO_ERROR_FAILED, e.what () + then);
  }
  throw Cancelled{Cancelled ().message + then};
}

} // namespace sino
