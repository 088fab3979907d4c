// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/app-sink.hpp"
#include "device/device.hpp"
#include "stream/copy.hpp"
#include "stream/host-buffer.hpp"

namespace sino::app {

Format AppSink::negotiate (std::span<const Format *const> inputs)
{
  format = std::make_shared<const Format> (*inputs[0]);
  return *format;
}

void AppSink::shared_memory (Bill &bill) const
{
  if (whole)
    add_bytes (bill, "whole stream", static_cast<size_t> (format->bytes ()));
  else
    add_bytes (bill, "blocks that the program holds",
               static_cast<size_t> (max_bytes > 0 ? std::min<double> (max_bytes, format->bytes ()) : format->bytes ()));
}

// --- run ---

namespace {

class OneByOne final : public SinkWorker
{
public:
  OneByOne (BlockQueue &q, std::function<BlockQueue::Bounds ()> b) : queue (q), bounds (std::move (b)) {}

  void take (const Block &in) override
  {
    if (queue.is_lent (in))
      return queue.push (in, bounds);
    Block copy (in.format_pointer (), {}, in.region (),
                queue.lend (block_bytes (in.format (), {}, in.region ()), nullptr));
    copy_common (in, copy);
    queue.push (std::move (copy), bounds);
  }

private:
  BlockQueue &queue;
  const std::function<BlockQueue::Bounds ()> bounds;
};

class AllInOne final : public SinkWorker
{
public:
  explicit AllInOne (Block a) : all (std::move (a)) {}

  void take (const Block &in) override
  {
    if (const auto *part = dynamic_cast<const PlacedBuffer *> (in.buffer ().get ());
        !part || part->owner != all.buffer ())
      copy_common (in, all);
  }

private:
  Block all;
};

} // namespace

std::shared_ptr<Buffer> AppSink::lend (const Region &region, size_t bytes, const std::shared_ptr<Buffer> &place)
{
  if (!whole)
    return queue_->lend (bytes, place);
  // A region is lent as a part of `all` only if it is contiguous there.
  const bool contiguous =
      format->rows_first () ? region.angles.size () == format->angles () : region.rows.size () == format->rows ();
  if (!contiguous)
    return queue_->lend (bytes, place);
  const auto at = static_cast<size_t> (all.offset (region.angles.begin, region.rows.begin)) * size_of (format->element);
  return std::make_shared<PlacedBuffer> (all.data () + at, bytes, all.buffer (), place);
}

std::unique_ptr<Worker> AppSink::start (const Replica &)
{
  queue_->attach (this);
  if (!whole)
    return std::make_unique<OneByOne> (*queue_, [bytes = max_bytes, buffers = max_buffers] {
      return BlockQueue::Bounds{static_cast<int64_t> (static_cast<double> (bytes)), buffers};
    });
  if (!all)
    all = {format,
           {},
           {{0, format->rows ()}, {0, format->angles ()}},
           allocate_pages (static_cast<size_t> (format->bytes ()))};
  return std::make_unique<AllInOne> (all);
}

void AppSink::finish ()
{
  if (whole)
    queue_->push (std::exchange (all, {}), [] { return BlockQueue::Bounds (); });
  queue_->finish (this);
}

// --- signals ---

static guint new_buffer = 0;

void AppSink::add_signals (GType type)
{
  new_buffer = new_signal (type, "new-buffer", G_TYPE_NONE);
}

void AppSink::made (GObject *object)
{
  programs.set ();
  queue_->watch ([post = Post (object)] { post.send (new_buffer); });
}

SINO_REGISTER (AppSink)

} // namespace sino::app
