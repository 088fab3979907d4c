// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/tuning-table.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <charconv>

namespace sino::families {

namespace {

using Members = std::map<std::string, JsonCursor>;

std::string word (const Members &in, const char *name)
{
  const auto found = in.find (name);
  return found == in.end () ? "" : found->second.string ();
}

// Index of the text in the list.
int64_t one_of (const JsonCursor &value, const std::vector<const char *> &allowed)
{
  const auto found = std::ranges::find (allowed, value.string ());
  if (found == allowed.end ())
    value.refuse ("must be one of " + join (allowed));
  return found - allowed.begin ();
}

std::vector<JsonCursor> elements (const Members &in, const char *name)
{
  const auto found = in.find (name);
  return found == in.end () ? std::vector<JsonCursor> () : found->second.elements ();
}

Setting read_setting (const Family &family, const JsonCursor &choice, const Members &in)
{
  std::vector<std::string> parameters;
  if (const auto found = in.find ("parameters"); found != in.end ())
    for (const auto &[name, value] : found->second.members ())
      parameters.push_back (text ("%s=%" G_GINT64_FORMAT, name.c_str (), value.integer (1 << 30)));
  try {
    return parse_setting (family, word (in, "variant"), join (parameters, ","));
  } catch (const Error &error) {
    choice.refuse (error.what ());
  }
}

TunedEntry read_entry (const Family &family, const JsonCursor &choice, const Architecture &architecture)
{
  std::vector<std::string> known{"slices", "variant", "lanes", "parameters", "gups", "error", "reason"};
  for (const auto &each : family.words)
    if (each.tuned)
      known.emplace_back (each.name);
  const auto in = choice.object (known, {"variant", "lanes"});
  TunedEntry entry{
      {.setting = read_setting (family, choice, in), .lanes = static_cast<int> (in.at ("lanes").integer (1024))},
      {},
      {}};
  auto &proposal = entry.proposal;
  proposal.origin = !architecture.name.empty ()    ? architecture.name
                    : architecture.vendor.empty () ? default_of_all
                                                   : "default of " + architecture.vendor;
  proposal.reason = in.contains ("reason") ? word (in, "reason") : architecture.reason;
  if (in.contains ("slices"))
    entry.many = one_of (in.at ("slices"), {"one", "many"}) == 1;
  for (const auto &each : family.words)
    if (each.tuned && in.contains (each.name))
      entry.words[each.name] =
          each.values.empty () ? in.at (each.name).integer (G_MAXINT64) : one_of (in.at (each.name), each.values);
  if (std::ranges::count (proposal.setting.kernel->lanes, proposal.lanes) == 0)
    choice.refuse (text ("%s does not take %s", proposal.setting.kernel->name, lanes_text (proposal.lanes).c_str ()));
  if (in.contains ("gups") && (entry.gups = in.at ("gups").number ()) <= 0)
    in.at ("gups").refuse ("is not a speed");
  if (in.contains ("error")) {
    entry.error = in.at ("error").number ();
    if (!(*entry.error > 0 && *entry.error < 1))
      in.at ("error").refuse ("is not a relative error, which is above 0 and below 1");
  }
  return entry;
}

Architecture read_architecture (const Family &family, const JsonCursor &cursor)
{
  const auto in =
      cursor.object ({"family", "vendor", "device", "from", "architectures", "like", "reason", "choices"}, {});
  Architecture out{.name = word (in, "family"),
                   .vendor = word (in, "vendor"),
                   .like = word (in, "like"),
                   .reason = word (in, "reason"),
                   .from = -1};
  if (in.contains ("device"))
    out.device = one_of (in.at ("device"), {"cpu", "gpu"}) == 0 ? "cpu" : "gpu";
  if (in.contains ("from")) {
    out.from = version (word (in, "from"));
    if (out.from == 0)
      in.at ("from").refuse ("is not a version");
  }
  for (const auto &name : elements (in, "architectures"))
    out.prefixes.push_back (name.string ());
  for (const auto &choice : elements (in, "choices"))
    out.entries.push_back (read_entry (family, choice, out));
  return out;
}

std::vector<Architecture> read_architectures (const Family &family, const JsonCursor &root)
{
  const auto table = root.object ({"about", "families"}, {});
  std::vector<Architecture> all;
  const auto named = [&] (const std::string &name) {
    return std::ranges::count_if (all, [&] (const auto &other) { return other.name == name; });
  };
  const auto list = elements (table, "families");
  for (const auto &in : list) {
    all.push_back (read_architecture (family, in));
    if (const auto &name = all.back ().name; !name.empty () && named (name) > 1)
      in.refuse ("there is a family " + in_quotes (name) + " before");
  }
  for (size_t i = 0; i < all.size (); i++)
    if (const auto &like = all[i].like; !like.empty () && named (like) == 0)
      list[i].refuse ("refers to " + in_quotes (like) + ", which does not exist");
  return all;
}

} // namespace

bool TunedEntry::fits (const Problem &problem) const
{
  return (!many || *many == (problem.rows > 1)) &&
         std::ranges::all_of (words, [&] (const auto &word) { return problem[word.first] == word.second; });
}

double version (const std::string &architecture)
{
  int major = 0, minor = 0;
  const auto *end = architecture.data () + architecture.size ();
  const auto dot = std::from_chars (architecture.data (), end, major).ptr;
  if (dot != end)
    std::from_chars (dot + 1, end, minor);
  return major + 0.01 * minor;
}

std::vector<Architecture> read_tuning (const Family &family, const std::string &json)
{
  try {
    scan_json (json);
    const JsonDocument document (json);
    return read_architectures (family, document.root ());
  } catch (const Error &error) {
    fail (SINO_ERROR_BAD_FILE, "tuning.json: %s", error.what ());
  }
}

std::string entry_json (const Family &family, const Proposal &proposal, const Problem &problem)
{
  auto out = text ("{\"slices\": \"%s\"", problem.rows > 1 ? "many" : "one");
  for (const auto &word : family.words)
    if (word.tuned)
      out += text (", \"%s\": \"%s\"", word.name, value_text (word, problem[word.name]).c_str ());
  const auto parameters = join (proposal.setting.parameters, ", ", [] (const auto &each) {
    return text ("\"%s\": %d", each.first.c_str (), each.second);
  });
  return out + text (", \"variant\": \"%s\", \"lanes\": %d, \"parameters\": {%s}}", proposal.setting.kernel->name,
                     proposal.lanes, parameters.c_str ());
}

} // namespace sino::families
