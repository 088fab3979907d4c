// SPDX-License-Identifier: LGPL-3.0-or-later
// A run for the program that started this one to follow: an object of JSON per line, on the standard output.
#pragma once
#include "cli/options.hpp"
#include <new>
#include <set>

namespace sino::cli {

// Whether --progress=json was given. Throws Wrong where it was given another word.
bool wants_events (const Options &options);

// Facts that a command adds to the first event.
using About = std::vector<std::pair<const char *, std::string>>;

class Events
{
public:
  void begin (const Graph &graph, const Run &run, const About &about);
  void say (const std::vector<Message> &messages); // those that were not told yet
  void show (const Progress &progress);
  void end (const RunStatistics &statistics);
  static void error (const char *code, const std::string &message, int status);

private:
  std::set<std::pair<std::string, std::string>> said;
};

// "bad-graph"
const char *code_of (const Error &error);

// Runs what a command does once its options are known. What it throws is an event, too, where events are wanted.
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
