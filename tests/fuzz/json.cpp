// SPDX-License-Identifier: LGPL-3.0-or-later
// Graphs as JSON, ours and UFO's. What was read is written, and read again, as the same graph.
#include "graph/json-writer.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"
#include "ufo/ufo.hpp"

using namespace sino;

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const std::string json (reinterpret_cast<const char *> (data), size);
  fuzz::message_of ([&] {
    const auto written = to_json (ufo::parse_text (json));
    fuzz::require (to_json (ufo::parse_text (written)) == written, "a graph is another one once it was written");
  });
  return 0;
}
