// SPDX-License-Identifier: LGPL-3.0-or-later
// The kernels of a family: its own and those that modules add; and checks of what each of them can do.
#pragma once
#include "families/family.hpp"

namespace sino::families {

// Adds a kernel of a module to the family of a node, which may belong to another module. It is used like the family's
// own kernels and comes after them. To be called when the module is loaded. If the name is taken, prints a warning and
// adds nothing.
SINO_VISIBLE void add_kernel (const char *family, Kernel kernel);

SINO_VISIBLE std::vector<const Kernel *> kernels_of (const Family &family);
SINO_VISIBLE const Kernel *find_kernel (const Family &family, std::string_view name); // null if there is no such kernel

// Parses "PIXELS=8,ADVANCED=1", or "". Throws Error with the mistake and the values that are possible.
SINO_VISIBLE Setting parse_setting (const Family &family, const std::string &kernel, const std::string &parameters);

// The reason why the kernel cannot solve the problem on a device with these properties; "" if it can.
SINO_VISIBLE std::string refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

// A launch in groups of GROUP work-items, for kernels with such a parameter.
SINO_VISIBLE Shape group_shape (const Setting &setting, const Problem &problem);

// Compiler options for the setting, including the family's own.
SINO_VISIBLE std::string build_options (const Setting &setting, const Problem &problem, Options own = no_options);

// The numbers of lanes that the kernel can have for `rows` rows, the largest first; fewer than half of the lanes stay
// empty.
SINO_VISIBLE std::vector<int> lanes_for (const Kernel &kernel, int64_t rows);

// A word's value as text, as in tables: an element of its list, or the number.
SINO_VISIBLE std::string value_text (const Word &word, int64_t value);

SINO_VISIBLE std::string lanes_text (int lanes); // "4 lanes"

} // namespace sino::families
