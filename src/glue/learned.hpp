// SPDX-License-Identifier: LGPL-3.0-or-later
// What a task learns in a run, as by a survey. Its workers share it; a copy of the task, which is made for each run,
// begins with nothing.
#pragma once
#include <memory>

namespace sino {

template <class T> class Learned
{
public:
  Learned () = default;
  Learned (const Learned &) {}
  Learned &operator= (const Learned &other)
  {
    if (this != &other)
      state = std::make_shared<T> ();
    return *this;
  }
  ~Learned () = default;

  T *operator->() const { return state.get (); }
  T &operator* () const { return *state; }
  std::shared_ptr<const T> shared () const { return state; }

private:
  std::shared_ptr<T> state = std::make_shared<T> ();
};

} // namespace sino
