// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/files.hpp"
extern "C" { // what GLib generates is C
#include "monitor/monitor-page.h"
}

namespace sino::monitor {

namespace {

constexpr std::string_view folder = "/page/";

struct File {
  std::shared_ptr<const GBytes> owner;
  std::string_view content;
};

std::optional<File> find (const std::string &name)
{
  auto *bytes = g_resource_lookup_data (monitor_page_get_resource (), (std::string (folder) + name).c_str (),
                                        G_RESOURCE_LOOKUP_FLAGS_NONE, nullptr);
  if (!bytes)
    return {};
  gsize size = 0;
  const auto *data = static_cast<const char *> (g_bytes_get_data (bytes, &size));
  return File{{bytes, [] (GBytes *b) { g_bytes_unref (b); }}, {data, size}};
}

// Differs between any two versions of the files. It is in their addresses, so that browsers can keep them.
const std::string &version ()
{
  static const std::string digest = [] {
    const std::unique_ptr<GChecksum, Deleter<g_checksum_free>> sum (g_checksum_new (G_CHECKSUM_SHA256));
    const std::unique_ptr<char *, Deleter<g_strfreev>> names (g_resource_enumerate_children (
        monitor_page_get_resource (), std::string (folder).c_str (), G_RESOURCE_LOOKUP_FLAGS_NONE, nullptr));
    for (char **name = names.get (); name && *name; name++)
      if (const auto file = find (*name))
        g_checksum_update (sum.get (), reinterpret_cast<const guchar *> (file->content.data ()),
                           static_cast<gssize> (file->content.size ()));
    return std::string (g_checksum_get_string (sum.get ())).substr (0, 16);
  }();
  return digest;
}

const char *type_of (const std::string &name)
{
  return name.ends_with (".js")    ? "text/javascript; charset=utf-8"
         : name.ends_with (".css") ? "text/css; charset=utf-8"
                                   : "text/html; charset=utf-8";
}

} // namespace

Answer first_page (const std::string &place, const std::string &state)
{
  const auto file = find ("index.html");
  std::string page;
  for (size_t at = 0; at < file->content.size ();) {
    const auto next = std::min (file->content.find (folder, at), file->content.size ());
    page += file->content.substr (at, next - at);
    if (next < file->content.size ())
      page += place + std::string (folder.substr (1)) + version () + "/";
    at = next + folder.size ();
  }
  std::string data = "<script type=\"application/json\" id=\"state\">";
  for (const char c : state) // no text may end the element
    data += c == '<' ? std::string ("\\u003c") : std::string (1, c);
  page.insert (page.find ("</head>"), data + "</script>\n");
  return Answer::of_text (std::move (page), "text/html; charset=utf-8");
}

std::optional<Answer> static_file (const Request &request)
{
  if (request.method != "GET" || !request.path.starts_with (folder))
    return {};
  const auto name = request.path.substr (request.path.rfind ('/') + 1);
  const auto file = find (name);
  if (!file || request.path != std::string (folder) + version () + "/" + name)
    return Answer::of_error (404, "there is no such file");
  Answer answer{
      .type = type_of (name), .owner = file->owner, .bytes = file->content.data (), .size = file->content.size ()};
  answer.headers.emplace_back ("Cache-Control", "private, max-age=31536000, immutable");
  return answer;
}

} // namespace sino::monitor
