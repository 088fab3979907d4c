// SPDX-License-Identifier: LGPL-3.0-or-later
// A family of OpenCL kernels: several kernels for the same work, and the facts that are needed to choose, try, launch,
// tune and explain them. A family only describes; src/families has the code that works with the description.
#pragma once
#include "base/visibility.hpp"
#include "device/facts.hpp"
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sino {
class OpenclDevice;
}

namespace sino::families {

struct Kernel;

// Task for a kernel. Words are defined by the family; the value of a word is a number, or an index in its list of
// values.
struct SINO_VISIBLE Problem {
  int lanes = 0;    // rows side by side in memory; 0: any number that the kernel takes
  int64_t rows = 1; // rows of the whole stream
  std::map<std::string, int64_t, std::less<>> words;

  int64_t operator[] (std::string_view word) const;
  Problem with_lanes (int n) const;
  friend auto operator<=> (const Problem &, const Problem &) = default;
};

struct Word {
  enum class From {
    property, // a property of the node; 'sinograph tune' has an option for it and passes it to the node
    element,  // the element type of the input
    scan      // a number that is known only from the stream
  };

  const char *name, *help;
  std::vector<const char *> values; // the first is the default; none: a number, or text that only the node reads
  From from = From::property;
  bool tuned = false; // the fastest kernel may depend on it
  // For numbers: a kernel may be right for one number and wrong for another. This is assumed for all lists of values.
  bool tried = false;
};

// A macro of a kernel (-D).
struct Parameter {
  const char *name;
  std::vector<int> values; // the first is the default
  bool optional = false;   // 0: the macro is not defined
  bool spared = false;     // a proposal with it is followed by the same proposal without it
  int on_cpus = -1;        // value that compilers for CPUs build fast; others take a minute; -1: all are fast
};

// A kernel, and values of some parameters; the other parameters have their default.
struct SINO_VISIBLE Setting {
  const Kernel *kernel;
  std::map<std::string, int, std::less<>> parameters;

  int operator[] (std::string_view name) const;
  int if_any (std::string_view name) const; // 0 if the kernel has no such parameter
  std::string parameters_text () const;     // "PIXELS=8,ADVANCED=1"
  std::string text () const;                // "local", "local(PIXELS=8,ADVANCED=1)"
  friend bool operator== (const Setting &, const Setting &) = default;
};

struct ImageShape {
  int64_t width, height;
  int components;
  bool half;
};

// Sizes of a launch, and what the device must have for it.
struct Shape {
  std::array<size_t, 2> group{1, 1};      // work-items of a group
  std::array<int64_t, 2> area{1, 1};      // pixels or values that a group computes
  size_t local_memory = 0, constants = 0; // bytes of local and of constant memory
  size_t counters = 0;                    // number of counters for the groups, in a buffer that is one more argument
  std::optional<ImageShape> image;        // image that the kernel reads
  double turns = 0;                       // largest number of loop iterations of a work-item if no loop is unrolled
};

struct KernelSource {
  const char *name;                              // name for messages
  std::string (*read) (const std::string &name); // returns the text, with all included files
};

struct Kernel {
  const char *name; // name; also a value of the node's property 'variant'
  const char *summary;
  KernelSource source;
  std::vector<int> lanes; // numbers of lanes that the kernel can have
  std::vector<Parameter> parameters = {};
  Shape (*shape) (const Setting &, const Problem &) = [] (const Setting &, const Problem &) { return Shape{}; };
  // The reason why this setting, problem and device do not fit together; "" if they do.
  std::string (*contradiction) (const Setting &, const Problem &, const OpenclFacts &) =
      [] (const Setting &, const Problem &, const OpenclFacts &) { return std::string (); };
  bool reference = false; // plain form of the definition: right on all devices, and slower than the others
  int values = 1;         // number of values per work-item; for point filters
};

// A kernel that may be chosen, and the source of the proposal: user, tuning, table or model.
struct Proposal {
  Setting setting;
  int lanes;
  std::string origin; // source of the proposal: "Hopper", "default of nvidia" ...
  std::string reason; // reason of the proposal
};

// Predicted speed in updates, or values, per second.
struct Prediction {
  double rate;       // 0: unknown
  std::string limit; // resource that limits the speed; "": unknown
};
struct Limit {
  const char *unit;
  double rate;
};

// The largest error that a problem accepts, and the property that says so, for messages: "accuracy=exact".
struct ErrorLimit {
  double most;
  const char *asked;
};

// Compiler options besides those for lanes, values per work-item and parameters.
using Options = std::string (*) (const Setting &, const Problem &);
inline std::string no_options (const Setting &, const Problem &)
{
  return {};
}

struct SINO_VISIBLE Family {
  const char *name; // the node's name
  std::vector<Word> words;
  std::vector<Kernel> kernels;
  bool picks_lanes = false;       // the family chooses the lanes of its input; otherwise they are given
  bool any_lanes = false;         // values are independent of each other, so kernels are built for one lane
  bool takes_projections = false; // works on projections without reordering, so tuning need not interleave them
  // The native implementation also works on OpenCL devices, and is faster there if they are CPUs.
  bool native_on_cpus = false;
  Problem usual = {}; // a typical scan, for explanations

  Options options = no_options;
  // Lets the kernel solve a small problem of this kind with a known solution, and returns the relative error. Throws
  // Error.
  double (*trial) (const OpenclDevice &, const Setting &, const Problem &);
  double most_error; // largest error that is accepted

  // Table of the fastest kernels for each device (format: docs/guide/kernels.md); null: the order of the kernels
  // counts.
  std::string (*tuning) () = nullptr;
  // Null: problems take kernels with any error. Otherwise only kernels are taken whose error is in the table.
  std::optional<ErrorLimit> (*error_limit) (const Problem &) = nullptr;
  // Makes a function that predicts the speed on devices that the table does not have; may measure the device first.
  // Null: the table's defaults are used.
  std::function<Prediction (const Proposal &)> (*model) (const OpenclDevice &, const Problem &) = nullptr;
  // The speed that each unit of the device allows the kernel.
  std::vector<Limit> (*limits) (const Setting &, const Problem &, const OpenclFacts &) = nullptr;
  // Kernel that benchmarks compare the others with; null: none.
  const char *baseline_kernel = nullptr, *baseline_parameters = "";

  const Word *word (std::string_view name) const; // null if there is no such word
};

} // namespace sino::families
