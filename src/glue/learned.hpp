// SPDX-License-Identifier: LGPL-3.0-or-later
// Facts that a task learns during a run, for example in a survey. Its workers share them; a copy of the task, made for
// each run, starts empty.
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
