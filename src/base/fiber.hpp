// SPDX-License-Identifier: LGPL-3.0-or-later
// A function on a stack of its own, which can be left in its middle and gone on with later, by the thread that began
// it.
#pragma once
#include "base/visibility.hpp"
#include <functional>
#include <memory>

namespace sino {

class SINO_VISIBLE Fiber
{
public:
  // `body` must not throw. Throws Error where the system has no addresses left for a stack.
  explicit Fiber (std::function<void ()> body);
  // It must have ended, or never begun.
  ~Fiber ();
  Fiber (const Fiber &) = delete;
  Fiber &operator= (const Fiber &) = delete;

  // Goes on with it until it leaves or ends.
  void resume ();
  bool ended () const { return over; }

  // Goes back to where the fiber that this thread is in was resumed.
  static void leave ();

private:
  struct Place;
  std::function<void ()> body;
  std::unique_ptr<Place> inside, outside;
  bool over = false;

  static void enter ();
};

} // namespace sino
