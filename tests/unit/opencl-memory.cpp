// SPDX-License-Identifier: LGPL-3.0-or-later
// Blocks on OpenCL devices: what kernels get and give, wherever it lies.
#include "device/opencl-memory.hpp"
#include "device/bus.hpp"
#include "device/devices.hpp"
#include "families/clock.hpp"
#include "tests/core/scans.hpp"
#include "tests/support/draw.hpp"
#include "tests/unit/declared-device.hpp"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

namespace sino::test::opencl_memory_test {

namespace {

// out[i] = in[i] + 1, often enough to be slower than a transfer.
const char *const source = "kernel void add (global const int *in, global int *out)"
                           "{ int v = in[get_global_id (0)]; for (int k = 0; k < 1000; k++) v = v * 5 % 1000003;"
                           "  out[get_global_id (0)] = in[get_global_id (0)] + (v >= 0); }";

Block block_of (std::shared_ptr<Buffer> buffer, int64_t values)
{
  Format format;
  format.element = Element::f32; // of four bytes, like those of the kernel
  format.axes = {{Axis::z, 1}, {Axis::y, 1}, {Axis::x, values}};
  return {std::make_shared<const Format> (format), {}, {Rows (0, 1), {0, 1}}, std::move (buffer)};
}

// A stream of blocks that are used again while the device may still work on them: each comes from the host, goes
// through the kernel in the queues of one worker, then in those of another, and is looked at by the host. Blocks
// between the two are written again while they are read.
void test_stream ()
{
  constexpr int64_t n = 5000;
  constexpr int ahead = 4, few = 2, turns = 10;
  size_t number = 0;
  for (const auto &[own, pins] : {std::pair{0.0, false}, std::pair{plenty, false}, std::pair{plenty, true}})
    for (const bool plain : {false, true})
      for (const size_t skipped : {size_t{0}, size_t{1024}, size_t{12}}) {
        if (!is_drawn (number++, 5))
          continue;
        const auto device = device_with (own);
        device->pins_our_pages = pins;
        cl::Kernel kernel (device->build ("add.cl", source, ""), "add");
        const auto memory = plain ? Device::Memory::host : Device::Memory::shared;
        std::vector<std::shared_ptr<Buffer>> in, between, out;
        for (int i = 0; i < few; i++)
          between.push_back (device->allocate (Device::Memory::own, n * 4));
        for (int i = 0; i < ahead; i++) {
          in.push_back (device->allocate (memory, n * 4 + skipped));
          out.push_back (device->allocate (memory, n * 4 + skipped));
        }
        Bill bill; // of two workers
        add_buffers (bill, Uploads::item, n * 4, 2 * Staging::slots);
        add_buffers (bill, Downloads::item, n * 4, 2 * Staging::slots);
        Allotment allotment (bill);
        OpenclQueues one (*device), other (*device);
        Uploads first (one, allotment), second (other, allotment);
        Downloads inner (one, allotment), last (other, allotment);
        const auto step = [&] (const OpenclQueues &queues, Uploads &from, const Block &a, size_t skip_a, Downloads &to,
                               const Block &b, size_t skip_b) {
          const MemoryPiece source_place (a, skip_a), target (b, skip_b);
          kernel.setArg (0, from.take (source_place, n * 4));
          kernel.setArg (1, to.take (target, n * 4));
          queues.kernels.enqueueNDRangeKernel (kernel, cl::NullRange, cl::NDRange (n));
          const auto done = kernels_done (queues);
          from.until (done);
          to.finish (target, n * 4, done);
        };
        const auto look = [&] (int turn) {
          auto &buffer = *out[static_cast<size_t> (turn % ahead)];
          buffer.settle ();
          const auto *values = reinterpret_cast<const int *> (buffer.data + skipped);
          for (int64_t i = 0; i < n; i++)
            if (values[i] != 2 + turn * 10 + i % 7)
              g_error ("turn %d, value %d: %d", turn, static_cast<int> (i), values[i]);
        };
        for (int turn = 0; turn < turns; turn++) {
          const auto slot = static_cast<size_t> (turn % ahead);
          if (turn >= ahead)
            look (turn - ahead);
          in[slot]->settle ();
          auto *values = reinterpret_cast<int *> (in[slot]->data + skipped);
          for (int64_t i = 0; i < n; i++)
            values[i] = static_cast<int> (turn * 10 + i % 7);
          const Block a = block_of (in[slot], n), b = block_of (between[static_cast<size_t> (turn % few)], n),
                      c = block_of (out[slot], n);
          step (one, first, a, skipped, inner, b, 0);
          step (other, second, b, 0, last, c, skipped);
        }
        for (int turn = turns - ahead; turn < turns; turn++)
          look (turn);
      }
}

// One worker gives results by way of staging memory and in their place by turns.
void test_downloads_by_turns ()
{
  constexpr size_t bytes = 64;
  const auto device = device_with (plenty);
  OpenclQueues queues (*device);
  Bill bill;
  add_buffers (bill, Downloads::item, bytes, Staging::slots);
  Allotment allotment (bill);
  Downloads downloads (queues, allotment);
  const std::shared_ptr<Buffer> host = device->allocate (Device::Memory::host, bytes),
                                own = device->allocate (Device::Memory::own, bytes);
  for (cl_int turn = 0; turn < 6; turn++) {
    const auto &buffer = turn % 2 ? own : host;
    const MemoryPiece to (block_of (buffer, bytes / 4), 0);
    queues.kernels.enqueueFillBuffer (downloads.take (to, bytes), turn, 0, bytes);
    downloads.finish (to, bytes, kernels_done (queues));
    std::vector<cl_int> got (bytes / 4, -1);
    if (turn % 2 == 0) {
      buffer->settle ();
      std::memcpy (got.data (), buffer->data, bytes);
    } else {
      auto &lent = dynamic_cast<OpenclBuffer &> (*buffer).lend (queues.kernels, OpenclBuffer::Use::read);
      queues.kernels.enqueueReadBuffer (lent, CL_TRUE, 0, bytes, got.data ());
    }
    g_assert_true (got == std::vector<cl_int> (bytes / 4, turn));
  }
}

// A command of so many turns of a work-item, to which others do not come close.
cl::Event slow (const OpenclDevice &on, const OpenclQueues &queues, const cl::Buffer &to)
{
  cl::Kernel kernel (on.build ("slow.cl",
                               "kernel void slow (global int *out, int n)"
                               "{ int v = 1; for (int k = 0; k < n; k++) v = v * 5 % 1000003; out[0] = v; }",
                               ""),
                     "slow");
  kernel.setArg (0, to);
  kernel.setArg (1, cl_int{200000000});
  cl::Event event;
  queues.kernels.enqueueNDRangeKernel (kernel, cl::NullRange, cl::NDRange (1), cl::NDRange (1), nullptr, &event);
  queues.kernels.flush ();
  return event;
}

bool ended (const cl::Event &event)
{
  return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () == CL_COMPLETE;
}

// What one worker has in its queues does not hold up another, but where a block is written: its readers wait for that,
// and so does it for readers.
void test_queues ()
{
  const auto device = device_with (plenty);
  if (device->facts ().units < 2)
    return g_test_skip ("the device works on one command at a time");
  const OpenclQueues one (*device), other (*device);
  const auto block = device->allocate (Device::Memory::own, 64);
  auto &shared = dynamic_cast<OpenclBuffer &> (*block);
  const cl::Buffer own (device->context (), CL_MEM_READ_WRITE, 64);
  const auto fill = [&] (const cl::Buffer &buffer) {
    other.kernels.enqueueFillBuffer (buffer, cl_int{1}, 0, 64);
    other.finish ();
  };
  const auto read = [&] {
    cl_int value = 0;
    other.upload.enqueueReadBuffer (shared.lend (other.upload, OpenclBuffer::Use::read), CL_TRUE, 0, 4, &value);
  };
  const auto writes = slow (*device, one, shared.lend (one.kernels, OpenclBuffer::Use::write));
  shared.until (writes, OpenclBuffer::Use::write);
  fill (own);
  g_assert_false (ended (writes));
  read ();
  g_assert_true (ended (writes));

  shared.lend (one.kernels, OpenclBuffer::Use::read); // as an argument would
  const auto reads = slow (*device, one, own);
  shared.until (reads, OpenclBuffer::Use::read);
  read ();
  g_assert_false (ended (reads));
  fill (shared.lend (other.kernels, OpenclBuffer::Use::write));
  g_assert_true (ended (reads));
}

struct Seen final : DeviceSpans {
  struct Span {
    Queue queue;
    Clock::time_point begin, end;
  };
  std::vector<Span> spans;
  void add (Queue queue, Clock::time_point begin, Clock::time_point end) override
  {
    spans.push_back ({queue, begin, end});
  }
};

// What comes in while another worker's kernel runs is seen to, by the host's clock.
void test_spans ()
{
  const auto device = device_with (plenty);
  if (device->facts ().units < 2)
    return g_test_skip ("the device works on one command at a time");
  Seen computed, uploaded;
  const auto before = DeviceSpans::Clock::now ();
  {
    const auto taken_by = [&] (DeviceSpans &spans) {
      const DeviceSpans::Starting scope (&spans);
      return std::make_unique<OpenclQueues> (*device);
    };
    const auto first = taken_by (computed), second = taken_by (uploaded);
    auto &one = *first, &other = *second;
    families::KernelClock clock (one);
    const cl::Buffer to (device->context (), CL_MEM_READ_WRITE, 64);
    const auto event = slow (*device, one, to);
    clock.add (event, event);
    while (event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () != CL_RUNNING)
      g_assert_false (ended (event));
    Bill bill;
    add_buffers (bill, Uploads::item, 64, Staging::slots);
    Allotment allotment (bill);
    const std::shared_ptr<Buffer> block = device->allocate (Device::Memory::shared, 64);
    Uploads (other, allotment).take (block_of (block, 16), 64);
    block->settle ();
    g_assert_false (ended (event));
  }
  const auto after = DeviceSpans::Clock::now ();
  g_assert_cmpuint (computed.spans.size (), ==, 1);
  g_assert_cmpuint (uploaded.spans.size (), ==, 1);
  const auto &kernel = computed.spans[0], &transfer = uploaded.spans[0];
  g_assert_true (kernel.queue == DeviceSpans::Queue::kernels && transfer.queue == DeviceSpans::Queue::upload);
  g_assert_true (before <= kernel.begin && kernel.end <= after);
  g_assert_true (kernel.begin <= transfer.begin && transfer.begin <= transfer.end && transfer.end <= kernel.end);
}

// Launches cover a range of work-groups once, with no more rows of groups than all drivers accept.
void test_launches ()
{
  constexpr int64_t columns = 3, rows = 70001;
  const auto device = device_with (plenty);
  OpenclQueues queues (*device);
  const auto program = device->build ("mark.cl",
                                      "kernel void mark (global int *out)"
                                      "{ global int *to = out + get_global_id (1) * 3 + get_global_id (0);"
                                      "  *to = *to == 0 ? get_num_groups (1) : -1; }",
                                      "");
  cl::Kernel kernel (program, "mark");
  const cl::Buffer marks (device->context (), CL_MEM_READ_WRITE, columns * rows * sizeof (cl_int));
  queues.kernels.enqueueFillBuffer (marks, cl_int{0}, 0, columns * rows * sizeof (cl_int));
  kernel.setArg (0, marks);
  {
    families::KernelClock clock (queues);
    const Monitor monitor;
    families::launch_in_parts (monitor, clock, kernel, {{1, 1}, columns, rows, 1e-3});
  }
  std::vector<cl_int> got (columns * rows);
  queues.kernels.enqueueReadBuffer (marks, CL_TRUE, 0, got.size () * sizeof (cl_int), got.data ());
  for (const auto mark : got) {
    g_assert_cmpint (mark, >, 0);
    g_assert_cmpint (mark, <=, 32768);
  }
}

// Zeros, and not one byte more.
void test_zeros ()
{
  const auto device = device_with (plenty);
  const OpenclQueues queues (*device);
  constexpr size_t piece = size_t{1} << 25, after = 40;
  constexpr cl_uchar other = 0x5a;
  const cl::Buffer memory (device->context (), CL_MEM_READ_WRITE, 2 * piece + 7 + after);
  for (const size_t bytes : {size_t{0}, size_t{3}, size_t{16}, size_t{4100}, piece, piece + 1, 2 * piece + 7}) {
    std::vector<cl_uchar> got (bytes + after);
    queues.kernels.enqueueFillBuffer (memory, other, 0, got.size ());
    fill_zeros (queues.kernels, memory, bytes);
    queues.kernels.enqueueReadBuffer (memory, CL_TRUE, 0, got.size (), got.data ());
    g_assert_cmpint (std::ranges::count (std::span (got).first (bytes), 0), ==, static_cast<int64_t> (bytes));
    g_assert_cmpint (std::ranges::count (std::span (got).last (after), other), ==, after);
  }
}

// A worker that fails leaves nothing at work.
void test_failure ()
{
  const auto device = device_with (plenty);
  const OpenclQueues queues (*device);
  const cl::Buffer memory (device->context (), CL_MEM_READ_WRITE, 64);
  std::vector<cl_int> values (16);
  cl::Event last;
  try {
    const IdleAfterFailure guard (queues);
    hold (queues.download, slow (*device, queues, memory));
    queues.download.enqueueReadBuffer (memory, CL_FALSE, 0, 64, values.data (), nullptr, &last);
    throw Error (SINO_ERROR_FAILED, "in the middle");
  } catch (const Error &) {
    g_assert_true (ended (last));
  }
}

// Rates that memory can have; the CPU has no bus to itself.
void test_bus ()
{
  const auto bus = measure_bus (*device_with (plenty));
  for (const double rate : {bus.up, bus.down}) {
    g_assert_cmpfloat (rate, >, 1e6);
    g_assert_cmpfloat (rate, <, 1e13);
  }
  try {
    measure_bus (*native_device ());
    g_assert_not_reached ();
  } catch (const Error &error) {
    g_assert_cmpint (error.code, ==, SINO_ERROR_DEVICE);
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (skips_without_opencl ())
    return 0;
  g_test_add_func ("/opencl-memory/stream", test_stream);
  g_test_add_func ("/opencl-memory/downloads-by-turns", test_downloads_by_turns);
  g_test_add_func ("/opencl-memory/queues", test_queues);
  g_test_add_func ("/opencl-memory/spans", test_spans);
  g_test_add_func ("/opencl-memory/launches", test_launches);
  g_test_add_func ("/opencl-memory/zeros", test_zeros);
  g_test_add_func ("/opencl-memory/failure", test_failure);
  g_test_add_func ("/opencl-memory/bus", test_bus);
  return g_test_run ();
}

} // namespace sino::test::opencl_memory_test
