// SPDX-License-Identifier: LGPL-3.0-or-later
// Server-sent events: the state of what the page shows, to every page that listens. In the server's thread only.
#pragma once
#include "base/pointers.hpp"
#include <chrono>
#include <functional>
#include <libsoup/soup.h>
#include <list>
#include <string>

namespace sino::monitor {

class Events : NoCopy
{
public:
  static constexpr size_t most = 32; // pages
  static constexpr auto period = std::chrono::milliseconds (250);

  // `state`: the present state in one line, or "" if it has not changed.
  explicit Events (std::function<std::string ()> state) : find (std::move (state)) {}
  ~Events ();

  bool full () const { return pages.size () >= most; }
  bool any () const { return !pages.empty (); }
  void add (SoupServerMessage *message);
  // Sends the state to every page that has read what it got before. A page that does not read gets nothing more, so
  // that at most one event waits for it.
  void tick ();
  // Whether every page has read the newest state.
  bool all_told () const;
  void end ();

private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto silence = std::chrono::seconds (15); // after which a comment shows that the connection lives

  struct Page {
    ObjectPtr<SoupServerMessage> message;
    Events *owner;
    int64_t has = 0;    // version of the state that it got
    bool ready = false; // it has read all
    Clock::time_point told;
  };

  const std::function<std::string ()> find;
  std::string state;
  int64_t version = 0;
  std::list<Page> pages;

  void send (Page &page, const std::string &words);
};

} // namespace sino::monitor
