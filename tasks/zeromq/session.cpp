// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/session.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/threads.hpp"

namespace sino::zeromq {

namespace {

FrameShape shape_of (const Decoded &frame)
{
  return {frame.samples.element (), frame.rows, frame.columns};
}

std::string named (const Decoded &frame, const std::string &what)
{
  return text ("frame %lld, %s", static_cast<long long> (frame.number), what.c_str ());
}

// The pixels where they lie in the message if they are those of the stream, else a copy that is.
std::shared_ptr<const std::byte> memory_of (const Decoded &frame, const Part &part)
{
  const auto &samples = frame.samples;
  const bool aligned = reinterpret_cast<uintptr_t> (frame.pixels.data ()) % sino::size_of (samples.element ()) == 0;
  // Where the message has other channels, too, it would hold more memory than the frame.
  const bool alone = bytes_of (part).size () <= shape_of (frame).bytes () * 3 / 2;
  if (frame.packing == Packing::none && samples.plain () && !samples.swapped && aligned && alone)
    return {part, frame.pixels.data ()};
  // NOLINTNEXTLINE(modernize-avoid-c-arrays)
  std::shared_ptr<std::byte[]> to (new std::byte[shape_of (frame).bytes ()]);
  unpack (frame, to.get ());
  return {to, to.get ()};
}

} // namespace

Session::Session (Wanted w)
    : wanted (std::move (w)), socket (std::make_unique<Socket> (wanted.socket)), protocol (wanted.protocol)
{
  if (wanted.first >= 0)
    first = wanted.first;
  thread = start_thread ([this] { work (); });
}

Session::~Session ()
{
  stop ();
  thread.join ();
}

void Session::wait (const Monitor &monitor)
{
  constexpr auto step = std::chrono::milliseconds (100);
  std::unique_lock held (mutex);
  while (!changed.wait_for (held, step, [this] { return settled || failure || stopped || over_; }))
    monitor.step ();
  monitor.check ();
  if (stopped)
    throw Cancelled ();
  if (!settled && failure)
    std::rethrow_exception (failure);
  if (!known)
    fail (SINO_ERROR_SHORT_SCAN, "the scan ended before its first frame");
}

std::optional<FrameShape> Session::shape () const
{
  const std::lock_guard held (mutex);
  return known;
}

std::vector<std::string> Session::messages () const
{
  auto all = report.messages (feed->queue);
  if (const auto expected = wanted.darks + wanted.flats; extras < expected)
    all.push_back (
        text ("%lld of %d darks and flats did not come", expected - static_cast<long long> (extras), expected));
  return all;
}

void Session::stop () noexcept
{
  stopped = true;
  const std::lock_guard held (mutex);
  if (socket)
    socket->wake ();
  changed.notify_all ();
}

// --- the thread ---

void Session::work ()
{
  try {
    Message message;
    while (!over_ && receive (*socket, message))
      take (message);
  } catch (const Cancelled &) { // whoever stopped it knows
  } catch (...) {
    feed->queue.forsake (std::current_exception ());
    const std::lock_guard held (mutex);
    failure = std::current_exception ();
  }
  over_ = true;
  std::unique_ptr<Socket> old;
  const std::lock_guard held (mutex);
  old = std::move (socket);
  changed.notify_all ();
}

// Waits for a message; false: the scan has ended for lack of messages.
bool Session::receive (Socket &from, Message &message)
{
  using namespace std::chrono;
  message.clear (); // frames that nobody uses any more
  const auto begin = steady_clock::now ();
  while (true) {
    auto left = milliseconds (-1);
    if (wanted.timeout > 0)
      left = std::max (milliseconds (0),
                       ceil<milliseconds> (duration<double> (wanted.timeout) - (steady_clock::now () - begin)));
    const auto event = from.wait (ZMQ_POLLIN, left);
    if (stopped)
      throw Cancelled ();
    if (event == Socket::Event::ready) {
      message = from.receive ();
      return true;
    }
    if (left.count () != 0)
      continue;
    const auto all = scan ();
    const bool whole = all > 0 && seen >= all; // only lost frames have not come
    if (projections > 0 && (whole || wanted.scan.short_scan == ShortScan::finish)) {
      end ();
      return false;
    }
    fail (SINO_ERROR_SHORT_SCAN, "no frame has come from address=%s for %g s (timeout), after %lld projections",
          shown (wanted.socket.address).c_str (), wanted.timeout, static_cast<long long> (projections));
  }
}

std::optional<Decoded> Session::decoded (std::span<const Bytes> parts)
{
  try {
    if (protocol == Protocol::any)
      protocol = protocol_of (parts).value_or (Protocol::any);
    return decode (protocol, parts, wanted.angle);
  } catch (const Error &e) {
    // Nothing could be read so far: this is the wrong protocol, or the wrong address.
    if (extras + projections == 0)
      fail (SINO_ERROR_BAD_FORMAT, "the first message from address=%s cannot be read with protocol=%s: %s",
            shown (wanted.socket.address).c_str (), name_of (wanted.protocol), e.what ());
    report.add (Report::What::unreadable, e.what ());
    return unreadable (protocol, parts);
  }
}

void Session::take (const Message &message)
{
  std::vector<Bytes> parts;
  for (const auto &part : message)
    parts.push_back (bytes_of (part));
  const auto said = decoded (parts);
  if (!said)
    return;
  switch (said->what) {
  case Decoded::What::nothing:
    break;
  case Decoded::What::start:
    take_start (*said);
    break;
  case Decoded::What::end:
    end ();
    break;
  case Decoded::What::broken:
  case Decoded::What::unreadable:
  case Decoded::What::frame:
    take_frame (*said, message[std::min<size_t> (1, message.size () - 1)]);
    break;
  }
}

void Session::take_start (const Decoded &start)
{
  if (extras + projections > 0) // that of the next scan
    return end ();
  const std::lock_guard guard (feed->mutex);
  const auto frames = std::max<int64_t> (0, start.frames - wanted.darks - wanted.flats);
  feed->announced = frames;
  if (!start.angle_step || wanted.scan.angle_step != 0 || frames == 0)
    return;
  Geometry turned;
  for (int64_t i = 0; i < frames; i++)
    turned.angles.push_back (radians (start.angle_start.value_or (0) + static_cast<double> (i) * *start.angle_step));
  feed->geometry = std::make_shared<const Geometry> (std::move (turned));
}

// What a frame is, and its number among the projections. False if it comes before the first one.
bool Session::place (const Decoded &frame, FrameKind &kind, int64_t &number)
{
  if (!first)
    first = frame.number;
  kind = frame.kind;
  number = frame.number - *first;
  if (number < 0)
    return false;
  if (kind != FrameKind::unknown)
    return true;
  kind = number < wanted.darks                  ? FrameKind::dark
         : number < wanted.darks + wanted.flats ? FrameKind::flat
                                                : FrameKind::projection;
  number -= wanted.darks + wanted.flats;
  return true;
}

// The first frame says what the others are.
void Session::keep_shape (const FrameShape &shape)
{
  if (known)
    return;
  const FrameShape asked{wanted.element.value_or (shape.element), wanted.rows > 0 ? wanted.rows : shape.rows,
                         wanted.columns > 0 ? wanted.columns : shape.columns};
  if (!(asked == shape))
    fail (SINO_ERROR_BAD_FORMAT, "the first frame is %s, but rows, columns and element say %s: correct or remove them",
          shape.describe ().c_str (), asked.describe ().c_str ());
  const std::lock_guard held (mutex);
  known = shape;
}

void Session::take_frame (const Decoded &frame, const Part &pixels)
{
  FrameKind kind;
  int64_t number = 0;
  const bool counts = place (frame, kind, number);
  keep_shape (shape_of (frame));
  const bool projects = kind == FrameKind::projection;
  const auto all = scan ();
  if (!counts || (projects && all > 0 && number >= all)) {
    report.add (Report::What::outside, text ("frame %lld", static_cast<long long> (frame.number)));
    // It says that the scan is over, unless it comes before the scan.
    return counts && projections > 0 ? pass (number) : void ();
  }
  auto pixels_of_frame = memory_if_good (frame, pixels);
  if (!pixels_of_frame) {
    if (!projects)
      return;
    spoiled.insert (number);
    return pass (number);
  }
  Chunk chunk;
  chunk.memory = std::move (pixels_of_frame);
  chunk.shape = *known;
  chunk.count = 1;
  if (!projects)
    return take_extra (std::move (chunk), kind);
  spoiled.erase (number);
  seen = std::max (seen, number + 1);
  chunk.number = number;
  if (frame.angle)
    chunk.angles = {*frame.angle};
  push (std::move (chunk));
  end_if_complete ();
}

// The pixels of a frame; none if it is not as the others, which is reported.
std::shared_ptr<const std::byte> Session::memory_if_good (const Decoded &frame, const Part &part)
{
  if (frame.what == Decoded::What::unreadable)
    return {};
  const auto shape = shape_of (frame);
  if (!(shape == *known)) {
    report.add (Report::What::other, named (frame, shape.describe ()));
    return {};
  }
  if (frame.what == Decoded::What::broken) {
    report.add (Report::What::damaged, named (frame, "as its sender says"));
    return {};
  }
  try {
    return memory_of (frame, part);
  } catch (const Error &e) {
    report.add (Report::What::damaged, named (frame, e.what ()));
    return {};
  }
}

void Session::take_extra (Chunk frame, FrameKind kind)
{
  extras++;
  if (settled)
    return report.add (Report::What::behind, kind == FrameKind::dark ? "a dark" : "a flat");
  const auto most = std::max (room (), (wanted.darks + wanted.flats) * static_cast<int64_t> (known->bytes ()));
  if (extras * static_cast<int64_t> (known->bytes ()) > most)
    fail (SINO_ERROR_MEMORY,
          "%lld darks and flats have come, and no projection: more than max-bytes=%.0f can hold; raise max-bytes",
          static_cast<long long> (extras), wanted.most_bytes);
  (kind == FrameKind::dark ? feed->darks : feed->flats).add (std::move (frame), feed->queue.next_number ());
}

// Bytes of frames that may wait.
int64_t Session::room () const
{
  constexpr int64_t fewest = 4;
  return std::max (static_cast<int64_t> (wanted.most_bytes), fewest * static_cast<int64_t> (known->bytes ()));
}

void Session::push (Chunk frame)
{
  projections++;
  const auto bounds = [this] {
    if (stopped)
      throw Cancelled ();
    return Bounds{.bytes = room (), .wait = settled, .scan = scan (), .window = window (), .repeats = true};
  };
  if (wanted.scan.order == FrameOrder::rising || extras >= wanted.darks + wanted.flats ||
      projections > wanted.scan.window)
    settle ();
  if (feed->queue.push (frame, bounds, {}) == FrameQueue::Pushed::full) {
    settle (); // the run has to take frames before more can come
    feed->queue.push (std::move (frame), bounds, {});
  }
}

// Takes notice of a projection that nothing is pushed for.
void Session::pass (int64_t number)
{
  seen = std::max (seen, number + 1);
  feed->queue.lose_before (within_scan (number - window ()));
  end_if_complete ();
}

// Ends the scan when all of its frames have come, or are known not to come.
void Session::end_if_complete ()
{
  const auto all = scan ();
  if (all == 0)
    return;
  const auto &queue = feed->queue;
  auto decided = queue.level ().pushed + std::distance (spoiled.lower_bound (queue.next_number ()), spoiled.end ());
  for (const auto &numbers : queue.lost ())
    decided += numbers.size ();
  if (decided >= all)
    end ();
}

int64_t Session::window () const
{
  return wanted.scan.order == FrameOrder::any ? wanted.scan.window : 0;
}

int64_t Session::within_scan (int64_t number) const
{
  const auto all = scan ();
  return all > 0 ? std::min (number, all) : number;
}

int64_t Session::scan () const
{
  const std::lock_guard guard (feed->mutex);
  return wanted.scan.frames > 0 ? wanted.scan.frames : feed->announced;
}

void Session::settle ()
{
  const std::lock_guard held (mutex);
  settled = true;
  changed.notify_all ();
}

void Session::end ()
{
  feed->queue.end_of_stream (within_scan (seen));
  over_ = true;
}

} // namespace sino::zeromq
