// SPDX-License-Identifier: LGPL-3.0-or-later
// A socket of ZeroMQ, its messages, and how a thread that waits for one is woken.
#pragma once
#include "base/pointers.hpp"
#include "tasks/zeromq/decoders/decoded.hpp"
#include <chrono>
#include <memory>
#include <string>
#include <vector>
#include <zmq.h>

namespace sino::zeromq {

struct SocketSettings {
  std::string address;
  int type; // ZMQ_PULL, ...
  bool bind;
  int most_messages;       // that wait in the socket, per peer, in its direction
  int64_t largest_message; // bytes of a message that is received
  bool watched = false;    // whether wait () tells of peers that go away
  int linger;              // milliseconds in which messages can leave after the end; -1: any
};

// One part of a message; its memory is released with the last reference.
using Part = std::shared_ptr<zmq_msg_t>;
using Message = std::vector<Part>;

// Memory of a part.
Bytes bytes_of (const Part &part);

// Used by one thread at a time, except for wake ().
class Socket : NoCopy
{
public:
  // Connects or binds. Throws SINO_ERROR_BAD_PROPERTY, naming the property 'address'.
  explicit Socket (const SocketSettings &settings);
  ~Socket ();

  // gone: a peer has gone away, which is told once.
  enum class Event : uint8_t { ready, late, woken, gone };
  // Waits until a message can be received or sent; a negative time has no limit.
  Event wait (short direction, std::chrono::milliseconds time);
  // The message that has come.
  Message receive ();
  // Sends a part; it was waited for that it can be sent.
  void send (zmq_msg_t &part, bool more);
  // From any thread: the current wait, or the next one, returns `woken`.
  void wake () noexcept;
  // Closes it at once; messages that have not left are dropped.
  void drop () noexcept;

private:
  const SocketSettings settings;
  int wakes;
  void *context = nullptr, *socket = nullptr;
  void *monitor = nullptr;  // its messages tell of peers
  bool stranger = false;    // the monitor has told of a failed handshake
  std::string file;         // of an ipc address that is bound: ZeroMQ leaves it behind
  uint64_t file_number = 0; // another socket may have bound the address since

  void set (int option, int value);
  void watch ();
  void bind_file ();
  bool peer_gone ();
  void open ();
  void close () noexcept;
};

// The number of messages of this size that may wait in a socket: 64 MiB of them, or four. It is set when the socket is
// made, because a peer that waits would not learn of another number.
constexpr int fewest_messages = 4;
int messages_that_wait (size_t frame);

} // namespace sino::zeromq
