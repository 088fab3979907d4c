// SPDX-License-Identifier: LGPL-3.0-or-later
// Sends images as messages of "array-1.0", each with its number, and {"end": true} behind the last one.
#pragma once
#include "stream/chunk.hpp"
#include "tasks/zeromq/socket.hpp"
#include <condition_variable>
#include <mutex>

namespace sino::zeromq {

class Sender
{
public:
  // Connects or binds. `timeout`: seconds that messages wait for a receiver; 0: any. Throws.
  Sender (const SocketSettings &settings, double timeout);
  ~Sender ();

  // Sends a copy of an image. Waits for room. Throws Cancelled after stop ().
  void send (const FrameShape &shape, int64_t number, const std::byte *pixels);
  // Sends the end, and waits until all messages have left. Throws Cancelled after stop ().
  void finish ();
  // Milliseconds for SocketSettings: longer than finish () waits, so that it knows whether messages have left.
  static int linger (double timeout);
  // From any thread: ends all waits, and drops the messages that have not left.
  void stop () noexcept;

private:
  struct Closing;

  const std::string address;
  const double timeout;
  // What threads tell each other, also one that this object has left behind.
  struct Told {
    std::mutex mutex; // protects the other members, and `socket` where it comes and goes
    std::condition_variable changed;
    bool stopped = false;
  };
  const std::shared_ptr<Told> told = std::make_shared<Told> ();
  std::unique_ptr<Socket> socket;

  void wait_for_room (bool last);
  void put (const void *bytes, size_t size, bool more);
  [[noreturn]] void fail_late () const;
};

} // namespace sino::zeromq
