// SPDX-License-Identifier: LGPL-3.0-or-later
// Serves the page over HTTP in a thread of its own, with libsoup. Answers are made in other threads, a few at a time.
#pragma once
#include "base/monitor.hpp"
#include "monitor/http/address.hpp"
#include "monitor/http/events.hpp"
#include "monitor/http/guard.hpp"
#include <libsoup/soup.h>
#include <map>
#include <thread>

namespace sino::monitor {

class Connections;

// What the page shows.
class Site
{
public:
  virtual ~Site () = default;
  // Any thread, several at a time. `wanted` is cancelled when nobody waits for the answer any more. Throws Error.
  virtual Answer answer (const Request &request, const Monitor &wanted) = 0;
  // The state as JSON, for events; quick, in the server's thread. "": as before.
  virtual std::string state () = 0;
};

class Server : NoCopy
{
public:
  Server (const SocketPlace &place, const std::string &word, Site &site);
  ~Server ();

  // Address to open, with its token; for a Unix socket what a browser opens once it leads there.
  const std::string &url () const { return url_; }
  int port () const { return listener.port (); }

private:
  static constexpr int answers_at_once = 4;
  static constexpr size_t most_waiting = 64; // requests

  struct Job;
  using Context = std::unique_ptr<GMainContext, Deleter<g_main_context_unref>>;

  Site &site;
  Guard guard;
  Listener listener;
  std::string url_;
  Context context;
  std::atomic<bool> ending{false};
  std::thread thread;
  GThreadPool *workers = nullptr, *controllers = nullptr;

  // Members that only the server's thread uses.
  ObjectPtr<SoupServer> soup;
  std::unique_ptr<Connections> connections;
  std::unique_ptr<Events> events;
  std::map<SoupServerMessage *, std::shared_ptr<Job>> jobs;

  void work ();
  void settle ();
  std::string state () noexcept;
  void take (SoupServerMessage *message, bool early);
  void begin (SoupServerMessage *message, Request request);
  void make_answer (Job &job) noexcept;
  void finish (const std::shared_ptr<Job> &job);
};

} // namespace sino::monitor
