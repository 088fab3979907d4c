// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/server.hpp"
#include "base/text.hpp"
#include "base/threads.hpp"
#include "glue/program/signals.hpp"
#include "monitor/http/connections.hpp"
#include "monitor/http/files.hpp"
#include <optional>

namespace sino::monitor {

static constexpr goffset longest_body = 65536;
static constexpr size_t longest_query = 8192;
static constexpr auto patience = std::chrono::milliseconds (500); // for answers at the end

// A request whose answer is made, shared by the server's thread and the one that makes it.
struct Server::Job {
  Server *server;
  SoupServerMessage *message; // held by `jobs` of the server
  Request request;
  Monitor wanted;
  Answer answer;
  gulong finished = 0; // signal handler
};

Server::Server (const SocketPlace &place, const std::string &word, Site &s)
    : site (s), listener (place, word, Listener::For::owner), context (g_main_context_new ())
{
  const int number = place.path.empty () ? listener.port () : 8080;
  guard.set_port (number);
  url_ = text ("http://%s:%d/?token=%s", place.host == "::1" ? "[::1]" : "localhost", number, guard.token ().c_str ());
  const GFunc answering = [] (gpointer job, gpointer self) {
    const std::unique_ptr<std::shared_ptr<Job>> held (static_cast<std::shared_ptr<Job> *> (job));
    auto *server = static_cast<Server *> (self);
    server->make_answer (**held);
    call_in (server->context.get (), [server, job = *held] { server->finish (job); });
  };
  workers = g_thread_pool_new (answering, this, answers_at_once, FALSE, nullptr);
  controllers = g_thread_pool_new (answering, this, 1, FALSE, nullptr);
  thread = start_thread ([this] { work (); });
}

Server::~Server ()
{
  ending = true;
  g_main_context_wakeup (context.get ());
  thread.join ();
}

// --- the thread ---

void Server::work ()
{
  g_main_context_push_thread_default (context.get ());
  soup.reset (soup_server_new ("server-header", "Sinograph", nullptr));
  connections = std::make_unique<Connections> (listener.socket (), soup.get (), context.get ());
  events = std::make_unique<Events> ([this] { return state (); });
  settle ();
  GSource *timer = g_timeout_source_new (static_cast<guint> (Events::period.count ()));
  const GSourceFunc tick = [] (gpointer self) -> gboolean {
    auto *server = static_cast<Server *> (self);
    server->events->tick ();
    server->connections->tick ();
    return G_SOURCE_CONTINUE;
  };
  g_source_set_callback (timer, tick, this, nullptr);
  g_source_attach (timer, context.get ());
  while (!ending)
    g_main_context_iteration (context.get (), TRUE);
  connections->stop ();
  const auto until = std::chrono::steady_clock::now () + patience;
  const auto wait_until = [&] (auto &&ready) {
    while (!ready () && std::chrono::steady_clock::now () < until)
      g_main_context_iteration (context.get (), TRUE);
  };
  wait_until ([&] {
    events->tick (); // the last state
    return events->all_told ();
  });
  events->end ();
  wait_until ([&] { return jobs.empty (); }); // such as the request that has ended the run
  for (const auto &[message, job] : jobs)
    job->wanted.cancel ();
  g_thread_pool_free (workers, FALSE, TRUE);
  g_thread_pool_free (controllers, FALSE, TRUE);
  for (int i = 0; i < 100 && g_main_context_iteration (context.get (), FALSE); i++) // what is ready still goes
    ;
  connections->end ();
  soup_server_disconnect (soup.get ());
  while (g_main_context_iteration (context.get (), FALSE))
    ;
  g_source_destroy (timer);
  g_source_unref (timer);
  for (auto &[message, job] : jobs)
    g_object_unref (message);
  jobs.clear ();
  events.reset ();
  soup.reset ();
  connections.reset ();
  g_main_context_pop_thread_default (context.get ());
}

// The state of the page; what fails leaves it as it was.
std::string Server::state () noexcept
{
  try {
    return site.state ();
  } catch (...) {
    return {};
  }
}

void Server::settle ()
{
  const SoupServerCallback early = [] (SoupServer *, SoupServerMessage *message, const char *, GHashTable *,
                                       gpointer s) { static_cast<Server *> (s)->take (message, true); };
  const SoupServerCallback complete = [] (SoupServer *, SoupServerMessage *message, const char *, GHashTable *,
                                          gpointer s) { static_cast<Server *> (s)->take (message, false); };
  soup_server_add_early_handler (soup.get (), "/", early, this, nullptr);
  soup_server_add_handler (soup.get (), "/", complete, this, nullptr);
  const auto read = +[] (SoupServer *, SoupServerMessage *message, gpointer s) {
    static_cast<Server *> (s)->connections->read (message);
  };
  g_signal_connect (soup.get (), "request-read", G_CALLBACK (read), this);
}

namespace {

std::string header (SoupServerMessage *message, const char *name)
{
  const char *word = soup_message_headers_get_list (soup_server_message_get_request_headers (message), name);
  return word ? word : "";
}

// The name by which the client calls this machine. A whole address in the first line of a request counts as well.
std::string host_of (SoupServerMessage *message)
{
  const auto host = header (message, "Host");
  const char *whole = g_uri_get_host (soup_server_message_get_uri (message));
  return whole && !host.starts_with (whole) && !host.starts_with (std::string ("[") + whole) ? whole : host;
}

Request request_of (SoupServerMessage *message)
{
  auto *uri = soup_server_message_get_uri (message);
  Request request{.method = soup_server_message_get_method (message), .path = g_uri_get_path (uri)};
  if (const char *words = g_uri_get_query (uri)) {
    if (std::string_view (words).size () > longest_query)
      throw Refused (414, "the address is too long");
    const std::unique_ptr<GHashTable, Deleter<g_hash_table_unref>> table (soup_form_decode (words));
    GHashTableIter at;
    gpointer name = nullptr, value = nullptr;
    for (g_hash_table_iter_init (&at, table.get ()); g_hash_table_iter_next (&at, &name, &value);)
      request.query.emplace (static_cast<const char *> (name), static_cast<const char *> (value));
  }
  return request;
}

// The status for a body that is not read; null: it is.
const char *refused_body (SoupServerMessage *message)
{
  auto *headers = soup_server_message_get_request_headers (message);
  const auto encoding = soup_message_headers_get_encoding (headers);
  if (encoding == SOUP_ENCODING_CONTENT_LENGTH)
    return soup_message_headers_get_content_length (headers) > longest_body ? "413 Content Too Large" : nullptr;
  return encoding == SOUP_ENCODING_NONE ? nullptr : "411 Length Required";
}

void respond (SoupServerMessage *message, const Answer &answer)
{
  auto *headers = soup_server_message_get_response_headers (message);
  for (const auto &[name, value] : std::initializer_list<std::pair<const char *, const char *>>{
           {"Cache-Control", "no-store"}, // unless the answer says otherwise
           {"Connection", "close"},       // libsoup keeps only connections that it has accepted itself
           {"Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors http://localhost:* http://127.0.0.1:* 'self'"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Referrer-Policy", "no-referrer"},
           {"X-Content-Type-Options", "nosniff"}})
    soup_message_headers_replace (headers, name, value);
  for (const auto &[name, value] : answer.headers)
    soup_message_headers_replace (headers, name.c_str (), value.c_str ());
  soup_message_headers_set_content_type (headers, answer.type.c_str (), nullptr);
  soup_server_message_set_status (message, static_cast<guint> (answer.status), nullptr);
  auto *body = soup_server_message_get_response_body (message);
  soup_message_body_truncate (body);
  if (answer.size == 0)
    return;
  using Owner = std::shared_ptr<const void>;
  auto *bytes = g_bytes_new_with_free_func (
      answer.bytes, answer.size, [] (gpointer owner) { delete static_cast<Owner *> (owner); },
      new Owner (answer.owner));
  soup_message_body_append_bytes (body, bytes);
  g_bytes_unref (bytes);
}

} // namespace

// Called when the head of a request is there, and again when all is there. Refusals come before the body is read.
void Server::take (SoupServerMessage *message, bool early)
{
  if (!early && soup_server_message_get_status (message) != SOUP_STATUS_NONE)
    return;
  try {
    auto request = request_of (message);
    const Credentials given{host_of (message), header (message, "Origin"), header (message, "Cookie")};
    if (ending)
      throw Refused (503, "the page ends");
    const auto stopped = guard.stop (request, given);
    if (stopped)
      respond (message, *stopped);
    else if (!early)
      begin (message, std::move (request));
    else if (const char *refused = refused_body (message))
      connections->send_away (message, refused);
  } catch (const Refused &refused) {
    respond (message, Answer::of_error (refused.status, refused.what ()));
  }
}

void Server::begin (SoupServerMessage *message, Request request)
{
  if (request.path == "/" && request.method == "GET")
    return respond (message, first_page (guard.folder (), state ()));
  if (auto file = static_file (request))
    return respond (message, *file);
  if (request.path == "/events" && request.method == "GET") {
    if (events->full ())
      throw Refused (503, "too many pages are open");
    events->add (message);
    return;
  }
  if (jobs.size () >= most_waiting)
    throw Refused (503, "too many requests wait");
  const auto *body = soup_server_message_get_request_body (message);
  request.body.assign (body->data ? body->data : "", static_cast<size_t> (body->length));
  auto job = std::make_shared<Job> ();
  job->server = this;
  job->message = SOUP_SERVER_MESSAGE (g_object_ref (message));
  job->request = request;
  const auto gone = +[] (SoupServerMessage *, gpointer job_) { static_cast<Job *> (job_)->wanted.cancel (); };
  job->finished = g_signal_connect (message, "finished", G_CALLBACK (gone), job.get ());
  jobs.emplace (message, job);
  soup_server_message_pause (message);
  // What controls a run does not wait behind slices.
  g_thread_pool_push (request.path.starts_with ("/run/") ? controllers : workers, new std::shared_ptr<Job> (job),
                      nullptr);
}

// --- other threads ---

void Server::make_answer (Job &job) noexcept
{
  try {
    try {
      job.wanted.check ();
      job.answer = site.answer (job.request, job.wanted);
    } catch (const Refused &refused) {
      job.answer = Answer::of_error (refused.status, refused.what ());
    } catch (const Error &error) {
      job.answer = Answer::of_error (500, error.what ());
    } catch (const Cancelled &) {
      job.answer = Answer::of_error (503, "nobody waits for this any more");
    } catch (const std::bad_alloc &) {
      job.answer = Answer::of_error (503, "out of memory");
    } catch (const std::exception &error) {
      job.answer = Answer::of_error (500, error.what ());
    }
  } catch (...) { // no memory for the message
    job.answer = Answer{.status = 503};
  }
}

void Server::finish (const std::shared_ptr<Job> &job)
{
  const auto found = jobs.find (job->message);
  if (found == jobs.end ())
    return;
  const ObjectPtr<SoupServerMessage> message (job->message);
  jobs.erase (found);
  g_signal_handler_disconnect (message.get (), job->finished);
  if (job->wanted.cancelled ())
    return;
  respond (message.get (), job->answer);
  soup_server_message_unpause (message.get ());
}

} // namespace sino::monitor
