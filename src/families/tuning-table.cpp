// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/tuning-table.hpp"
#include "families/proposals.hpp"
#include "families/table-reader.hpp"
#include <algorithm>
#include <charconv>

namespace sino::families {

namespace {

std::vector<std::string_view> entry_members (const Family &family)
{
  std::vector<std::string_view> names{"slices", "variant", "lanes", "parameters", "gups", "reason"};
  for (const auto &word : family.words)
    if (word.tuned)
      names.emplace_back (word.name);
  return names;
}

Setting read_setting (const Family &family, const TableObject &in)
{
  std::string parameters;
  if (in.has ("parameters"))
    for (const auto &[name, value] : in.numbers ("parameters"))
      parameters += text ("%s%s=%" G_GINT64_FORMAT, parameters.empty () ? "" : ",", name.c_str (), value);
  try {
    return parse_setting (family, in.word ("variant"), parameters);
  } catch (const Error &error) {
    fail (SINO_ERROR_BAD_FILE, "%s: %s", in.place.c_str (), error.what ());
  }
}

TunedEntry read_entry (const Family &family, const TableObject &in, const Architecture &architecture)
{
  in.check_members (entry_members (family));
  TunedEntry entry{{read_setting (family, in), static_cast<int> (in.number ("lanes")), {}, in.word ("reason")}, {}, {}};
  auto &proposal = entry.proposal;
  proposal.origin = !architecture.name.empty ()    ? architecture.name
                    : architecture.vendor.empty () ? default_of_all
                                                   : "default of " + architecture.vendor;
  if (proposal.reason.empty ())
    proposal.reason = architecture.reason;
  if (in.has ("slices"))
    entry.many = in.one_of ("slices", {"one", "many"}) == 1;
  for (const auto &word : family.words)
    if (word.tuned && in.has (word.name))
      entry.words[word.name] = in.one_of (word.name, word.values);
  const auto &lanes = proposal.setting.kernel->lanes;
  if (std::find (lanes.begin (), lanes.end (), proposal.lanes) == lanes.end ())
    fail (SINO_ERROR_BAD_FILE, "%s: %s does not take %s", in.place.c_str (), proposal.setting.kernel->name,
          lanes_text (proposal.lanes).c_str ());
  if (in.has ("gups") && in.number ("gups") <= 0)
    fail (SINO_ERROR_BAD_FILE, "%s.gups is no speed", in.place.c_str ());
  return entry;
}

Architecture read_architecture (const Family &family, const TableObject &in)
{
  in.check_members ({"family", "vendor", "device", "from", "architectures", "like", "reason", "choices"});
  Architecture out{in.word ("family"), in.word ("vendor"), {}, in.word ("like"), in.word ("reason"), -1, {}, {}};
  if (in.has ("device"))
    out.device = in.one_of ("device", {"cpu", "gpu"}) == 0 ? "cpu" : "gpu";
  if (const auto from = in.word ("from"); !from.empty ()) {
    out.from = version (from);
    if (out.from == 0)
      fail (SINO_ERROR_BAD_FILE, "%s.from: '%s' is no version", in.place.c_str (), from.c_str ());
  }
  out.prefixes = in.texts ("architectures");
  for (const auto &choice : in.objects ("choices"))
    out.entries.push_back (read_entry (family, choice, out));
  return out;
}

} // namespace

bool TunedEntry::fits (const Problem &problem) const
{
  return (!many || *many == (problem.rows > 1)) && std::all_of (words.begin (), words.end (), [&] (const auto &word) {
           return problem[word.first] == word.second;
         });
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
  const TableDocument document (json);
  const auto table = document.root ();
  table.check_members ({"about", "families"});
  std::vector<Architecture> all;
  const auto named = [&] (const std::string &name) {
    return std::count_if (all.begin (), all.end (), [&] (const auto &other) { return other.name == name; });
  };
  for (const auto &in : table.objects ("families")) {
    all.push_back (read_architecture (family, in));
    if (const auto &name = all.back ().name; !name.empty () && named (name) > 1)
      fail (SINO_ERROR_BAD_FILE, "%s: there is a family '%s' before", in.place.c_str (), name.c_str ());
  }
  for (size_t i = 0; i < all.size (); i++)
    if (const auto &like = all[i].like; !like.empty () && named (like) == 0)
      fail (SINO_ERROR_BAD_FILE, "tuning.json.families[%zu] is like '%s', which is not there", i, like.c_str ());
  return all;
}

std::string entry_json (const Family &family, const Proposal &proposal, const Problem &problem)
{
  auto out = text ("{\"slices\": \"%s\"", problem.rows > 1 ? "many" : "one");
  for (const auto &word : family.words)
    if (word.tuned)
      out += text (", \"%s\": \"%s\"", word.name, word.values[static_cast<size_t> (problem[word.name])]);
  std::string parameters;
  for (const auto &[name, value] : proposal.setting.parameters)
    parameters += text ("%s\"%s\": %d", parameters.empty () ? "" : ", ", name.c_str (), value);
  return out + text (", \"variant\": \"%s\", \"lanes\": %d, \"parameters\": {%s}}", proposal.setting.kernel->name,
                     proposal.lanes, parameters.c_str ());
}

} // namespace sino::families
