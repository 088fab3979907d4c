// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/kernels.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <deque>
#include <mutex>

namespace sino::families {

namespace {

struct Added {
  std::string family;
  Kernel kernel;
};

std::mutex mutex;

std::deque<Added> &added ()
{
  static std::deque<Added> list; // a deque, so that pointers to its elements stay valid
  return list;
}

const Parameter &parameter_of (const Kernel &kernel, const std::string &name)
{
  for (const auto &parameter : kernel.parameters)
    if (parameter.name == name)
      return parameter;
  const auto names = join (kernel.parameters, ", ", [] (const auto &p) { return p.name; });
  fail (SINO_ERROR_BAD_PROPERTY, "variant=%s has no parameter '%s': %s", kernel.name, name.c_str (),
        names.empty () ? "it has none" : ("the parameters are " + names).c_str ());
}

std::string image_refusal (const ImageShape &image, const OpenclFacts &facts)
{
  if (!facts.images)
    return "needs images, which the device does not have";
  if (static_cast<size_t> (image.width) > facts.image_width || static_cast<size_t> (image.height) > facts.image_height)
    return text ("needs an image of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT ", at most %zu x %zu are possible",
                 image.width, image.height, facts.image_width, facts.image_height);
  return {};
}

} // namespace

void add_kernel (const char *family, Kernel kernel)
{
  const std::lock_guard guard (mutex);
  const auto same = [&] (const Added &other) {
    return other.family == family && other.kernel.name == std::string_view (kernel.name);
  };
  if (kernel.lanes.empty () || std::any_of (added ().begin (), added ().end (), same))
    g_warning ("kernel '%s' for '%s' is left out: it has %s", kernel.name, family,
               kernel.lanes.empty () ? "no lanes" : "the name of another");
  else
    added ().push_back ({family, std::move (kernel)});
}

std::vector<const Kernel *> kernels_of (const Family &family)
{
  std::vector<const Kernel *> list;
  for (const auto &kernel : family.kernels)
    list.push_back (&kernel);
  const std::lock_guard guard (mutex);
  for (const auto &other : added ())
    if (other.family == family.name && std::ranges::none_of (family.kernels, [&] (const auto &own) {
          return own.name == std::string_view (other.kernel.name);
        }))
      list.push_back (&other.kernel);
  return list;
}

const Kernel *find_kernel (const Family &family, std::string_view name)
{
  for (const auto *kernel : kernels_of (family))
    if (name == kernel->name)
      return kernel;
  return nullptr;
}

Setting parse_setting (const Family &family, const std::string &name, const std::string &parameters)
{
  Setting setting{find_kernel (family, name), {}};
  if (!setting.kernel)
    fail (SINO_ERROR_BAD_PROPERTY, "there is no OpenCL kernel '%s'", name.c_str ());
  for (const auto &pair : parameters.empty () ? std::vector<std::string> () : split (parameters, ',')) {
    const auto equals = pair.find ('=');
    int64_t value = 0;
    if (equals == pair.npos || !parse_integer (pair.substr (equals + 1), value))
      fail (SINO_ERROR_BAD_PROPERTY, "'%s' is not NAME=NUMBER: give a list of these, separated by commas",
            pair.c_str ());
    const auto &parameter = parameter_of (*setting.kernel, pair.substr (0, equals));
    if (std::ranges::count (parameter.values, value) == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "%s of variant=%s must be one of %s, got %s", parameter.name, name.c_str (),
            join (parameter.values, ", ", [] (int n) { return std::to_string (n); }).c_str (),
            pair.substr (equals + 1).c_str ());
    if (!setting.parameters.emplace (parameter.name, static_cast<int> (value)).second)
      fail (SINO_ERROR_BAD_PROPERTY, "%s of variant=%s is given twice", parameter.name, name.c_str ());
  }
  return setting;
}

std::string refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts)
{
  const auto &kernel = *setting.kernel;
  if (std::ranges::count (kernel.lanes, problem.lanes) == 0)
    return "does not take " + lanes_text (problem.lanes);
  if (auto why = kernel.contradiction (setting, problem, facts); !why.empty ())
    return why;
  const auto shape = kernel.shape (setting, problem);
  if (facts.most_turns > 0 && shape.turns > facts.most_turns)
    return text ("may need %.0f iterations of its loops, which the driver stops after %d without an error", shape.turns,
                 facts.most_turns);
  if (const auto items = shape.group[0] * shape.group[1]; items > facts.largest_group)
    return text ("needs groups of %zu work-items, at most %zu are possible", items, facts.largest_group);
  if (shape.local_memory > facts.local_memory)
    return text ("needs %zu bytes of local memory, the device has %zu", shape.local_memory, facts.local_memory);
  if (shape.image)
    if (auto why = image_refusal (*shape.image, facts); !why.empty ())
      return why;
  if (shape.constants > facts.constant_memory)
    return text ("needs %zu bytes of constant memory, the device has %zu", shape.constants, facts.constant_memory);
  return {};
}

Shape group_shape (const Setting &setting, const Problem &)
{
  const auto group = setting["GROUP"];
  return {.group = {static_cast<size_t> (group), 1}, .area = {int64_t{group} * setting.kernel->values, 1}};
}

std::string build_options (const Setting &setting, const Problem &problem, Options own)
{
  auto out = text ("-cl-std=CL1.2 -DLANES=%d", problem.lanes) + own (setting, problem);
  if (setting.kernel->values > 1)
    out += text (" -DVALUES=%d", setting.kernel->values);
  for (const auto &parameter : setting.kernel->parameters)
    if (const int value = setting[parameter.name]; value != 0 || !parameter.optional)
      out += text (" -D%s=%d", parameter.name, value);
  return out;
}

std::vector<int> lanes_for (const Kernel &kernel, int64_t rows)
{
  std::vector<int> list{kernel.lanes[0]};
  for (const int lanes : kernel.lanes)
    if (lanes > list[0] && lanes < 2 * rows)
      list.insert (list.begin (), lanes);
  return list;
}

std::string value_text (const Word &word, int64_t value)
{
  return word.values.empty () ? std::to_string (value) : word.values.at (static_cast<size_t> (value));
}

std::string lanes_text (int lanes)
{
  return text ("%d lane%s", lanes, lanes == 1 ? "" : "s");
}

} // namespace sino::families
