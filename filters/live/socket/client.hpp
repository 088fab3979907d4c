// SPDX-License-Identifier: LGPL-3.0-or-later
// The connection to a client: lines that come, and lines and pictures that go. Nothing here waits.
#pragma once
#include "base/pointers.hpp"
#include "filters/live/socket/sent-pictures.hpp"
#include <chrono>
#include <gio/gio.h>
#include <map>

namespace sino::live {

class Client : NoCopy
{
public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto patience = std::chrono::seconds (5);

  // Works in this main context, the thread's default.
  Client (ObjectPtr<GSocket> socket, GMainContext *context);
  ~Client ();

  // --- what comes ---
  // The next line, without its end. Throws if it is too long.
  std::optional<std::string> line ();
  bool is_too_long () const;
  // Whether there is a line, or one that is too long.
  bool has_more () const;
  bool input_ended () const { return ended; }
  Clock::time_point last_input () const { return heard; }

  // --- what goes ---
  void send (std::string words, std::shared_ptr<const SentPicture> picture = nullptr);
  bool sending () const { return !words.empty () || picture; }
  // Takes no further line, and closes the connection when all is sent.
  void finish ();
  bool finishing () const { return finished; }
  // Whether the connection is closed, or takes nothing any more.
  bool gone () const;

  // --- what it waits for and has got ---
  std::optional<Pull> pull;
  std::map<int, int64_t> versions; // of the planes that it has pulled

private:
  const ObjectPtr<GSocket> socket;
  GMainContext *const context;
  GSource *source = nullptr;
  GIOCondition watched{};
  std::string come; // lines
  bool ended = false, finished = false, broken = false;
  std::string words; // to send, and after them the picture
  std::shared_ptr<const SentPicture> picture;
  size_t sent = 0;                         // bytes of the words and the picture
  Clock::time_point moved = Clock::now (); // when it took the last byte
  Clock::time_point begun = moved;         // when the answer was given
  Clock::time_point heard = moved;         // when something came from it

  void watch ();
  void move (GIOCondition condition);
  void receive ();
  void send_more ();
  void shut ();
  void check (GError *error);
};

} // namespace sino::live
