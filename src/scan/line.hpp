// SPDX-License-Identifier: LGPL-3.0-or-later
// Builds a launch line.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <utility>
#include <vector>

namespace sino::scan {

using LineSettings = std::vector<std::pair<std::string, std::string>>; // properties and values

struct SINO_VISIBLE LineNode {
  std::string type;
  LineSettings settings = {};

  // Replaces an earlier value. Empty values are left out, unless the user has set them.
  LineNode &set (const std::string &property, const std::string &value);
  std::string value_of (const std::string &property) const; // "" if it is not set
  std::string name () const;                                // name for --set
  std::string text () const;
};

class SINO_VISIBLE ScanLine
{
public:
  std::vector<LineNode> nodes; // a chain

  LineNode &add (const std::string &type) { return nodes.emplace_back (LineNode{type}); }
  LineNode *find (const std::string &type);
  std::string text () const;
};

// --set NODE.PROPERTY=VALUE; the name of a node may contain points, that of a property may not.
struct Setting {
  std::string node, property, value;
};
SINO_VISIBLE Setting parse_setting (const std::string &word);

// Applies --set to the nodes of a line; ignores settings of other nodes. Throws Error for invalid settings.
SINO_VISIBLE void apply (char **settings, std::vector<LineNode> &nodes);

} // namespace sino::scan
