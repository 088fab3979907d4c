// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/sender.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/threads.hpp"
#include <cstring>

namespace sino::zeromq {

using std::chrono::milliseconds;

// The socket while its last messages leave.
struct Sender::Closing {
  std::unique_ptr<Socket> socket;
  bool closed = false;
};

static const char *type_name (Element element)
{
  constexpr const char *names[] = {"uint8", "uint16", "float16", "float32"};
  return names[static_cast<size_t> (element)];
}

Sender::Sender (const SocketSettings &settings, double seconds)
    : address (settings.address), timeout (seconds), socket (std::make_unique<Socket> (settings))
{
}

Sender::~Sender ()
{
  if (socket)
    socket->drop ();
}

int Sender::linger (double timeout)
{
  constexpr double most = 1e6, more = 2; // seconds
  return timeout > 0 ? static_cast<int> ((std::min (timeout, most) + more) * 1000) : -1;
}

void Sender::fail_late () const
{
  fail (SINO_ERROR_FAILED, "no receiver at address=%s has taken a message for %g s (timeout)", shown (address).c_str (),
        timeout);
}

void Sender::wait_for_room (bool last)
{
  const auto most = timeout > 0 ? milliseconds (static_cast<int64_t> (timeout * 1000)) : milliseconds (-1);
  const auto event = socket->wait (ZMQ_POLLOUT, most);
  {
    const std::lock_guard guard (told->mutex);
    if (told->stopped)
      throw Cancelled ();
  }
  if (event == Socket::Event::late)
    fail_late ();
  if (event == Socket::Event::gone && !last)
    fail (SINO_ERROR_FAILED, "a receiver at address=%s went away: images that waited for it are lost",
          shown (address).c_str ());
  if (event == Socket::Event::gone) // perhaps after it had all that it wanted
    wait_for_room (last);
}

void Sender::put (const void *bytes, size_t size, bool more)
{
  zmq_msg_t part;
  if (zmq_msg_init_size (&part, size) != 0)
    throw std::bad_alloc ();
  std::memcpy (zmq_msg_data (&part), bytes, size);
  socket->send (part, more);
}

void Sender::send (const FrameShape &shape, int64_t number, const std::byte *pixels)
{
  const auto header = text (R"({"htype": "array-1.0", "shape": [%lld, %lld], "type": "%s", "frame": %lld})",
                            static_cast<long long> (shape.rows), static_cast<long long> (shape.columns),
                            type_name (shape.element), static_cast<long long> (number));
  wait_for_room (false);
  put (header.data (), header.size (), true);
  put (pixels, shape.bytes (), false);
}

void Sender::finish ()
{
  constexpr std::string_view end = R"({"end": true})";
  wait_for_room (true);
  put (end.data (), end.size (), false);
  const auto closing = std::make_shared<Closing> ();
  {
    const std::lock_guard guard (told->mutex);
    closing->socket = std::move (socket);
  }
  // Nothing ends the wait for the last messages to leave. So it is done by a thread of its own, which is left behind if
  // the run ends before.
  start_thread ([closing, told = told] {
    closing->socket.reset ();
    const std::lock_guard guard (told->mutex);
    closing->closed = true;
    told->changed.notify_all ();
  }).detach ();
  std::unique_lock held (told->mutex);
  const auto over = [&] { return closing->closed || told->stopped; };
  if (timeout > 0 && !told->changed.wait_for (held, std::chrono::duration<double> (timeout), over))
    fail_late ();
  told->changed.wait (held, over);
  if (told->stopped)
    throw Cancelled ();
}

void Sender::stop () noexcept
{
  const std::lock_guard guard (told->mutex);
  told->stopped = true;
  if (socket)
    socket->wake ();
  told->changed.notify_all ();
}

} // namespace sino::zeromq
