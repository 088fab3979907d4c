// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/explain.hpp"
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/tuning.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace sino::back_project {

namespace {

std::vector<std::string> choice_text (const OpenclDevice &device, bool many, bool half)
{
  // A usual scan. Sizes matter where images or constant memory are too small.
  const Problem usual{0, half, Interpolation::linear, false, 2048, 1500};
  try {
    const auto choice = choose (device, usual, many ? 1000 : 1, {"auto", ""});
    std::vector<std::string> lines{text ("%s, %d lane%s (%s%s%s)", choice.setting.text ().c_str (), choice.lanes,
                                         choice.lanes == 1 ? "" : "s", choice.origin.c_str (),
                                         choice.reason.empty () ? "" : ": ", choice.reason.c_str ())};
    for (const auto &better : choice.rejected)
      lines.push_back ("  not " + better);
    return lines;
  } catch (const Error &error) {
    return {error.what ()};
  }
}

} // namespace

std::vector<std::string> explain_choices (const OpenclDevice &device)
{
  const auto family = family_of (device.facts ());
  std::vector<std::string> lines{family.empty () ? "family unknown: kernels in the order of the model"
                                                 : "family " + family};
  for (const bool many : {false, true}) {
    const auto plain = choice_text (device, many, false), half = choice_text (device, many, true);
    const auto add = [&] (const char *bins, std::vector<std::string> text) {
      text[0] = (many ? "many slices" : "one slice") + std::string (bins) + ": " + text[0];
      lines.insert (lines.end (), text.begin (), text.end ());
    };
    add (plain == half ? "" : ", float", plain);
    if (plain != half)
      add (", half", half);
  }
  return lines;
}

} // namespace sino::back_project
