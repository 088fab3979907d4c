// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/option-table.hpp"
#include "base/error.hpp"

namespace sino {

static bool take (RunOptions &options, const RunOption &option, const std::string &word)
{
  double number = 0;
  const auto &range = option.more.range;
  const auto in_range = [&] { return number >= range.min && number <= range.max; };
  if (option.type == RunOption::Type::integer) {
    int64_t whole = 0;
    if (!parse_integer (word, whole))
      return false;
    number = static_cast<double> (whole);
  } else if (option.type == RunOption::Type::number && !parse_number (word, number)) {
    return false;
  }
  return in_range () && option.put (options, {word, number});
}

static void take_all (RunOptions &options, const RunWords &words, const char *dashes)
{
  for (size_t i = 0; i < words.size (); i++) {
    const auto &option = option_table[i];
    if (!words[i] || take (options, option, *words[i]))
      continue;
    const auto &[min, max] = option.more.range;
    const auto range = max < Range ().max ? text (" from %.10g to %.10g", min, max) : "";
    fail (SINO_ERROR_BAD_PROPERTY, "%s%s wants %s%s, got '%s'", dashes, option.name, option.more.wants, range.c_str (),
          words[i]->c_str ());
  }
  if (options.devices.empty ()) {
    options.devices = find_devices ("");
    options.found_devices = true;
  }
}

RunOptions options_of (const RunWords &words, const char *dashes)
{
  RunOptions options;
  // Ranks join before other options are read, so that they fail together.
  constexpr auto mpi = option_place ("mpi");
  if (words[mpi])
    take (options, option_table[mpi], *words[mpi]);
  try {
    take_all (options, words, dashes);
    return options;
  } catch (const Error &e) {
    if (options.cluster)
      options.cluster->fail (e.code, e.what ());
    throw;
  }
}

} // namespace sino
