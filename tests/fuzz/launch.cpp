// SPDX-License-Identifier: LGPL-3.0-or-later
// Launch lines, ours and UFO's, and what sizes and other properties of theirs give in negotiation.
#include "graph/json-writer.hpp"
#include "plan/net.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"
#include "ufo/ufo.hpp"

using namespace sino;

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const std::string line (reinterpret_cast<const char *> (data), size);
  fuzz::message_of ([&] {
    const auto graph = ufo::parse_line (line);
    const auto written = to_json (graph);
    fuzz::require (to_json (ufo::parse_text (written)) == written, "a graph is another one once it was written");
    negotiate (graph);
  });
  return 0;
}
