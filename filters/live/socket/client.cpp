// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/client.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <array>

namespace sino::live {

static constexpr size_t longest_line = 4096;
static constexpr double least_rate = 1e6;                  // bytes per second
static constexpr auto farewell = std::chrono::seconds (1); // for one that shall close its end

Client::Client (ObjectPtr<GSocket> s, GMainContext *c) : socket (std::move (s)), context (c)
{
  g_socket_set_blocking (socket.get (), FALSE);
  watch ();
}

Client::~Client ()
{
  if (source) {
    g_source_destroy (source);
    g_source_unref (source);
  }
}

std::optional<std::string> Client::line ()
{
  const auto end = come.find ('\n');
  if (is_too_long ())
    fail (SINO_ERROR_BAD_FORMAT, "a request has at most %zu bytes", longest_line);
  if (end == come.npos)
    return {};
  auto words = come.substr (0, end);
  come.erase (0, end + 1);
  if (words.ends_with ('\r'))
    words.pop_back ();
  watch ();
  return words;
}

bool Client::is_too_long () const
{
  return std::min (come.find ('\n'), come.size ()) > longest_line;
}

bool Client::has_more () const
{
  return is_too_long () || come.find ('\n') != come.npos;
}

void Client::send (std::string some, std::shared_ptr<const SentPicture> p)
{
  words = std::move (some);
  picture = std::move (p);
  sent = 0;
  moved = begun = Clock::now ();
  send_more ();
  watch ();
}

void Client::finish ()
{
  finished = true;
  come.clear ();
  if (!sending ())
    shut ();
  watch ();
}

bool Client::gone () const
{
  const bool all_said = finished && !sending ();
  const auto bytes = words.size () + (picture ? picture->bytes ().size () : 0);
  const std::chrono::duration<double> most (static_cast<double> (bytes) / least_rate);
  return broken || (all_said && ended) || (sending () && Clock::now () - begun > patience + most) ||
         (all_said && Clock::now () - moved > farewell);
}

// The end of what goes. The connection stays until the client has closed its end, as what it has not read would be
// lost.
void Client::shut ()
{
  moved = Clock::now ();
  g_socket_shutdown (socket.get (), FALSE, TRUE, nullptr);
}

void Client::watch ()
{
  const bool reads = !ended && come.size () <= longest_line;
  const auto wanted = static_cast<GIOCondition> ((reads ? G_IO_IN : 0) | (sending () ? G_IO_OUT : 0));
  if (source && wanted == watched)
    return;
  if (source) {
    g_source_destroy (source);
    g_source_unref (source);
  }
  watched = wanted;
  source = g_socket_create_source (socket.get (), wanted, nullptr);
  const GSocketSourceFunc call = [] (GSocket *, GIOCondition condition, gpointer client) -> gboolean {
    static_cast<Client *> (client)->move (condition);
    return G_SOURCE_CONTINUE;
  };
  g_source_set_callback (source, G_SOURCE_FUNC (call), this, nullptr);
  g_source_attach (source, context);
}

void Client::move (GIOCondition condition)
{
  if (condition & G_IO_IN)
    receive ();
  else if (condition & (G_IO_HUP | G_IO_ERR | G_IO_NVAL))
    broken = true;
  if (condition & G_IO_OUT)
    send_more ();
  watch ();
}

void Client::receive ()
{
  std::array<char, longest_line> some;
  GError *error = nullptr;
  const auto size = g_socket_receive (socket.get (), some.data (), some.size (), nullptr, &error);
  if (size > 0 && !finished)
    come.append (some.data (), static_cast<size_t> (size));
  ended = ended || size == 0;
  heard = Clock::now ();
  check (error);
}

// Only that nothing can be moved now is no reason to end.
void Client::check (GError *error)
{
  const ErrorPtr owned (error);
  broken = broken || (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK));
}

void Client::send_more ()
{
  const auto body = picture ? picture->bytes () : std::span<const std::byte> ();
  while (sending () && !broken) {
    const bool in_words = sent < words.size ();
    const auto *from =
        in_words ? words.data () + sent : reinterpret_cast<const char *> (body.data ()) + sent - words.size ();
    const auto left = in_words ? words.size () - sent : words.size () + body.size () - sent;
    GError *error = nullptr;
    const auto size = g_socket_send (socket.get (), from, left, nullptr, &error);
    check (error);
    if (size < 0)
      return;
    moved = Clock::now ();
    sent += static_cast<size_t> (size);
    if (sent == words.size () + body.size ()) {
      words.clear ();
      picture.reset ();
      if (finished)
        shut ();
    }
  }
}

} // namespace sino::live
