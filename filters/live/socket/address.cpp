// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/address.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/text.hpp"
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sino::live {

static constexpr std::string_view tcp = "tcp://", local = "unix:";

Address parse_address (const std::string &word)
{
  Address address;
  if (word.starts_with (local)) {
    address.path = word.substr (local.size ());
    if (address.path.empty () || address.path.size () >= sizeof sockaddr_un::sun_path)
      fail (SINO_ERROR_BAD_PROPERTY, "address=%s: the path of a socket has 1 to %zu bytes", word.c_str (),
            sizeof sockaddr_un::sun_path - 1);
    check_place_confined (address.path);
    return address;
  }
  const auto colon = word.rfind (':');
  int64_t port = 0;
  if (!word.starts_with (tcp) || colon < tcp.size () || !parse_integer (word.substr (colon + 1), port) || port < 1 ||
      port > 65535)
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "address=%s is no address: give tcp://localhost:PORT, tcp://*:PORT for clients on other machines, or unix:PATH",
        word.c_str ());
  address.port = static_cast<int> (port);
  address.host = word.substr (tcp.size (), colon - tcp.size ());
  if (address.host.starts_with ('[') && address.host.ends_with (']'))
    address.host = address.host.substr (1, address.host.size () - 2);
  if (address.host.empty () || address.host == "localhost")
    address.host = "127.0.0.1";
  else if (address.host == "*")
    address.host.clear ();
  return address;
}

namespace {

[[noreturn]] void refuse (const std::string &word, GError *error)
{
  const ErrorPtr owned (error);
  fail (SINO_ERROR_BAD_PROPERTY, "address=%s: nothing can listen there: %s", word.c_str (), owned->message);
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

ObjectPtr<GSocketAddress> native (const std::string &word, const Address &address)
{
  if (address.path.empty ()) {
    const auto host = find_host (word, address.host);
    return ObjectPtr<GSocketAddress> (g_inet_socket_address_new (host.get (), static_cast<guint16> (address.port)));
  }
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  std::memcpy (static_cast<char *> (place.sun_path), address.path.c_str (), address.path.size ());
  return ObjectPtr<GSocketAddress> (g_socket_address_new_from_native (&place, sizeof place));
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

Listener::Listener (const std::string &word)
{
  const auto address = parse_address (word);
  const auto place = native (word, address);
  if (!address.path.empty ())
    remove_left_over (word, address.path, place.get ());
  listening = socket_for (word, place.get ());
  g_socket_set_blocking (listening.get (), FALSE);
  GError *error = nullptr;
  if (!g_socket_bind (listening.get (), place.get (), TRUE, &error))
    refuse (word, error);
  path = address.path;
  if (!g_socket_listen (listening.get (), &error))
    refuse (word, error);
}

Listener::~Listener ()
{
  if (!path.empty ())
    unlink (path.c_str ());
}

} // namespace sino::live
