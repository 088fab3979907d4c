// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/verify.hpp"
#include "base/shown.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "glue/registry.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

// Names of the first few items that are changed or missing.
std::string named (const char *what, const std::vector<std::string> &names)
{
  if (names.empty ())
    return {};
  constexpr size_t most = 20;
  auto line = text ("  %s: ", what) + join (std::span (names).first (std::min (names.size (), most)));
  if (names.size () > most)
    line += text (" and %zu more", names.size () - most);
  return line + "\n";
}

std::string found_text (const formats::Verified &found)
{
  const auto output = shown (found.output);
  if (!found.why.empty ())
    return output + ": " + found.why + "\n";
  return output +
         text (": %lld of %lld %s are unchanged\n", static_cast<long long> (found.right),
               static_cast<long long> (found.all), found.kind) +
         named ("changed", found.wrong) + named ("missing", found.missing);
}

} // namespace

int verify (int argc, char **argv)
{
  Options options;
  const auto words = parse (argc, argv, "verify OUT...",
                            "Reads results again and compares them with the checksums that were stored when they were "
                            "written, in the\nfile or beside it (OUT.sums). OUT is a file, a folder of slices, the "
                            "folder of 'reconstruct', or path= of 'write'.\nExit status 1: something has changed.",
                            {{"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "Show only errors", nullptr}});
  if (words.empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "verify wants a result: a file, a folder of slices, or path= of 'write'");
  Registry::get ().names (); // loads the modules, which add formats
  bool good = true;
  for (const auto *word : words)
    try {
      formats::verify (word, [&] (const formats::Verified &found) {
        good = good && found.good ();
        if (!found.good () || !options.quiet)
          print (found_text (found));
      });
    } catch (const Error &error) {
      if (words.size () == 1)
        throw;
      good = false; // continues with the other results
      complain (error.what ());
    }
  return good ? done : failed;
}

} // namespace sino::cli
