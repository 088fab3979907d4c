// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of new projects, from src/cli/templates: a project whose node is named my-gain.
#pragma once
#include <cstddef>

namespace sino::cli {

struct Template {
  const char *set;  // the folder in src/cli/templates: a language, or 'both'
  const char *path; // within the project
  const char *text;
};

extern const Template templates[];
extern const size_t template_count;

} // namespace sino::cli
