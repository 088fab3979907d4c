// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scanners/xml-elements.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/text-file.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include <exception>
#include <vector>

namespace sino::files {

namespace {

class Elements
{
public:
  explicit Elements (const TakeElement &t) : take (t) {}

  void begin (const char *name)
  {
    constexpr size_t deepest = 64;
    if (open.size () == deepest)
      fail (SINO_ERROR_BAD_FILE, "its elements are more than %zu deep", deepest);
    step_unless_cancelled ();
    const std::string whole (name);
    open.push_back (whole.substr (whole.rfind (':') + 1)); // npos + 1 is 0
    content.clear ();
  }

  void text (const char *more, gsize length) { content.append (more, length); }

  void end ()
  {
    const auto name = std::move (open.back ());
    open.pop_back ();
    take (open.empty () ? std::string () : open.back (), name, content);
    content.clear ();
  }

  std::exception_ptr failure;

  // Exceptions must not pass through GLib.
  template <class Body> static void guarded (gpointer self, GError **error, Body body)
  {
    auto &elements = *static_cast<Elements *> (self);
    try {
      body (elements);
    } catch (...) {
      elements.failure = std::current_exception ();
      g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "");
    }
  }

private:
  const TakeElement &take;
  std::vector<std::string> open;
  std::string content;
};

} // namespace

// A scan of a whole turn takes less than one MiB. What is kept of a file takes up to 20 times its size.
static constexpr size_t longest_description = size_t{4} << 20;

void each_element (const std::string &path, const TakeElement &take)
{
  static constexpr GMarkupParser callbacks = {
      .start_element = [] (GMarkupParseContext *, const gchar *name, const gchar **, const gchar **, gpointer self,
                           GError **error) { Elements::guarded (self, error, [&] (Elements &e) { e.begin (name); }); },
      .end_element = [] (GMarkupParseContext *, const gchar *, gpointer self,
                         GError **error) { Elements::guarded (self, error, [] (Elements &e) { e.end (); }); },
      .text = [] (GMarkupParseContext *, const gchar *text, gsize length, gpointer self,
                  GError **error) { Elements::guarded (self, error, [&] (Elements &e) { e.text (text, length); }); },
      .passthrough = nullptr,
      .error = nullptr,
  };
  const auto content = from_windows (read_text ("the description of a scan", path, longest_description));
  Elements elements (take);
  const std::unique_ptr<GMarkupParseContext, Deleter<g_markup_parse_context_free>> context (
      g_markup_parse_context_new (&callbacks, G_MARKUP_DEFAULT_FLAGS, &elements, nullptr));
  GError *error = nullptr;
  const bool good = g_markup_parse_context_parse (context.get (), content.data (), std::ssize (content), &error) &&
                    g_markup_parse_context_end_parse (context.get (), &error);
  const ErrorPtr owned (error);
  if (elements.failure)
    std::rethrow_exception (elements.failure);
  if (!good)
    fail (SINO_ERROR_BAD_FILE, "%s is not XML: %s", in_quotes (path).c_str (), owned->message);
}

} // namespace sino::files
