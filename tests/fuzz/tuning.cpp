// SPDX-License-Identifier: LGPL-3.0-or-later
// Tables of tunings, which people edit.
#include "families/tuning-table.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"

using namespace sino;
using namespace sino::families;

static double no_trial (const OpenclDevice &, const Setting &, const Problem &)
{
  return 0;
}

static const Family &family ()
{
  static const KernelSource source{.name = "kernel.cl", .read = nullptr};
  static const Family all{
      .name = "sample",
      .words = {{.name = "precision", .help = "", .values = {"single", "half"}, .tuned = true},
                {.name = "columns", .help = "", .values = {}, .tuned = true}},
      .kernels = {{.name = "local",
                   .summary = "",
                   .source = source,
                   .lanes = {1, 4},
                   .parameters = {{.name = "PIXELS", .values = {1, 2, 4}}, {.name = "GROUP", .values = {64, 128}}}},
                  {.name = "plain", .summary = "", .source = source, .lanes = {1}}},
      .trial = no_trial,
      .most_error = 1,
  };
  return all;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const std::string json (reinterpret_cast<const char *> (data), size);
  fuzz::message_of ([&] {
    const Problem problem{.lanes = 1, .rows = 1, .words = {{"precision", 0}, {"columns", 64}}};
    for (const auto &architecture : read_tuning (family (), json))
      for (const auto &entry : architecture.entries) {
        const auto written = entry_json (family (), entry.proposal, problem);
        read_tuning (family (), "{\"families\": [{\"choices\": [" + written + "]}]}");
      }
  });
  return 0;
}
