// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/connections.hpp"
#include <sys/socket.h>

namespace sino::monitor {

namespace {

// Sends a short answer without HTTP's help, as far as that does not wait, and ends the connection.
void say_goodbye (GSocketConnection *connection, const char *status)
{
  const auto words = std::string ("HTTP/1.1 ") + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  g_socket_send_with_blocking (g_socket_connection_get_socket (connection), words.data (), words.size (), FALSE,
                               nullptr, nullptr);
  g_socket_shutdown (g_socket_connection_get_socket (connection), TRUE, TRUE, nullptr);
}

} // namespace

Connections::Connections (GSocket *socket, SoupServer *s, GMainContext *context)
    : listening (socket), server (s), arrivals (g_socket_create_source (socket, G_IO_IN, nullptr))
{
  const GSocketSourceFunc arrived = [] (GSocket *, GIOCondition, gpointer self) -> gboolean {
    static_cast<Connections *> (self)->accept ();
    return G_SOURCE_CONTINUE;
  };
  g_source_set_callback (arrivals, G_SOURCE_FUNC (arrived), this, nullptr);
  g_source_attach (arrivals, context);
}

Connections::~Connections ()
{
  stop ();
  g_source_unref (arrivals);
  end ();
}

void Connections::stop ()
{
  g_source_destroy (arrivals);
}

void Connections::end ()
{
  for (auto &client : clients)
    g_socket_shutdown (g_socket_connection_get_socket (client.connection.get ()), TRUE, TRUE, nullptr);
}

void Connections::accept ()
{
  while (auto *socket = g_socket_accept (listening, nullptr, nullptr))
    take (ObjectPtr<GSocket> (socket));
}

void Connections::take (ObjectPtr<GSocket> socket)
{
  ObjectPtr<GSocketConnection> connection (g_socket_connection_factory_create_connection (socket.get ()));
  clients.remove_if (
      [] (const Client &client) { return !g_socket_connection_is_connected (client.connection.get ()); });
  if (clients.size () >= most)
    return say_goodbye (connection.get (), "503 Service Unavailable");
  g_socket_set_timeout (socket.get (), for_bytes);
  add (std::move (connection));
}

void Connections::add (ObjectPtr<GSocketConnection> connection)
{
  auto *socket = g_socket_connection_get_socket (connection.get ());
  const ObjectPtr<GSocketAddress> here (g_socket_get_local_address (socket, nullptr));
  auto *stream = G_IO_STREAM (connection.get ());
  auto *there = g_socket_get_remote_address (socket, nullptr);
  clients.push_back ({std::move (connection), ObjectPtr<GSocketAddress> (there), Clock::now () + for_request});
  soup_server_accept_iostream (server, stream, here.get (), there, nullptr); // this may read the request at once
}

Connections::Client *Connections::find (SoupServerMessage *message)
{
  const auto *address = soup_server_message_get_remote_address (message);
  for (auto &client : clients)
    if (client.address.get () == address)
      return &client;
  return nullptr;
}

void Connections::read (SoupServerMessage *message)
{
  if (auto *client = find (message))
    client->until.reset ();
}

void Connections::send_away (SoupServerMessage *message, const char *status)
{
  if (auto *client = find (message))
    say_goodbye (client->connection.get (), status);
}

// Whether a client that has not asked yet has gone: libsoup does not look before the first byte.
static bool has_gone (GSocketConnection *connection)
{
  char byte = 0;
  return recv (g_socket_get_fd (g_socket_connection_get_socket (connection)), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void Connections::tick ()
{
  clients.remove_if ([] (const Client &client) {
    if (!g_socket_connection_is_connected (client.connection.get ()))
      return true;
    if (!client.until || (Clock::now () < *client.until && !has_gone (client.connection.get ())))
      return false;
    say_goodbye (client.connection.get (), "408 Request Timeout");
    return true;
  });
}

} // namespace sino::monitor
