// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops of a single operation each: they measure the peak speed of a core for the operations of other kernels.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino::peaks {

// Operations on vectors, independent of the previous ones.
enum class Operation {
  multiply_add, // multiplication and addition of floats
  arithmetic,   // multiply-adds and additions of floats, in equal parts
  pair_product, // products of pairs of 16-bit integers, added to 32 bits
  load,         // aligned load of a vector from the L1 cache
  small_load,   // load of 4 bytes from the L1 cache
  permute,      // a lookup in two vectors of 64 bytes, or in one of 32; AVX-512 and AVX2 only
  gather,       // gather of a vector from the L1 cache
};
constexpr int operations = 7;

const char *name_of (Operation operation);

// Repeats an operation on vectors of `bytes` (16, 32, 64; at most those of the instruction set) at least `n` times.
// Returns the number of operations; 0 if the instruction set lacks it.
int64_t repeat (Operation operation, int bytes, int64_t n);

// Reads memory, whole cache lines of 64 bytes, aligned; returns something that depends on all of it.
uint32_t read_through (const std::byte *memory, size_t bytes);

// Bytes of a vector of the instruction set in use.
int vector_bytes ();

} // namespace sino::peaks
