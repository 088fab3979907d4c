// SPDX-License-Identifier: LGPL-3.0-or-later
// Takes the frames of a scan from a network, as they come.
#include "base/error.hpp"
#include "glue/frames/frame-source.hpp"
#include "glue/module.hpp"
#include "tasks/zeromq/session.hpp"

namespace sino::receive {
namespace {

using zeromq::Protocol;
using zeromq::Session;

enum class Type : uint8_t { any, u8, u16, f16, f32 };
enum class Kind : uint8_t { pull, sub };

// The session of the run that has the node, for the copies of the node in this run.
struct Link {
  std::mutex mutex;
  std::weak_ptr<Session> session;
  // Whether a plan without frames assumes darks and flats that nothing but headers will announce.
  bool supposes_extras = false;
};

// Darks or flats that will come.
class Expected final : public Frames
{
public:
  Expected (const FrameShape &shape, int number)
  {
    element = shape.element;
    rows = shape.rows;
    columns = shape.columns;
    count = number;
  }
  void read (Interval, Interval, void *, const Watch &) const override
  {
    fail (SINO_ERROR_FAILED, "the darks and flats have not come yet");
  }
};

// Puts out the frames, and says at the end what became of all that came.
class ReceiveWorker final : public Worker
{
public:
  ReceiveWorker (std::unique_ptr<Worker> w, std::shared_ptr<Session> s, Messages &m)
      : worker (std::move (w)), session (std::move (s)), messages (m)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    const AtEnd tell ([this] {
      for (auto &text : session->messages ())
        messages.add (std::move (text));
    });
    worker->run (inputs, output);
  }

private:
  const std::unique_ptr<Worker> worker;
  const std::shared_ptr<Session> session;
  Messages &messages;
};

class Receive final : public FrameSource
{
public:
  static constexpr Info info{"receive", "Take the frames of a scan from a network"};
  static constexpr Signature signature{.gives = {sino::Kind::projections, any_element}};

  bool gathers () const override { return true; }
  void gather (const Monitor &monitor) override;
  bool suppose (int64_t projections) override;
  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<std::string> warnings () const override;
  void shared_memory (Bill &bill) const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;
  void unlock () override;
  void abandon (const std::string &why) override;
  FrameShape shape () const override;

private:
  std::string address, angle_field;
  Kind socket = Kind::pull;
  bool bind = false;
  Protocol protocol = Protocol::any;
  Type element = Type::any;
  int rows = 0, columns = 0, first = 0, darks = 0, flats = 0;
  FrameSettings scan;
  double max_bytes = 256 << 20, timeout = 0;

  std::shared_ptr<Link> link = std::make_shared<Link> ();
  std::shared_ptr<Session> session; // changes under the mutex of `link`

