// SPDX-License-Identifier: LGPL-3.0-or-later
// Receives one scan: a thread reads messages, decodes them, and puts frames into the queue of a run.
#pragma once
#include "glue/frames/frame-source.hpp"
#include "tasks/zeromq/decoders/decode.hpp"
#include "tasks/zeromq/report.hpp"
#include "tasks/zeromq/socket.hpp"
#include <set>
#include <thread>

namespace sino::zeromq {

// What the node says of the frames that it wants.
struct Wanted {
  SocketSettings socket;
  Protocol protocol = Protocol::any;
  std::optional<Element> element;
  int rows = 0, columns = 0; // 0: those of the first frame
  int first = 0;             // number of the first frame; -1: of the one that comes first
  int darks = 0, flats = 0;  // frames that come before the projections
  std::string angle;         // member of the header
  double timeout = 0;        // seconds without a message; 0: any
  double most_bytes = 0;     // that wait in the queue
  FrameSettings scan;
};

class Session : NoCopy
{
public:
  // Connects or binds, and begins. Throws.
  explicit Session (Wanted wanted);
  ~Session ();

  const std::shared_ptr<FrameFeed> feed = std::make_shared<FrameFeed> ();

  // Waits until the first projection has come, with the darks and flats before it. Throws Cancelled, or why none comes.
  void wait (const Monitor &monitor);
  // Shape of the frames; none before the first.
  std::optional<FrameShape> shape () const;
  bool over () const { return over_; }
  // Ends it from any thread, and returns at once.
  void stop () noexcept;
  // What became of all that came, as far as people should know.
  std::vector<std::string> messages () const;

private:
  const Wanted wanted;
  Report report;
  std::atomic<bool> over_{false}, stopped{false};
  mutable std::mutex mutex; // protects the members up to the empty line
  std::condition_variable changed;
  std::optional<FrameShape> known;
  std::exception_ptr failure;
  bool settled = false; // wait () is over
  std::unique_ptr<Socket> socket;

  Protocol protocol; // members of the thread
  std::optional<int64_t> first;
  std::atomic<int64_t> extras{0}; // darks and flats, which others may read
  int64_t projections = 0;
  int64_t seen = 0;          // number behind the newest projection that came, good or not
  std::set<int64_t> spoiled; // projections that came without good pixels
  std::thread thread;

  void work ();
  bool receive (Socket &from, Message &message);
  void take (const Message &message);
  std::optional<Decoded> decoded (std::span<const Bytes> parts);
  void take_start (const Decoded &start);
  void take_frame (const Decoded &frame, const Part &pixels);
  std::shared_ptr<const std::byte> memory_if_good (const Decoded &frame, const Part &part);
  bool place (const Decoded &frame, FrameKind &kind, int64_t &number);
  void keep_shape (const FrameShape &shape);
  void take_extra (Chunk frame, FrameKind kind);
  void push (Chunk frame);
  void pass (int64_t number);
  void settle ();
  void end_if_complete ();
  void end ();
  int64_t scan () const;
  int64_t window () const;
  int64_t room () const;
  int64_t within_scan (int64_t number) const;
};

} // namespace sino::zeromq
