// SPDX-License-Identifier: LGPL-3.0-or-later
// Signals that other threads send. They are emitted in the main context that was the thread's default when the object
// was made.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <functional>
#include <glib-object.h>
#include <memory>

namespace sino {

// Adds a signal without a class handler. `value`: type of its argument, or G_TYPE_NONE.
guint new_signal (GType type, const char *name, GType value);

// Calls `body` in a main context, with the priority of a GTask's result.
SINO_VISIBLE void call_in (GMainContext *context, std::function<void ()> body);

struct SignalPlace;

class Post
{
public:
  explicit Post (GObject *object);
  // Sends a signal, unless the object no longer exists. `value`: its argument, if it has one.
  void send (guint signal, int64_t value = 0) const;

private:
  std::shared_ptr<SignalPlace> place;
};

// Sends a signal with two arguments, a number and a value of 64 bits, of which only the newest counts for each number:
// while the main context is busy, no queue grows.
class SINO_VISIBLE NewestPost
{
public:
  NewestPost (GObject *object, const char *signal);
  void send (int number, int64_t value) const;

private:
  struct State;
  std::shared_ptr<State> state;
};

// Flag for an object that the program has made. Copies of the object, which runs use, do not have it.
class Programs
{
public:
  Programs () = default;
  Programs (const Programs &) {}
  Programs &operator= (const Programs &)
  {
    is = false;
    return *this;
  }
  ~Programs () = default;
  void set () { is = true; }
  explicit operator bool () const { return is; }

private:
  bool is = false;
};

} // namespace sino
