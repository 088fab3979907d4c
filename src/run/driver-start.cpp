// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/driver-start.hpp"
#include "base/threads.hpp"

namespace sino {

DriverStart::DriverStart (const std::vector<std::shared_ptr<const Device>> &devices, std::function<void ()> w)
    : waits (std::move (w))
{
  errors.resize (devices.size ());
  try {
    for (size_t i = 0; i < devices.size (); i++)
      if (devices[i]->own_memory () > 0) // others have nothing to load
        add_thread (threads, [device = devices[i], &error = errors[i]] {
          try {
            device->load_driver ();
          } catch (...) {
            error = std::current_exception ();
          }
        });
  } catch (...) { // there is no room for another thread
    join ();
    throw;
  }
}

DriverStart::~DriverStart ()
{
  join ();
}

void DriverStart::join ()
{
  if (!threads.empty ())
    waits ();
  for (auto &thread : threads)
    thread.join ();
  threads.clear ();
}

void DriverStart::wait ()
{
  join ();
  for (const auto &error : errors)
    if (error)
      std::rethrow_exception (error);
}

} // namespace sino
