// SPDX-License-Identifier: LGPL-3.0-or-later
// Builds a launch line.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sino::cli {

using LineSettings = std::vector<std::pair<std::string, std::string>>; // properties and values

struct LineNode {
  std::string type;
  LineSettings settings = {};

  // Replaces an earlier value. Empty values are left out, unless the user has set them.
  LineNode &set (const std::string &property, const std::string &value);
  std::string value_of (const std::string &property) const; // "" if it is not set
  std::string name () const;                                // name for --set
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

// Applies --set to the nodes of a line; ignores settings of other nodes. Throws Wrong for invalid settings.
void apply (char **settings, std::vector<LineNode> &nodes);

} // namespace sino::cli
