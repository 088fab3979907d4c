// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/server.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "filters/live/socket/answers.hpp"
#include <algorithm>

namespace sino::live {

static constexpr size_t most_clients = 32;
static constexpr guint look = 50; // milliseconds, for what nobody tells of: time, planes that are removed

Server::Server (const std::string &address, Board &b)
    : board (b), listener (std::in_place, parse_address (address), "address=" + address),
      context (g_main_context_new (), g_main_context_unref), pictures (b)
{
  waking = std::make_shared<const Board::Watch> (
      [context = context] (int, int64_t) { g_main_context_wakeup (context.get ()); });
  board.watch (waking);
  thread = start_thread ([this] { work (); });
}

Server::~Server ()
{
  end ("the run has ended early");
}

void Server::end (const std::string &why)
{
  constexpr auto second = std::chrono::seconds (1);
  {
    const std::lock_guard guard (mutex);
    const auto now = Clock::now ();
    if (!ending)
      ending = {.why = why, .pictures_until = why.empty () ? now + second : now, .until = now + 2 * second};
  }
  g_main_context_wakeup (context.get ());
  if (thread.joinable ())
    thread.join ();
  listener.reset ();
}

// --- the thread ---

namespace {

// A source of the main context, while this object exists.
class Source : NoCopy
{
public:
  Source (GSource *s, GSourceFunc call, GMainContext *context) : source (s)
  {
    g_source_set_callback (source, call, nullptr, nullptr);
    g_source_attach (source, context);
  }
  ~Source ()
  {
    g_source_destroy (source);
    g_source_unref (source);
  }

private:
  GSource *const source;
};

} // namespace

void Server::work ()
{
  const GSourceFunc at_a_time = [] (gpointer) -> gboolean { return G_SOURCE_CONTINUE; };
  const GSocketSourceFunc at_a_client = [] (GSocket *, GIOCondition, gpointer) -> gboolean {
    return G_SOURCE_CONTINUE;
  };
  const Source time (g_timeout_source_new (look), at_a_time, context.get ());
  const Source connections (g_socket_create_source (listener->socket (), G_IO_IN, nullptr), G_SOURCE_FUNC (at_a_client),
                            context.get ());
  for (bool over = false; !over;) {
    try {
      g_main_context_iteration (context.get (), TRUE);
      accept ();
      for (auto &client : clients)
        serve (client);
      over = say_end ();
    } catch (const std::exception &) { // such as a lack of memory: the run goes on, its clients do not
      clients.clear ();
    }
    clients.remove_if ([] (const Client &client) { return client.gone (); });
  }
  clients.clear ();
}

void Server::accept ()
{
  GError *error = nullptr;
  while (auto *socket = g_socket_accept (listener->socket (), nullptr, &error)) {
    auto &client = clients.emplace_back (ObjectPtr<GSocket> (socket), context.get ());
    if (clients.size () > most_clients) {
      client.send (error_line (Error (SINO_ERROR_FAILED, text ("there are %zu clients already", most_clients))));
      client.finish ();
    }
    if (clients.size () > 2 * most_clients) // those who are sent away and do not go
      clients.pop_back ();
  }
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)) // as where the process has no descriptors left
    std::this_thread::sleep_for (std::chrono::milliseconds (look));
  g_error_free (error);
}

void Server::serve (Client &client)
{
  while (!client.finishing () && !client.sending ())
    try {
      if (client.pull) {
        if (client.input_ended ()) // it may have gone
          client.pull->until = std::min (client.pull->until.value_or (Clock::time_point::max ()),
                                         client.last_input () + Client::patience);
        if (!answer_pull (client))
          return;
      } else if (const auto line = client.line ())
        handle (client, *line);
      else {
        if (client.input_ended ())
          client.finish ();
        return;
      }
    } catch (const Error &e) {
      client.pull.reset ();
      client.send (error_line (e));
      if (client.is_too_long ())
        client.finish ();
    }
}

void Server::handle (Client &client, const std::string &line)
{
  if (!line.starts_with ('{')) { // as in what a browser sends for a page, of which no later line may count
    client.send (
        error_line (Error (SINO_ERROR_BAD_FORMAT, "a request is a JSON object on one line: {\"list\": true}")));
    return client.finish ();
  }
  const auto answer = [&] (const auto &request) {
    using Kind = std::decay_t<decltype (request)>;
    if constexpr (std::is_same_v<Kind, Pull>)
      return void (client.pull = request);
    else
      client.send (answer_to (request, board));
  };
  std::visit (answer, parse_request (line));
}

// Whether the client has got its answer. A further request ends the wait for a picture.
bool Server::answer_pull (Client &client)
{
  const auto pull = *client.pull;
  if (auto sent = pictures.get (pull)) {
    client.versions[pull.number] = sent->picture.version;
    client.pull.reset ();
    auto words = picture_line (*sent);
    client.send (std::move (words), std::move (sent));
    return true;
  }
  if (!client.has_more () && !(pull.until && Clock::now () >= *pull.until))
    return false;
  client.pull.reset ();
  client.send (nothing_line (pull.number));
  return true;
}

// --- the end ---

bool Server::is_behind (const Client &client) const
{
  const auto newest = board.versions ();
  return std::ranges::any_of (client.versions, [&] (const auto &has) {
    const auto found = newest.find (has.first);
    return found != newest.end () && found->second > has.second;
  });
}

// Returns whether all clients know of the end of the run, or do not listen.
bool Server::say_end ()
{
  std::optional<Ending> now;
  {
    const std::lock_guard guard (mutex);
    now = ending;
  }
  if (!now)
    return false;
  for (auto &client : clients)
    if (!client.finishing () && !client.sending () && !(Clock::now () < now->pictures_until && is_behind (client))) {
      client.send (ended_line (now->why));
      client.finish ();
    }
  return clients.empty () || Clock::now () > now->until;
}

} // namespace sino::live
