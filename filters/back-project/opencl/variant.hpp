// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of back-projection as data: what each can do, which parameters it has, and how it is launched.
#pragma once
#include "back-project/back-project.hpp"
#include "device/facts.hpp"
#include <array>
#include <map>
#include <string>
#include <vector>

namespace sino::back_project {

// What a kernel is built for.
struct Problem {
  int lanes;
  bool half; // bins are IEEE half
  Interpolation interpolation;
  bool mask;
  int64_t size; // bins of a ray
  int64_t rays;
};

// A -D of a kernel.
struct Parameter {
  const char *name;
  std::vector<int> values; // that it may have; the first unless told
  bool optional = false;   // not defined at 0
};

// A kernel and the values of its parameters; those that are not named have their first value.
struct Setting {
  std::string variant;
  std::map<std::string, int> parameters;

  int operator[] (const char *name) const;
  // 0 where the kernel has no such parameter.
  int if_any (const char *name) const;
  // "local", "local(PIXELS=8,ADVANCED=1)"
  std::string text () const;
  friend bool operator== (const Setting &, const Setting &) = default;
};

// The reverse of Setting::text () for what stands in the brackets: "PIXELS=8,ADVANCED=1", "". Throws Error naming what
// is wrong and what would be right.
Setting parse_setting (const std::string &variant, const std::string &parameters);

// Of a launch.
struct Shape {
  std::array<size_t, 2> group; // work-items
  std::array<int64_t, 2> area; // pixels that a group makes
  size_t local_memory = 0;     // bytes
  size_t counters = 0;         // of groups, in a buffer that is one more argument
};

struct Variant {
  const char *name; // the source is back-project/NAME.cl
  const char *summary;
  std::vector<int> lanes;
  std::vector<Interpolation> interpolations;
  std::vector<Parameter> parameters;
  bool (*uses_image) (const Setting &);
  Shape (*shape) (const Setting &, const Problem &);
  // Why these values do not go together; "" when they do.
  std::string (*contradiction) (const Setting &, const Problem &);
  // That the loops of a work-item take at most, if compilers unroll none.
  double (*turns) (const Setting &, const Problem &);

  std::string source () const { return std::string ("back-project/") + name + ".cl"; }
};

const std::vector<Variant> &variants ();
const Variant *find_variant (const std::string &name); // null: none of that name
const Variant &variant_of (const Setting &setting);

// Why the kernel cannot solve the problem on a device of which this is known; "" when it can.
std::string refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

// The options of the compiler.
std::string build_options (const Setting &setting, const Problem &problem);

} // namespace sino::back_project
