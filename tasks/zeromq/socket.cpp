// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/socket.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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

Message receive_from (void *socket)
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
  if (settings.watched)
    watch ();
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
  if (settings.bind)
    bind_file ();
}

static uint64_t number_of_file (const std::string &path)
{
  struct stat about;
  return stat (path.c_str (), &about) == 0 && S_ISSOCK (about.st_mode) ? about.st_ino : 0;
}

void Socket::bind_file ()
{
  constexpr std::string_view ipc = "ipc://";
  if (!settings.address.starts_with (ipc))
    return;
  file = settings.address.substr (ipc.size ());
  file_number = number_of_file (file);
}

void Socket::watch ()
{
  constexpr const char *name = "inproc://peers";
  constexpr int events = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                         ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
  if (zmq_socket_monitor (socket, name, events) != 0)
    fail_call ("zmq_socket_monitor");
  monitor = zmq_socket (context, ZMQ_PAIR);
  if (!monitor || zmq_connect (monitor, name) != 0)
    fail_call ("zmq_connect");
}

// Reads what the monitor tells. What fails its handshake was no peer, and it is told of that before it goes away.
bool Socket::peer_gone ()
{
  bool gone = false;
  int in_monitor = 0;
  for (size_t size = sizeof in_monitor;
       zmq_getsockopt (monitor, ZMQ_EVENTS, &in_monitor, &size) == 0 && (in_monitor & ZMQ_POLLIN) != 0;) {
    const auto message = receive_from (monitor);
    uint16_t event = 0;
    if (const auto told = bytes_of (message.front ()); told.size () >= sizeof event)
      std::memcpy (&event, told.data (), sizeof event);
    if (event == ZMQ_EVENT_DISCONNECTED)
      gone = !std::exchange (stranger, false) || gone;
    else
      stranger = true;
  }
  return gone;
}

void Socket::set (int option, int value)
{
  if (zmq_setsockopt (socket, option, &value, sizeof value) != 0)
    fail_call ("zmq_setsockopt");
}

Socket::Event Socket::wait (short direction, std::chrono::milliseconds time)
{
  zmq_pollitem_t items[] = {{socket, 0, direction, 0}, {nullptr, wakes, ZMQ_POLLIN, 0}, {monitor, 0, ZMQ_POLLIN, 0}};
  if (zmq_poll (items, monitor ? 3 : 2, static_cast<long> (time.count ())) < 0) {
    if (zmq_errno () == EINTR)
      return Event::late;
    fail_call ("zmq_poll");
  }
  if (items[1].revents != 0)
    return Event::woken;
  if (items[2].revents != 0) {
    if (peer_gone ())
      return Event::gone;
    return items[0].revents != 0 ? Event::ready : wait (direction, time);
  }
  return items[0].revents != 0 ? Event::ready : Event::late;
}

Message Socket::receive ()
{
  return receive_from (socket);
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
  if (monitor) {
    zmq_socket_monitor (socket, nullptr, 0); // first, because events without a reader would wait for one
    zmq_close (std::exchange (monitor, nullptr));
  }
  if (socket)
    zmq_close (std::exchange (socket, nullptr));
  if (file_number != 0 && number_of_file (file) == std::exchange (file_number, 0))
    unlink (file.c_str ());
  if (context)
    while (zmq_ctx_term (context) != 0 && zmq_errno () == EINTR)
      ;
  context = nullptr;
}

} // namespace sino::zeromq