  const char *name () const override { return info.name; }
  const FrameSettings &settings () const override { return scan; }
  const char *angles_from () const override { return angle_field.empty () ? nullptr : "angle-field"; }
  double most_bytes () const override;
  bool knows_shape () const { return session || (element != Type::any && rows > 0 && columns > 0); }
  std::optional<Element> wanted_element () const;
  zeromq::Wanted wanted () const;
  int most_messages () const;
  std::shared_ptr<Session> current ();

public:
  static constexpr Nick<Kind> socket_nicks[] = {{Kind::pull, "pull"}, {Kind::sub, "sub"}};
  static constexpr Nick<Protocol> protocol_nicks[] = {{Protocol::any, "auto"},        {Protocol::array, "array-1.0"},
                                                      {Protocol::concert, "concert"}, {Protocol::recastx, "recastx"},
                                                      {Protocol::sls, "sls"},         {Protocol::odin, "odin"},
                                                      {Protocol::eiger, "eiger-2"}};
  static constexpr Nick<Type> element_nicks[] = {
      {Type::any, "auto"}, {Type::u8, "u8"}, {Type::u16, "u16"}, {Type::f16, "f16"}, {Type::f32, "f32"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&Receive::address> ("address", "Where frames come from: tcp://HOST:PORT or ipc://PATH"),
          prop<&Receive::socket> (
              "socket", "Type of the socket: pull for senders that push, sub for those that publish", socket_nicks),
          prop<&Receive::bind> ("bind", "Whether senders connect to the address; otherwise the node connects to it"),
          prop<&Receive::protocol> ("protocol", "Protocol of the messages; auto: by the first header", protocol_nicks),
          prop<&Receive::element> ("element", "Type of the values; auto: that of the first frame", element_nicks),
          prop<&Receive::rows> ("rows", "Rows of a frame; 0: those of the first frame", {0, zeromq::most_pixels}),
          prop<&Receive::columns> ("columns", "Columns of a frame; 0: those of the first frame",
                                   {0, zeromq::most_pixels}),
          prop<&Receive::first> ("first", "Number of the first frame; -1: of the frame that comes first",
                                 {-1, 1 << 30}),
          prop<&Receive::darks> ("darks", "Dark frames before the projections, which are numbered before them",
                                 {0, 1 << 20}),
          prop<&Receive::flats> ("flats", "Flat frames between darks and projections, numbered like them",
                                 {0, 1 << 20}),
      },
      group<&Receive::scan> (),
      std::array{
          prop<&Receive::angle_field> (
              "angle-field", "Number in the header of each frame with its angle in degrees; empty: there is none"),
          prop<&Receive::max_bytes> ("max-bytes", "Bytes of frames that may wait for the run, at least four frames",
                                     {1, 1e15}),
          prop<&Receive::timeout> ("timeout", "Longest time without a message, in seconds; 0: any time", {0, 1e9}),
      });
};

std::optional<Element> Receive::wanted_element () const
{
  constexpr Element elements[] = {Element::u8, Element::u16, Element::f16, Element::f32};
  if (element == Type::any)
    return {};
  return elements[static_cast<size_t> (element) - 1];
}

FrameShape Receive::shape () const
{
  if (session)
    return *session->shape ();
  if (!knows_shape ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the size of frames is known when the first has come: set rows, columns and element for "
          "a plan before that");
  return {*wanted_element (), rows, columns};
}

double Receive::most_bytes () const
{
  constexpr double fewest = 4;
  return knows_shape () ? std::max (max_bytes, fewest * static_cast<double> (shape ().bytes ())) : max_bytes;
}

zeromq::Wanted Receive::wanted () const
{
  if (address.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "set address to where frames come from, like tcp://camera:5555");
  constexpr int64_t usual = 64 << 20, largest_pixel = 8;
  const bool sized = rows > 0 && columns > 0;
  const auto largest = sized ? std::max (usual, 2 * largest_pixel * rows * columns) : zeromq::most_bytes;
  return {.socket = {.address = address,
                     .type = socket == Kind::pull ? ZMQ_PULL : ZMQ_SUB,
                     .bind = bind,
                     .most_messages = most_messages (),
                     .largest_message = largest,
                     .linger = 0},
          .protocol = protocol,
          .element = wanted_element (),
          .rows = rows,
          .columns = columns,
          .first = first,
          .darks = darks,
          .flats = flats,
          .angle = angle_field,
          .timeout = timeout,
          .most_bytes = max_bytes,
          .scan = scan};
}

int Receive::most_messages () const
{
  const auto type = wanted_element ();
  if (!type || rows == 0 || columns == 0)
    return zeromq::fewest_messages;
  return zeromq::messages_that_wait (FrameShape{*type, rows, columns}.bytes ());
}

// --- before the run ---

// Two suppositions follow each other: an error that is the same with darks and flats and without them is one of the
// graph.
bool Receive::suppose (int64_t projections)
{
  const std::lock_guard guard (link->mutex);
  link->supposes_extras = !link->supposes_extras;
  return FrameSource::suppose (projections) && knows_shape ();
}

void Receive::gather (const Monitor &monitor)
{
  {
    const std::lock_guard guard (link->mutex);
    if (const auto other = link->session.lock (); other && !other->over ())
      fail (SINO_ERROR_FAILED, "another run is receiving its frames: use a separate object for each simultaneous run");
    session = std::make_shared<Session> (wanted ());
    link->session = session;
    shared = session->feed;
  }
  session->wait (monitor);
  if (needs_all ())
    FrameSource::gather (monitor);
}

Format Receive::negotiate (std::span<const Format *const> inputs)
{
  bool more = false;
  {
    const std::lock_guard guard (link->mutex);
    more = link->supposes_extras;
    if (auto fresh = link->session.lock (); fresh && fresh->shape ()) {
      session = std::move (fresh);
      shared = session->feed;
    }
  }
  if (!session)
    wanted ();
  auto format = FrameSource::negotiate (inputs);
  if (!session && (darks > 0 || more))
    format.companions.darks = std::make_shared<Expected> (shape (), std::max (darks, 1));
  if (!session && (flats > 0 || more))
    format.companions.flats = std::make_shared<Expected> (shape (), std::max (flats, 1));
  return format;
}

// --- plan and run ---

std::vector<std::string> Receive::warnings () const
{
  if (session && gathered)
    return session->messages ();
  if (scan.order == FrameOrder::any && scan.missing != Lost::fail && timeout == 0)
    return {
        "with order=any, a frame that is lost among the last ones is waited for without end: set timeout, unless the "
        "sender sends an end message"};
  return {};
}

void Receive::shared_memory (Bill &bill) const
{
  FrameSource::shared_memory (bill);
  if (gathered)
    return;
  constexpr size_t between = 2; // one that comes in, and one that is decoded
  add_bytes (bill, "messages that wait", shape ().bytes (), static_cast<size_t> (most_messages ()) + between);
}

std::unique_ptr<Worker> Receive::start (const Replica &replica)
{
  if (!session)
    fail (SINO_ERROR_BAD_GRAPH, "it cannot be inside another node, because it waits for frames before the run begins");
  auto worker = FrameSource::start (replica);
  if (gathered)
    return worker;
  return std::make_unique<ReceiveWorker> (std::move (worker), session, replica.messages);
}

std::shared_ptr<Session> Receive::current ()
{
  const std::lock_guard guard (link->mutex);
  return session;
}

void Receive::unlock ()
{
  if (const auto own = current ()) {
    own->stop ();
    own->feed->queue.unlock (this);
  }
}

void Receive::abandon (const std::string &why)
{
  if (const auto own = current ()) {
    own->stop ();
    own->feed->queue.close (this, why);
  }
}

} // namespace

SINO_REGISTER (Receive)

} // namespace sino::receive
