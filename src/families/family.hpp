// SPDX-License-Identifier: LGPL-3.0-or-later
// A family of OpenCL kernels: several that do the same work, and all that has to be known to choose one for a device,
// to try it, launch it, tune it and explain it. The family describes, the layer does.
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

// What a kernel is to do, in the words of its family: numbers, and places in the lists of a word's values.
struct SINO_VISIBLE Problem {
  int lanes = 0;    // rows side by side in memory; 0: as many as suit the kernel
  int64_t rows = 1; // rows of the whole stream
  std::map<std::string, int64_t, std::less<>> words;

  int64_t operator[] (std::string_view word) const;
  Problem with_lanes (int n) const;
  friend auto operator<=> (const Problem &, const Problem &) = default;
};

struct Word {
  enum class From {
    property, // a property of the node: 'sinograph tune' takes it as an option, and hands it on
    element,  // the element of the values that come in
    scan      // a number that only the stream tells
  };

  const char *name, *help;
  std::vector<const char *> values; // the first is usual; none: a number, or text that only the node reads
  From from = From::property;
  bool tuned = false; // what is fastest depends on it
  bool tried = false; // whether a kernel is right depends on the number; on one of the values it always does
};

// A -D of a kernel.
struct Parameter {
  const char *name;
  std::vector<int> values; // the first is usual
  bool optional = false;   // not defined at 0
  bool spared = false;     // a proposal with it is followed by the same without
  int on_cpus = -1;        // the value that compilers for CPUs build soon, where they take a minute for the others
};

// A kernel, and the values of parameters that are given; the others have their usual one.
struct SINO_VISIBLE Setting {
  const Kernel *kernel;
  std::map<std::string, int, std::less<>> parameters;

  int operator[] (std::string_view name) const;
  int if_any (std::string_view name) const; // 0 where the kernel has no such parameter
  std::string parameters_text () const;     // "PIXELS=8,ADVANCED=1"
  std::string text () const;                // "local", "local(PIXELS=8,ADVANCED=1)"
  friend bool operator== (const Setting &, const Setting &) = default;
};

struct ImageShape {
  int64_t width, height;
  int components;
  bool half;
};

// What a launch takes, and asks of the device.
struct Shape {
  std::array<size_t, 2> group{1, 1};      // work-items
  std::array<int64_t, 2> area{1, 1};      // pixels or values that a group makes
  size_t local_memory = 0, constants = 0; // bytes
  size_t counters = 0;                    // counters of groups, in a buffer that is one more argument
  std::optional<ImageShape> image;        // the image that it reads from
  double turns = 0;                       // turns of the loops of a work-item at most, if compilers unroll none
};

struct KernelSource {
  const char *name;                              // for messages
  std::string (*read) (const std::string &name); // the text, with all that it includes
};

struct Kernel {
  const char *name; // also a value of the node's property 'variant'
  const char *summary;
  KernelSource source;
  std::vector<int> lanes; // numbers of lanes that it takes
  std::vector<Parameter> parameters = {};
  Shape (*shape) (const Setting &, const Problem &) = [] (const Setting &, const Problem &) { return Shape{}; };
  // Why these values, this problem or this device do not go together; "" when they do.
  std::string (*contradiction) (const Setting &, const Problem &, const OpenclFacts &) =
      [] (const Setting &, const Problem &, const OpenclFacts &) { return std::string (); };
  bool reference = false; // as the definition says: right everywhere, and slower than the others
  int values = 1;         // values of a work-item of a point filter
};

// A kernel that may run: asked for, tuned, in the table, or by the model.
struct Proposal {
  Setting setting;
  int lanes;
  std::string origin; // who proposes it: "Hopper", "default of nvidia" ...
  std::string reason; // and why
};

// Updates, or values, per second.
struct Prediction {
  double rate;       // 0: nothing is known of the kernel
  std::string limit; // what limits it, "" for unknown
};
struct Limit {
  const char *unit;
  double rate;
};

// Options of the compiler besides the lanes, the values of an item and the parameters.
using Options = std::string (*) (const Setting &, const Problem &);
inline std::string no_options (const Setting &, const Problem &)
{
  return {};
}

struct SINO_VISIBLE Family {
  const char *name; // the node's name
  std::vector<Word> words;
  std::vector<Kernel> kernels;
  bool picks_lanes = false;       // chooses the lanes of its input; otherwise they are given
  bool any_lanes = false;         // values are worked on by themselves: kernels are built for one lane
  bool takes_projections = false; // takes projections as they come: tuning need not interleave
  bool native_on_cpus = false;    // the native implementation works on OpenCL devices, too, and is faster on CPUs
  Problem usual = {};             // a usual scan, which explanations speak of

  Options options = no_options;
  // Solves a small problem of the kind, whose truth it knows, and gives the error relative to that. Throws Error.
  double (*trial) (const OpenclDevice &, const Setting &, const Problem &);
  double most_error; // largest error that the trial lets pass

  // Which kernels are fast where, as a table (docs/guide/kernels.md tells how it reads); null: in their order.
  std::string (*tuning) () = nullptr;
  // Predicts for devices that the table does not know; may measure the device first. Null: by the table's defaults.
  std::function<Prediction (const Proposal &)> (*model) (const OpenclDevice &, const Problem &) = nullptr;
  // What the units of the device allow the kernel.
  std::vector<Limit> (*limits) (const Setting &, const Problem &, const OpenclFacts &) = nullptr;
  // What benchmarks compare with.
  const char *baseline_kernel = nullptr, *baseline_parameters = "";

  const Word *word (std::string_view name) const; // null: none of that name
};

} // namespace sino::families
