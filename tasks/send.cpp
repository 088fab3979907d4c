// SPDX-License-Identifier: LGPL-3.0-or-later
// Sends the images of a stream over a network, as they come.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tasks/zeromq/sender.hpp"

namespace sino::send {
namespace {

using zeromq::Sender;

enum class Type : uint8_t { push, pub };

// The sender of the run, for the copy of the node that is told to end it.
struct Link {
  std::mutex mutex;
  std::weak_ptr<Sender> sender;
};

class SendWorker final : public SinkWorker
{
public:
  SendWorker (std::shared_ptr<Sender> s, const Format &format)
      : sender (std::move (s)), slices (format.kind () == Kind::slices),
        left (slices ? format.rows () : format.angles ())
  {
  }

  void take (const Block &in) override
  {
    const auto &format = in.format ();
    const FrameShape shape{format.element, slices ? format.extent (Axis::y) : format.extent (Axis::row),
                           slices ? format.extent (Axis::x) : format.extent (Axis::column)};
    const auto images = slices ? in.rows ().size () : in.angles ().size ();
    for (int64_t i = 0; i < images; i++, left--)
      sender->send (shape, slices ? in.rows ().at (i) : in.angles ().begin + i,
                    in.data () +
                        static_cast<size_t> (in.offset (slices ? 0 : i, slices ? i : 0)) * size_of (format.element));
  }

  void end () override
  {
    if (left == 0)
      sender->finish ();
  }

private:
  const std::shared_ptr<Sender> sender;
  const bool slices;
  int64_t left; // images
};

class Send final : public Sink, public Writes, public Embedded
{
public:
  static constexpr Info info{"send", "Send projections or slices over a network"};
  static constexpr Signature signature{.takes = {Kind::projections | Kind::slices, any_element}};

  std::string address;
  Type socket = Type::push;
  bool bind = true;
  double timeout = 60;

  static constexpr Nick<Type> socket_nicks[] = {{Type::push, "push"}, {Type::pub, "pub"}};
  static constexpr Property properties[] = {
      prop<&Send::address> ("address", "Where images go: tcp://HOST:PORT, or with bind tcp://*:PORT"),
      prop<&Send::socket> ("socket",
                           "Type of the socket: push, where each image goes to one receiver, or pub, where all that "
                           "listen get it and slow ones lose images",
                           socket_nicks),
      prop<&Send::bind> ("bind", "Whether receivers connect to the address; otherwise the node connects to it"),
      prop<&Send::timeout> ("timeout", "Longest time without a receiver that takes images, in seconds; 0: any time",
                            {0, 1e9}),
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    if (address.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "set address to where receivers find the images, like tcp://*:5555");
    if (address.starts_with ("ipc:")) // https://github.com/zeromq/libzmq/issues/4660
      fail (SINO_ERROR_BAD_PROPERTY,
            "address=%s: images that still wait in an ipc socket are lost when the sender ends; "
            "use tcp://127.0.0.1:PORT",
            shown (address).c_str ());
    image_bytes = image_of (*inputs[0]);
    return *inputs[0];
  }
  bool whole_projections () const override { return true; }
  bool serial () const override { return true; }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "messages that wait", image_bytes, static_cast<size_t> (zeromq::messages_that_wait (image_bytes)));
  }

  bool waits_outside () const override { return true; }
  void unlock () override
  {
    const std::lock_guard guard (link->mutex);
    if (const auto sender = link->sender.lock ())
      sender->stop ();
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    auto sender =
        std::make_shared<Sender> (zeromq::SocketSettings{.address = address,
                                                         .type = socket == Type::push ? ZMQ_PUSH : ZMQ_PUB,
                                                         .bind = bind,
                                                         .most_messages = zeromq::messages_that_wait (image_bytes),
                                                         .largest_message = -1,
                                                         .watched = socket == Type::push,
                                                         .linger = Sender::linger (timeout)},
                                  timeout);
    {
      const std::lock_guard guard (link->mutex);
      link->sender = sender;
    }
    replica.monitor.check (); // a cancellation before this could not end its waits
    return std::make_unique<SendWorker> (std::move (sender), *replica.inputs[0]);
  }

private:
  std::shared_ptr<Link> link = std::make_shared<Link> ();
  size_t image_bytes = 0;

  static size_t image_of (const Format &format)
  {
    const auto images = format.kind () == Kind::slices ? format.rows () : format.angles ();
    return static_cast<size_t> (format.bytes ()) / static_cast<size_t> (images);
  }
};

} // namespace

SINO_REGISTER (Send)

} // namespace sino::send
