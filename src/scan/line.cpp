// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/line.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/launch-words.hpp"
#include <algorithm>

namespace sino::scan {

LineNode &LineNode::set (const std::string &property, const std::string &value)
{
  const auto known = std::ranges::find (settings, property, &std::pair<std::string, std::string>::first);
  if (known != settings.end ())
    known->second = value;
  else if (!value.empty ())
    settings.emplace_back (property, value);
  return *this;
}

std::string LineNode::value_of (const std::string &property) const
{
  const auto known = std::ranges::find (settings, property, &std::pair<std::string, std::string>::first);
  return known != settings.end () ? known->second : "";
}

std::string LineNode::name () const
{
  const auto own = value_of ("name");
  return own.empty () ? type : own;
}

std::string LineNode::text () const
{
  auto out = type;
  for (const auto &[property, value] : settings)
    out += " " + property + "=" + launch_word (value);
  return out;
}

LineNode *ScanLine::find (const std::string &type)
{
  const auto node = std::ranges::find (nodes, type, &LineNode::type);
  return node != nodes.end () ? &*node : nullptr;
}

std::string ScanLine::text () const
{
  return join (nodes, " ! ", &LineNode::text);
}

Setting parse_setting (const std::string &word)
{
  const auto equals = word.find ('=');
  const auto point = equals == word.npos || equals == 0 ? word.npos : word.rfind ('.', equals - 1);
  if (point == word.npos || point == 0 || point + 1 == equals)
    fail (SINO_ERROR_BAD_PROPERTY, "--set wants NODE.PROPERTY=VALUE, got '%s'", word.c_str ());
  return {word.substr (0, point), word.substr (point + 1, equals - point - 1), word.substr (equals + 1)};
}

void apply (char **settings, std::vector<LineNode> &nodes)
{
  for (char **each = settings; each && *each; each++) {
    const auto setting = parse_setting (*each);
    const auto node = std::ranges::find (nodes, setting.node, &LineNode::name);
    if (node == nodes.end ())
      continue;
    node->set (setting.property, setting.value);
    if (setting.value.empty () && node->value_of (setting.property).empty ())
      node->settings.emplace_back (setting.property, "");
  }
}

} // namespace sino::scan
