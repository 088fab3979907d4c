// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/listener.hpp"
#include "base/error.hpp"
#include "base/files/pending.hpp"
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sino {

namespace {

constexpr int most_waiting = 128; // clients that connect at the same time

[[noreturn]] void refuse (const std::string &word, GError *error)
{
  const ErrorPtr owned (error);
  fail (SINO_ERROR_BAD_PROPERTY, "%s: nothing can listen there: %s", word.c_str (), owned->message);
}

ObjectPtr<GInetAddress> find_host (const std::string &word, const std::string &host)
{
  if (host.empty ())
    return ObjectPtr<GInetAddress> (g_inet_address_new_any (G_SOCKET_FAMILY_IPV4));
  if (auto *literal = g_inet_address_new_from_string (host.c_str ()))
    return ObjectPtr<GInetAddress> (literal);
  const ObjectPtr<GResolver> resolver (g_resolver_get_default ());
  GError *error = nullptr;
  auto *found = g_resolver_lookup_by_name (resolver.get (), host.c_str (), nullptr, &error);
  if (!found)
    refuse (word, error);
  ObjectPtr<GInetAddress> first (G_INET_ADDRESS (g_object_ref (found->data)));
  g_resolver_free_addresses (found);
  return first;
}

ObjectPtr<GSocketAddress> address_of (const std::string &word, const SocketPlace &place)
{
  if (place.path.empty ()) {
    const auto host = find_host (word, place.host);
    return ObjectPtr<GSocketAddress> (g_inet_socket_address_new (host.get (), static_cast<guint16> (place.port)));
  }
  sockaddr_un file{};
  file.sun_family = AF_UNIX;
  std::memcpy (static_cast<char *> (file.sun_path), place.path.c_str (), place.path.size ());
  return ObjectPtr<GSocketAddress> (g_socket_address_new_from_native (&file, sizeof file));
}

ObjectPtr<GSocket> socket_for (const std::string &word, GSocketAddress *address)
{
  GError *error = nullptr;
  ObjectPtr<GSocket> socket (
      g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &error));
  if (!socket)
    refuse (word, error);
  return socket;
}

// Removes the file of a process that was killed: a socket to which nobody listens.
void remove_left_over (const std::string &word, const std::string &path, GSocketAddress *address)
{
  struct stat about {
  };
  if (lstat (path.c_str (), &about) != 0 || !S_ISSOCK (about.st_mode))
    return;
  const auto probe = socket_for (word, address);
  GError *error = nullptr;
  if (!g_socket_connect (probe.get (), address, nullptr, &error) &&
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    unlink (path.c_str ());
  g_clear_error (&error);
}

} // namespace

void check_socket_path (const std::string &word, const std::string &path)
{
  if (path.empty () || path.size () >= sizeof sockaddr_un::sun_path)
    fail (SINO_ERROR_BAD_PROPERTY, "%s: the path of a socket has 1 to %zu bytes", word.c_str (),
          sizeof sockaddr_un::sun_path - 1);
}

Listener::Listener (const SocketPlace &place, const std::string &word, For whom) : owner (getpid ())
{
  const auto address = address_of (word, place);
  if (!place.path.empty ())
    remove_left_over (word, place.path, address.get ());
  listening = socket_for (word, address.get ());
  g_socket_set_blocking (listening.get (), FALSE);
  g_socket_set_listen_backlog (listening.get (), most_waiting);
  GError *error = nullptr;
  if (!g_socket_bind (listening.get (), address.get (), TRUE, &error))
    refuse (word, error);
  if (!place.path.empty ()) {
    const auto guard = Pending::get ().lock ();
    path = place.path;
    Pending::get ().files.insert (path);
  }
  // Nobody can connect before the socket listens.
  if (!path.empty () && whom == For::owner && chmod (path.c_str (), S_IRUSR | S_IWUSR) != 0)
    refuse (word, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, std::strerror (errno)));
  if (!g_socket_listen (listening.get (), &error))
    refuse (word, error);
}

Listener::~Listener ()
{
  if (path.empty () || getpid () != owner) // a child that was forked leaves the parent's file
    return;
  unlink (path.c_str ());
  const std::lock_guard guard (Pending::get ().mutex);
  Pending::get ().files.erase (path);
}

int Listener::port () const
{
  const ObjectPtr<GSocketAddress> address (g_socket_get_local_address (listening.get (), nullptr));
  return address && G_IS_INET_SOCKET_ADDRESS (address.get ())
             ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address.get ()))
             : 0;
}

} // namespace sino
