// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/socket.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <cerrno>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sino::zeromq {

namespace {

// Parts of a message that are kept: no protocol has more.
constexpr size_t most_parts = 4;

[[noreturn]] void fail_call (const char *call)
{
  fail (SINO_ERROR_FAILED, "%s: %s", call, zmq_strerror (zmq_errno ()));
}

bool receives (int type)
{
  return type == ZMQ_PULL || type == ZMQ_SUB;
}

} // namespace

Bytes bytes_of (const Part &part)
{
  return {static_cast<const std::byte *> (zmq_msg_data (part.get ())), zmq_msg_size (part.get ())};
}

int messages_that_wait (size_t frame)
{
  constexpr size_t bytes = 64 << 20;
  return static_cast<int> (std::clamp<size_t> (bytes / std::max<size_t> (frame, 1), fewest_messages, 10000));
}

Socket::Socket (const SocketSettings &s) : settings (s), wakes (eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK))
{
  if (wakes < 0)
    fail (SINO_ERROR_FAILED, "eventfd: %s", g_strerror (errno));
  try {
    open ();
  } catch (...) {
    drop ();
    ::close (wakes);
    throw;
  }
}

Socket::~Socket ()
{
  close ();
  ::close (wakes);
}

void Socket::open ()
{
  context = zmq_ctx_new ();
  if (!context)
    fail_call ("zmq_ctx_new");
  socket = zmq_socket (context, settings.type);
  if (!socket)
    fail_call ("zmq_socket");
  set (ZMQ_LINGER, settings.linger);
  set (receives (settings.type) ? ZMQ_RCVHWM : ZMQ_SNDHWM, settings.most_messages);
  if (receives (settings.type))
    zmq_setsockopt (socket, ZMQ_MAXMSGSIZE, &settings.largest_message, sizeof settings.largest_message);
  if (settings.type == ZMQ_SUB && zmq_setsockopt (socket, ZMQ_SUBSCRIBE, "", 0) != 0)
    fail_call ("zmq_setsockopt");
  const auto *address = settings.address.c_str ();
  if (settings.address.starts_with ("inproc:"))
    fail (SINO_ERROR_BAD_PROPERTY, "address=%s: nothing in this process is there; addresses are like tcp://camera:5555",
          shown (settings.address).c_str ());
  if ((settings.bind ? zmq_bind (socket, address) : zmq_connect (socket, address)) != 0)
    fail (SINO_ERROR_BAD_PROPERTY, "address=%s: cannot %s: %s; addresses are like tcp://camera:5555, or ipc://PATH",
          shown (settings.address).c_str (), settings.bind ? "be bound" : "be connected to",
          zmq_strerror (zmq_errno ()));
}

void Socket::set (int option, int value)
{
  if (zmq_setsockopt (socket, option, &value, sizeof value) != 0)
    fail_call ("zmq_setsockopt");
}

Socket::Event Socket::wait (short direction, std::chrono::milliseconds time)
{
  zmq_pollitem_t items[] = {{socket, 0, direction, 0}, {nullptr, wakes, ZMQ_POLLIN, 0}};
  if (zmq_poll (items, 2, static_cast<long> (time.count ())) < 0) {
    if (zmq_errno () == EINTR)
      return Event::late;
    fail_call ("zmq_poll");
  }
  if (items[1].revents != 0)
    return Event::woken;
  return items[0].revents != 0 ? Event::ready : Event::late;
}

Message Socket::receive ()
{
  Message message;
  for (bool more = true; more;) {
    auto *raw = new zmq_msg_t;
    zmq_msg_init (raw);
    Part part (raw, [] (zmq_msg_t *m) {
      zmq_msg_close (m);
      delete m;
    });
    if (zmq_msg_recv (raw, socket, 0) < 0)
      fail_call ("zmq_msg_recv");
    more = zmq_msg_more (raw) != 0;
    if (message.size () < most_parts)
      message.push_back (std::move (part));
  }
  return message;
}

void Socket::send (zmq_msg_t &part, bool more)
{
  if (zmq_msg_send (&part, socket, more ? ZMQ_SNDMORE : 0) < 0)
    fail_call ("zmq_msg_send");
}

void Socket::wake () noexcept
{
  const uint64_t one = 1;
  [[maybe_unused]] const auto written = write (wakes, &one, sizeof one);
}

void Socket::drop () noexcept
{
  const int none = 0;
  if (socket)
    zmq_setsockopt (socket, ZMQ_LINGER, &none, sizeof none);
  close ();
}

void Socket::close () noexcept
{
  if (socket)
    zmq_close (std::exchange (socket, nullptr));
  if (context)
    while (zmq_ctx_term (context) != 0 && zmq_errno () == EINTR)
      ;
  context = nullptr;
}

} // namespace sino::zeromq
