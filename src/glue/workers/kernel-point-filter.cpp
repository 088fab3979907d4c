// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/kernel-point-filter.hpp"
#include "base/divide-up.hpp"
#include "families/choice.hpp"
#include "families/program.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <cmath>

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

double relative_error (const std::vector<std::byte> &got, const Block &truth)
{
  double errors = 0, squares = 0, wrong = 0;
  const bool floats = truth.format ().element == Element::f32;
  const auto *values = reinterpret_cast<const float *> (got.data ());
  for (int64_t i = 0; floats && i < truth.values (); i++) {
    const double should = static_cast<double> (truth.as<float> ()[i]);
    errors += std::pow (static_cast<double> (values[i]) - should, 2);
    squares += should * should;
  }
  for (size_t i = 0; !floats && i < got.size (); i++)
    wrong += got[i] != truth.data ()[i];
  return floats ? std::sqrt (squares > 0 ? errors / squares : errors) : wrong / static_cast<double> (got.size ());
}

} // namespace

void KernelPointFilter::memory (const Sizing &sizing, Bill &bill) const
{
  if (on_device (sizing.device))
    add_copies (sizing, bill);
}

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
  Block in = make_block (format, {1}, all), truth = make_block (result, {1}, all);
  for (int64_t i = 0; i < in.values (); i++)
    in.as<float> ()[i] = static_cast<float> (static_cast<uint32_t> (i + 1) * 2654435761u >> 8) / (1 << 23) - 1;
  const Monitor monitor;
  task.process (Cpu (1, monitor), in, truth);
  std::vector<std::byte> got (truth.bytes ());
  return device.attempt ([&] {
    const cl::Buffer from (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, in.bytes (), in.data ()),
        to (device.context (), CL_MEM_READ_WRITE, got.size ());
    const OpenclQueues queues (device);
    PointKernel (device, task, setting, problem).enqueue (queues.kernels, from, in.values (), to);
    queues.kernels.enqueueReadBuffer (to, CL_TRUE, 0, got.size (), got.data ());
    return relative_error (got, truth);
  });
}

} // namespace sino
