// SPDX-License-Identifier: LGPL-3.0-or-later
// A launch line in the making.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sino::cli {

using LineSettings = std::vector<std::pair<std::string, std::string>>; // properties and values

struct LineNode {
  std::string type;
  LineSettings settings = {};

  // Takes the place of an earlier value. An empty value is left out, unless the user has set it.
  LineNode &set (const std::string &property, const std::string &value);
  std::string value_of (const std::string &property) const; // "" where it is not set
  std::string name () const;                                // by which --set knows it
  std::string text () const;
};

class ScanLine
{
public:
  std::vector<LineNode> nodes; // a chain

  LineNode &add (const std::string &type) { return nodes.emplace_back (LineNode{type}); }
  LineNode *find (const std::string &type);
  std::string text () const;
};

// What --set gives the nodes of a line; settings of other nodes are left alone. Throws Wrong for what is no setting.
void apply (char **settings, std::vector<LineNode> &nodes);

} // namespace sino::cli
