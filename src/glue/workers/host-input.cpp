// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/host-input.hpp"
#include "base/error.hpp"

namespace sino {

static constexpr char item[] = "copies of blocks for the host";

void HostInput::memory (const Sizing &sizing, std::initializer_list<size_t> ports, Bill &bill)
{
  size_t largest = 0;
  for (const auto port : ports)
    largest = std::max (largest, sizing.input_block[port]);
  add_pages (bill, item, largest);
}

Block HostInput::pop ()
{
  copy = {};
  Block block = from->pop ();
  if (!block)
    return block;
  block.buffer ()->settle ();
  auto *buffer = dynamic_cast<OpenclBuffer *> (block.buffer ().get ());
  if (!buffer || buffer->data)
    return block;
  copy = allotment.take (item);
  if (copy.size () < block.bytes ())
    fail (SINO_ERROR_FAILED, "needs %zu bytes for %s, of which its bill has %zu", block.bytes (), item, copy.size ());
  queues.device.attempt ([&] {
    queues.download.enqueueReadBuffer (buffer->lend (queues.download, OpenclBuffer::Use::read), CL_TRUE, 0,
                                       block.bytes (), copy.as<std::byte> ());
  });
  return {block.format_pointer (),
          {block.lanes ()},
          block.region (),
          std::make_shared<Buffer> (copy.as<std::byte> (), block.bytes ())};
}

} // namespace sino
