// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/pool.hpp"
#include "stream/host-buffer.hpp"

namespace sino {

Pool::Pool (Monitor &m, int64_t count, Make maker) : monitor (m), most (count), make (std::move (maker)) {}

std::shared_ptr<Buffer> Pool::take ()
{
  auto lock = monitor.lock ();
  monitor.wait (lock, given_back, [this] { return free (); });
  return take (std::move (lock));
}

std::shared_ptr<Buffer> Pool::take_if_free ()
{
  auto lock = monitor.lock ();
  return free () ? take (std::move (lock)) : nullptr;
}

std::shared_ptr<Buffer> Pool::take (Monitor::Lock held)
{
  std::unique_ptr<Buffer> buffer;
  if (!unused.empty ()) {
    buffer = std::move (unused.back ());
    unused.pop_back ();
  } else {
    unused.reserve (static_cast<size_t> (made + 1)); // then returning a buffer allocates nothing and cannot throw
    made++;
  }
  held.unlock ();
  if (!buffer)
    buffer = make_one ();
  return {buffer.release (), [pool = weak_from_this ()] (Buffer *used) {
            std::unique_ptr<Buffer> back (used); // frees the buffer if the pool no longer exists
            if (const auto self = pool.lock ())
              self->give_back (std::move (back));
          }};
}

std::unique_ptr<Buffer> Pool::make_one ()
{
  auto buffer = make ();
  if (auto *host = dynamic_cast<HostBuffer *> (buffer.get ()))
    host->left = [pool = weak_from_this ()] {
      if (const auto self = pool.lock ())
        self->make_another ();
    };
  return buffer;
}

std::vector<std::span<std::byte>> Pool::make_ahead (int64_t count)
{
  std::vector<std::span<std::byte>> memory;
  for (auto lock = monitor.lock (); made < std::min (count, most);) {
    unused.reserve (static_cast<size_t> (++made));
    lock.unlock ();
    auto buffer = make_one ();
    memory.emplace_back (buffer->data, buffer->data ? buffer->size : 0);
    lock.lock ();
    unused.push_back (std::move (buffer));
  }
  return memory;
}

void Pool::make_another ()
{
  const auto lock = monitor.lock ();
  made--;
  monitor.changed (given_back);
}

void Pool::give_back (std::unique_ptr<Buffer> buffer)
{
  if (const auto *host = dynamic_cast<const HostBuffer *> (buffer.get ()); host && host->kept ())
    return;
  const auto lock = monitor.lock ();
  unused.push_back (std::move (buffer));
  monitor.changed (given_back);
}

void Channel::push (Block block)
{
  const auto lock = monitor.lock ();
  shown = {};
  waiting.push_back (std::move (block));
  level++;
  monitor.changed (arrived);
}

void Channel::show (const Filling &filled)
{
  const auto lock = monitor.lock ();
  shown = filled;
  monitor.changed (arrived);
}

std::optional<Filling> Channel::filling (int64_t projections)
{
  auto lock = monitor.lock ();
  monitor.wait (lock, arrived, [&] { return !waiting.empty () || shown.projections > projections; });
  return waiting.empty () ? std::optional (shown) : std::nullopt;
}

Block Channel::pop ()
{
  auto lock = monitor.lock ();
  monitor.wait (lock, arrived, [this] { return !waiting.empty (); });
  Block block = std::move (waiting.front ());
  waiting.erase (waiting.begin ());
  level--;
  return block;
}

} // namespace sino
