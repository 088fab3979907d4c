// SPDX-License-Identifier: LGPL-3.0-or-later
// Events of a run for the program that started it: one JSON object per line, on the standard output.
#pragma once
#include "cli/options.hpp"
#include <new>
#include <set>

namespace sino::cli {

// Whether --progress=json was given. Throws Wrong for other values.
bool wants_events (const Options &options);

// Data that a command adds to the first event.
using About = std::vector<std::pair<const char *, std::string>>;

class Events
{
public:
  void begin (const Graph &graph, const Run &run, const About &about);
  void say (const std::vector<Message> &messages); // messages that were not reported yet
  void show (const Progress &progress);
  void end (const RunStatistics &statistics);
  static void page (const std::string &url, const std::string &ssh); // the page of the run that follows
  static void error (const char *code, const std::string &message, int status);

private:
  std::set<std::pair<std::string, std::string>> said;
};

// "bad-graph"
const char *code_of (const Error &error);

// Runs a command after its options are known. If events are requested, an exception is also reported as an event.
template <class Body> int telling (const Options &options, Body body)
{
  if (!wants_events (options))
    return body ();
  try {
    return body ();
  } catch (const Wrong &e) {
    Events::error (code_of (e), e.what (), wrong);
    throw;
  } catch (const Error &e) {
    Events::error (code_of (e), e.what (), failed);
    throw;
  } catch (const Cancelled &e) {
    Events::error ("cancelled", e.message, interrupted);
    throw;
  } catch (const std::bad_alloc &) {
    Events::error ("memory", "out of memory", failed);
    throw;
  } catch (const std::exception &e) {
    Events::error ("failed", e.what (), failed);
    throw;
  }
}

} // namespace sino::cli
