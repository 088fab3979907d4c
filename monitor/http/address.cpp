// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/address.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <filesystem>

namespace sino::monitor {

static constexpr std::string_view local = "unix:";

// "user@host", as the other computer names this one.
static std::string this_machine ()
{
  return std::string (g_get_user_name ()) + "@" + g_get_host_name ();
}

std::string ssh_line (const SocketPlace &place, int port)
{
  const auto here = !place.path.empty ()  ? shell_word (place.path)
                    : place.host == "::1" ? text ("[::1]:%d", port)
                                          : text ("localhost:%d", port);
  return text ("ssh -N -L %d:%s %s", place.path.empty () ? port : 8080, here.c_str (), this_machine ().c_str ());
}

SocketPlace parse_address (const std::string &word)
{
  SocketPlace place;
  if (word.starts_with (local)) {
    const auto path = word.substr (local.size ());
    check_socket_path (word, path);
    place.path = std::filesystem::absolute (path).lexically_normal ().string ();
    check_socket_path (word, place.path);
    return place;
  }
  place.host = "127.0.0.1";
  const auto colon = word.rfind (':');
  const auto host = colon == word.npos ? "" : word.substr (0, colon);
  int64_t port = 0;
  if (!word.empty () &&
      (!parse_integer (colon == word.npos ? word : word.substr (colon + 1), port) || port < 0 || port > 65535))
    fail (SINO_ERROR_BAD_PROPERTY, "%s is no address for the page: give PORT or unix:PATH", word.c_str ());
  place.port = static_cast<int> (port);
  if (host == "[::1]")
    place.host = "::1";
  else if (!host.empty () && host != "localhost" && host != "127.0.0.1")
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "%s: the page is only for this machine, because whoever reaches it can read and run: give the port alone, and "
        "open it from another computer by '%s'",
        word.c_str (), ssh_line (place, place.port).c_str ());
  return place;
}

} // namespace sino::monitor
