// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/whole-line.hpp"
#include "formats/name-groups.hpp"
#include "formats/open.hpp"

namespace sino::scan {

// Without the name of a dataset and slashes at its end.
static std::filesystem::path bare_path (std::string scan)
{
  static_cast<void> (formats::take_dataset (scan));
  const auto path = std::filesystem::absolute (scan).lexically_normal ();
  return path.has_filename () ? path : path.parent_path ();
}

std::filesystem::path folder_beside (std::string scan)
{
  return bare_path (std::move (scan)).parent_path ();
}

std::string usual_output (std::string scan)
{
  return bare_path (std::move (scan)).stem ().string () + "-slices";
}

std::string whole_line (const ScanLine &chain, const Wishes &wishes, const std::string &out)
{
  const auto replace = wishes.overwrite ? "true" : "";
  LineNode write{"write"}, preview{"preview"};
  const auto word = [] (const char *given) { return std::string (given ? given : ""); };
  const auto name = wishes.volume               ? "/" + formats::escaped_pattern (wishes.volume)
                    : wishes.tries_axes ()      ? "/slices/axis-%.2f.tif"
                    : wishes.tries_strengths () ? "/slices/strength-%.5f.tif"
                                                : "/slices/slice-%05i.tif";
  write.set ("name", "slices")
      .set ("path", formats::escaped_pattern (out) + name)
      .set ("type", word (wishes.type))
      .set ("unit", word (wishes.unit))
      .set ("overwrite", replace);
  preview.set ("show", wishes.tries_axes () || wishes.tries_strengths () ? "axes" : "cuts")
      .set ("path", out + "/preview.png")
      .set ("unit", word (wishes.unit))
      .set ("overwrite", replace);
  std::vector ends{write, preview};
  scan::apply (wishes.settings, ends);
  const auto source = chain.nodes.back ().name ();
  return chain.text () + " ! " + ends[0].text () + "   " + source + ". ! " + ends[1].text ();
}

} // namespace sino::scan
