// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/events.hpp"
#include <algorithm>

namespace sino::monitor {

Events::~Events ()
{
  end ();
}

void Events::add (SoupServerMessage *message)
{
  auto *headers = soup_server_message_get_response_headers (message);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_headers_set_content_type (headers, "text/event-stream", nullptr);
  soup_server_message_set_status (message, SOUP_STATUS_OK, nullptr);
  soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
  auto &page =
      pages.emplace_back (Page{ObjectPtr<SoupServerMessage> (SOUP_SERVER_MESSAGE (g_object_ref (message))), this});
  page.told = Clock::now ();
  const auto written = +[] (SoupServerMessage *of, gpointer page_) {
    auto &own = *static_cast<Page *> (page_);
    own.ready = true;
    soup_server_message_pause (of);
  };
  const auto finished = +[] (SoupServerMessage *, gpointer page_) {
    auto *gone = static_cast<Page *> (page_);
    g_signal_handlers_disconnect_by_data (gone->message.get (), gone);
    gone->owner->pages.remove_if ([gone] (const Page &each) { return &each == gone; });
  };
  g_signal_connect (message, "wrote-headers", G_CALLBACK (written), &page);
  g_signal_connect (message, "wrote-chunk", G_CALLBACK (written), &page);
  g_signal_connect (message, "finished", G_CALLBACK (finished), &page);
}

void Events::send (Page &page, const std::string &words)
{
  page.ready = false;
  page.told = Clock::now ();
  soup_message_body_append (soup_server_message_get_response_body (page.message.get ()), SOUP_MEMORY_COPY,
                            words.data (), words.size ());
  soup_server_message_unpause (page.message.get ());
}

void Events::tick ()
{
  if (pages.empty ())
    return;
  if (auto fresh = find (); !fresh.empty () && fresh != state) {
    state = std::move (fresh);
    version++;
  }
  for (auto &page : pages)
    if (page.ready && page.has < version) {
      page.has = version;
      send (page, "event: state\ndata: " + state + "\n\n");
    } else if (page.ready && Clock::now () > page.told + silence)
      send (page, ": still here\n\n");
}

bool Events::all_told () const
{
  return std::ranges::all_of (pages, [this] (const Page &page) { return page.ready && page.has == version; });
}

void Events::end ()
{
  for (auto &page : pages) {
    g_signal_handlers_disconnect_by_data (page.message.get (), &page);
    soup_message_body_complete (soup_server_message_get_response_body (page.message.get ()));
    soup_server_message_unpause (page.message.get ());
  }
  pages.clear ();
}

} // namespace sino::monitor
