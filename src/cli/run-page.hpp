// SPDX-License-Identifier: LGPL-3.0-or-later
// The page of a run that --monitor asks for.
#pragma once
#include "cli/options.hpp"

namespace sino::cli {

class RunPage : NoCopy
{
public:
  // Serves a page if it was asked for, and prints its address. Throws Wrong.
  explicit RunPage (const Options &options);
  ~RunPage ();

  // Bytes that it takes at most while the run goes on.
  double bytes () const;

  // Shows a run that was prepared.
  void begin (Run &run);
  // Calls `body`, which prepares, begins and executes a run, and shows how it ends.
  template <class Body> void show (Body body)
  {
    try {
      body ();
    } catch (const std::exception &failure) {
      end ("failed", failure.what ());
      throw;
    } catch (const Cancelled &cancelled) {
      end ("cancelled", cancelled.message);
      throw;
    }
    end ("done", "");
  }

private:
  struct Shown;
  const std::unique_ptr<Shown> shown; // null: none was asked for

  void end (const char *state, const std::string &message);
};

// Throws Wrong if this program was built without the page.
void require_page (const char *what);

} // namespace sino::cli
