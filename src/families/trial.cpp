// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/trial.hpp"
#include "device/opencl.hpp"

namespace sino::families {

void compute (const OpenclDevice &device, std::span<const std::byte> in, std::span<std::byte> out,
              const Enqueue &enqueue)
{
  device.attempt ([&] {
    const cl::CommandQueue queue (device.context (), device.device);
    const cl::Buffer from (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, in.size (),
                           const_cast<std::byte *> (in.data ())),
        to (device.context (), CL_MEM_READ_WRITE, out.size ());
    enqueue (queue, from, to);
    queue.enqueueReadBuffer (to, CL_TRUE, 0, out.size (), out.data ());
  });
}

namespace {

constexpr const char *good = "good";

// Texts for everything that the result of a trial depends on.
std::vector<std::string> question (const Family &family, const Setting &setting, const Problem &problem)
{
  const auto &source = setting.kernel->source;
  std::vector<std::string> parts{source.read (source.name), build_options (setting, problem, family.options)};
  for (const auto &word : family.words)
    if (const auto number = problem.words.find (word.name);
        (word.tried || !word.values.empty ()) && number != problem.words.end ())
      parts.push_back (text ("%s=%" G_GINT64_FORMAT, word.name, number->second));
  return parts;
}

Finding try_once (const OpenclDevice &device, const Family &family, const Setting &setting, const Problem &problem)
{
  try {
    const double error = family.trial (device, setting, problem);
    if (error <= family.most_error)
      return {good, true};
    return {text ("its results are wrong on this device, with a relative error of %.2g", error), true}; // or NaN
  } catch (const BuildError &error) {
    return {error.what (), true};
  } catch (const Error &error) {
    return {error.what (), false};
  }
}

// Tries twice, because a busy device may fail once. Such a failure must not decide which kernel runs: other kernels
// round differently.
Finding try_out (const OpenclDevice &device, const Family &family, const Setting &setting, const Problem &problem)
{
  auto finding = try_once (device, family, setting, problem);
  return finding.text == good ? finding : try_once (device, family, setting, problem);
}

} // namespace

Finding trial (const OpenclDevice &device, const Family &family, const Setting &setting, const Problem &problem)
{
  const auto name = text ("trial-%s-%s", family.name, setting.kernel->name);
  auto finding = find_out (finding_path (device, name, question (family, setting, problem)),
                           [&] { return try_out (device, family, setting, problem); });
  if (finding.text == good)
    finding.text.clear ();
  return finding;
}

} // namespace sino::families
