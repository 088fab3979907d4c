// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/address.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/text.hpp"

namespace sino::live {

static constexpr std::string_view tcp = "tcp://", local = "unix:";

SocketPlace parse_address (const std::string &word)
{
  SocketPlace place;
  if (word.starts_with (local)) {
    place.path = word.substr (local.size ());
    check_socket_path ("address=" + word, place.path);
    check_place_confined (place.path);
    return place;
  }
  const auto colon = word.rfind (':');
  int64_t port = 0;
  if (!word.starts_with (tcp) || colon < tcp.size () || !parse_integer (word.substr (colon + 1), port) || port < 1 ||
      port > 65535)
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "address=%s is no address: give tcp://localhost:PORT, tcp://*:PORT for clients on other machines, or unix:PATH",
        word.c_str ());
  place.port = static_cast<int> (port);
  place.host = word.substr (tcp.size (), colon - tcp.size ());
  if (place.host.starts_with ('[') && place.host.ends_with (']'))
    place.host = place.host.substr (1, place.host.size () - 2);
  if (place.host.empty () || place.host == "localhost")
    place.host = "127.0.0.1";
  else if (place.host == "*")
    place.host.clear ();
  return place;
}

} // namespace sino::live
