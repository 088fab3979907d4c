// SPDX-License-Identifier: LGPL-3.0-or-later
// The kernels of a family: those of its own, those that modules add, and what each of them can and cannot do.
#pragma once
#include "families/family.hpp"

namespace sino::families {

// A kernel of a module for the family of a node, also one of another module. It is built, launched, tried, tuned and
// chosen as the family's own, after which it comes. To be called when the module is loaded; a name that is taken is
// refused with a warning.
SINO_VISIBLE void add_kernel (const char *family, Kernel kernel);

SINO_VISIBLE std::vector<const Kernel *> kernels_of (const Family &family);
SINO_VISIBLE const Kernel *find_kernel (const Family &family, std::string_view name); // null: none of that name

// "PIXELS=8,ADVANCED=1", or "". Throws Error naming what is wrong and what would be right.
SINO_VISIBLE Setting parse_setting (const Family &family, const std::string &kernel, const std::string &parameters);

// Why the kernel cannot solve the problem on a device of which this is known; "" when it can.
SINO_VISIBLE std::string refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

// A launch in groups of GROUP work-items, for kernels with such a parameter.
SINO_VISIBLE Shape group_shape (const Setting &setting, const Problem &problem);

// The options of the compiler, to which the family's own are added.
SINO_VISIBLE std::string build_options (const Setting &setting, const Problem &problem, Options own = no_options);

// The numbers of lanes that the kernel may have for so many rows, the largest first: less than half of them stay empty.
SINO_VISIBLE std::vector<int> lanes_for (const Kernel &kernel, int64_t rows);

// A word's value as tables have it: one of its list, or the number.
SINO_VISIBLE std::string value_text (const Word &word, int64_t value);

SINO_VISIBLE std::string lanes_text (int lanes); // "4 lanes"

} // namespace sino::families
