// SPDX-License-Identifier: LGPL-3.0-or-later
// Accepts clients, each for one request, and limits their number and their time. In the server's thread only.
#pragma once
#include "base/files/listener.hpp"
#include <chrono>
#include <libsoup/soup.h>
#include <list>
#include <optional>

namespace sino::monitor {

class Connections : NoCopy
{
public:
  Connections (GSocket *listening, SoupServer *server, GMainContext *context);
  ~Connections ();

  // Takes no further clients; ends all connections.
  void stop ();
  void end ();
  // A client's request has come completely.
  void read (SoupServerMessage *message);
  // Answers a request whose body has not come, and is not waited for, with a status alone: "413 Content Too Large".
  void send_away (SoupServerMessage *message, const char *status);
  // Ends connections whose request does not come.
  void tick ();

private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t most = 96;
  static constexpr auto for_request = std::chrono::seconds (10);
  static constexpr guint for_bytes = 30; // seconds in which a client must take or give something

  struct Client {
    ObjectPtr<GSocketConnection> connection;
    ObjectPtr<GSocketAddress> address;      // the object, which its message has, too
    std::optional<Clock::time_point> until; // none: its answer is made or sent
  };

  GSocket *const listening;
  SoupServer *const server;
  GSource *const arrivals;
  std::list<Client> clients;

  void accept ();
  void take (ObjectPtr<GSocket> socket);
  Client *find (SoupServerMessage *message);
  void add (ObjectPtr<GSocketConnection> connection);
};

} // namespace sino::monitor
