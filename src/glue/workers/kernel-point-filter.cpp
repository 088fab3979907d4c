// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/kernel-point-filter.hpp"
#include "base/divide-up.hpp"
#include "families/choice.hpp"
#include "families/program.hpp"
#include "families/trial.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino {

using namespace families;

namespace {

class OnCpu final : public PointWorker
{
public:
  OnCpu (const KernelPointFilter &t, const Cpu &c) : task (t), cpu (c) {}
  void process (const Block &in, Block &out) override { task.process (cpu, in, out); }

private:
  const KernelPointFilter &task;
  const Cpu &cpu;
};

class PointKernel
{
public:
  PointKernel (const OpenclDevice &d, const KernelPointFilter &t, const Setting &setting, const Problem &problem)
      : device (d), task (t), shape (setting.kernel->shape (setting, problem)),
        kernel (d.attempt ([&] { return make (setting, problem); }))
  {
  }

  cl::Event enqueue (const cl::CommandQueue &queue, const cl::Buffer &from, int64_t values, const cl::Buffer &to)
  {
    kernel.setArg (0, from);
    kernel.setArg (1, static_cast<cl_ulong> (values));
    kernel.setArg (2, to);
    task.set_arguments (kernel, 3);
    const auto groups = static_cast<size_t> (divide_up (values, shape.area[0]));
    cl::Event event;
    queue.enqueueNDRangeKernel (kernel, cl::NullRange, groups * shape.group[0], shape.group[0], nullptr, &event);
    return event;
  }

private:
  const OpenclDevice &device;
  const KernelPointFilter &task;
  const Shape shape;
  cl::Kernel kernel;

  const Family &family () const { return task.kernels ()->family (); }

  // If the source has one kernel, it may have any name, because some nodes have names of OpenCL C functions.
  cl::Kernel make (const Setting &setting, const Problem &problem) const
  {
    auto program = build (device, setting, problem, family ().options);
    std::vector<cl::Kernel> all;
    program.createKernels (&all);
    if (all.size () == 1)
      return all[0];
    std::string name = family ().name;
    std::ranges::replace (name, '-', '_');
    return {program, name.c_str ()};
  }
};

class PointOnDevice final : public OpenclPointWorker
{
public:
  PointOnDevice (const KernelPointFilter &task, const Replica &replica)
      : OpenclPointWorker (replica),
        kernel (device, task, task.kernels ()->choice (device, 1).setting, task.kernels ()->problem ().with_lanes (1))
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const auto event = kernel.enqueue (queues.kernels, from, in.values (), to);
    return {event, event};
  }

private:
  PointKernel kernel;
};

double relative_error (const Block &got, const Block &truth)
{
  if (truth.format ().element != Element::f32)
    return share_different (got.all (), truth.all ());
  RelativeError error;
  for (int64_t i = 0; i < truth.values (); i++)
    error.add (static_cast<double> (got.as<float> ()[i]), static_cast<double> (truth.as<float> ()[i]));
  return error.value ();
}

} // namespace

std::unique_ptr<Worker> KernelPointFilter::start (const Replica &replica)
{
  if (!on_device (replica.device))
    return std::make_unique<OnCpu> (*this, replica.cpu);
  return std::make_unique<PointOnDevice> (*this, replica);
}

Kernel point_kernel (const char *name, const char *summary, const families::KernelSource &source, int values)
{
  Kernel kernel{
      .name = name, .summary = summary, .source = source, .lanes = {1}, .parameters = {{"GROUP", {64, 32, 128, 256}}}};
  kernel.values = values;
  kernel.shape = group_shape;
  return kernel;
}

double point_trial (KernelPointFilter &task, const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto format = std::make_shared<const Format> (
      projections (Element::f32, {Axis::angle, 3}, {Axis::row, 7}, {Axis::column, 101}));
  const auto result = std::make_shared<const Format> (task.negotiate (std::vector{format.get ()}));
  const Region all{{0, 7}, {0, 3}};
  Block in = make_block (format, {1}, all), truth = make_block (result, {1}, all), got = make_block (result, {1}, all);
  for (int64_t i = 0; i < in.values (); i++)
    in.as<float> ()[i] = noise (i);
  const Monitor monitor;
  task.process (Cpu (1, monitor), in, truth);
  PointKernel kernel (device, task, setting, problem);
  compute (device, in.all (), got.all (),
           [&] (auto &queue, auto &from, auto &to) { kernel.enqueue (queue, from, in.values (), to); });
  return relative_error (got, truth);
}

} // namespace sino
