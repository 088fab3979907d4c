// SPDX-License-Identifier: LGPL-3.0-or-later
// Who may use the page: docs/design/monitor.md.
#pragma once
#include "monitor/http/request.hpp"
#include <optional>

namespace sino::monitor {

// Headers that decide; "" where there is none.
struct Credentials {
  std::string host, origin, cookies;
};

class Guard
{
public:
  Guard ();

  // The word in the printed address, which gives the cookie.
  const std::string &token () const { return token_; }

  // Set before the first request. The cookie has the port in its name, because cookies are for all ports of a machine.
  void set_port (int port);

  // The folder of all addresses but the printed one: "/0123.../". Browsers send the cookie to no other, so that servers
  // at other ports, of other users, do not get it.
  const std::string &folder () const { return folder_; }

  // The answer to a request that goes no further: it is refused, or gets the cookie. The path of others becomes that
  // behind the folder, "/state".
  std::optional<Answer> stop (Request &request, const Credentials &given) const;

private:
  std::string token_, secret, folder_, cookie;

  bool knows (const std::string &cookies) const;
};

} // namespace sino::monitor
