// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/guard.hpp"
#include "base/text.hpp"
#include <array>
#include <sys/random.h>

namespace sino::monitor {

namespace {

// 128 random bits as text.
std::string random_word ()
{
  std::array<unsigned char, 16> bytes{};
  if (getrandom (bytes.data (), bytes.size (), 0) != static_cast<ssize_t> (bytes.size ()))
    fail (SINO_ERROR_FAILED, "the system gives no random numbers");
  std::string word;
  for (const auto byte : bytes)
    word += text ("%02x", byte);
  return word;
}

// Takes the same time wherever the words differ.
bool equal (const std::string &a, const std::string &b)
{
  unsigned char difference = a.size () == b.size () ? 0 : 1;
  for (size_t i = 0; i < std::min (a.size (), b.size ()); i++)
    difference = static_cast<unsigned char> (difference | (a[i] ^ b[i]));
  return difference == 0;
}

// "localhost:8080" -> "localhost"
std::string name_in (const std::string &host)
{
  const auto bracket = host.find (']');
  return host.substr (0, host.starts_with ('[') && bracket != host.npos ? bracket + 1 : host.find (':'));
}

// Whether a Host header names this machine: the page of another site, whose name leads to this machine for once, has
// the name of that site.
bool is_loopback (const std::string &host)
{
  const auto name = lower_case (name_in (host));
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

} // namespace

Guard::Guard ()
    : token_ (random_word ()), secret (random_word ()), folder_ ("/" + random_word () + "/"), cookie ("sinograph")
{
}

void Guard::set_port (int port)
{
  cookie = text ("sinograph-%d", port);
}

bool Guard::knows (const std::string &cookies) const
{
  bool known = false;
  each_word (cookies, "; ", [&] (std::string_view word) {
    if (word.starts_with (cookie + "="))
      known = known || equal (std::string (word.substr (cookie.size () + 1)), secret);
  });
  return known;
}

std::optional<Answer> Guard::stop (Request &request, const Credentials &given) const
{
  if (!is_loopback (given.host))
    return Answer::of_error (403, "the page is at localhost: open the address that was printed");
  if (request.method != "GET" && request.method != "POST") {
    auto answer = Answer::of_error (405, "only GET and POST are known here");
    answer.headers.emplace_back ("Allow", "GET, POST");
    return answer;
  }
  const bool foreign = given.origin != "http://" + given.host;
  if (foreign && (request.method == "POST" || !given.origin.empty ()))
    return Answer::of_error (403, "the request comes from another page");
  if (request.method == "GET" && request.path == "/" && request.has ("token")) {
    if (!equal (request.word ("token"), token_))
      return Answer::of_error (401, "this is the address of an earlier page: open the one that was printed last");
    auto answer = Answer::of_text ("", "text/plain", 303);
    answer.headers.emplace_back ("Location", folder_);
    answer.headers.emplace_back ("Set-Cookie", cookie + "=" + secret + "; HttpOnly; SameSite=Strict; Path=" + folder_);
    return answer;
  }
  if (!request.path.starts_with (folder_) || !knows (given.cookies))
    return Answer::of_error (401, "open the address that was printed, with its token");
  request.path.erase (0, folder_.size () - 1);
  return {};
}

} // namespace sino::monitor
