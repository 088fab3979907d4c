// SPDX-License-Identifier: LGPL-3.0-or-later
// Layout of local.cl's cache in local memory, and its access functions. A cell has the values of LANES / ARRAYS slices
// at a point of a ray; with ADVANCED, the differences to the next point follow.

// Values of one array, and a cell of that array.
#if LANES == ARRAYS
typedef float Part;
#elif LANES == 2 * ARRAYS
typedef float2 Part;
#else
typedef float4 Part;
#endif

#ifdef ADVANCED
#define CELL (2 * LANES / ARRAYS)
#else
#define CELL (LANES / ARRAYS)
#endif

#if CELL == 1
typedef float Cell;
typedef float2 CellPair;
typedef ushort HalfCell;
#define LOAD_HALF_CELL vload_half
#define STORE_HALF_CELL vstore_half_rte
#define STORE_HALF_PAIR vstorea_half2_rte
#elif CELL == 2
typedef float2 Cell;
typedef float4 CellPair;
typedef ushort2 HalfCell;
#define LOAD_HALF_CELL vloada_half2
#define STORE_HALF_CELL vstorea_half2_rte
#define STORE_HALF_PAIR vstorea_half4_rte
#elif CELL == 4
typedef float4 Cell;
typedef float8 CellPair;
typedef ushort4 HalfCell;
#define LOAD_HALF_CELL vloada_half4
#define STORE_HALF_CELL vstorea_half4_rte
#define STORE_HALF_PAIR vstorea_half8_rte
#else
typedef float8 Cell;
typedef float16 CellPair;
typedef ushort8 HalfCell;
#define LOAD_HALF_CELL vloada_half8
#define STORE_HALF_CELL vstorea_half8_rte
#define STORE_HALF_PAIR vstorea_half16_rte
#endif

// Cells as stored in local memory.
#ifdef HALF_CACHE
typedef HalfCell Stored;
#else
typedef Cell Stored;
#endif

Cell load_cell (local const Stored *from)
{
#ifdef HALF_CACHE
  return LOAD_HALF_CELL (0, (local const half *)from);
#else
  return *from;
#endif
}

void store_cell (local Stored *to, Cell cell)
{
#ifdef HALF_CACHE
  STORE_HALF_CELL (cell, 0, (local half *)to);
#else
  *to = cell;
#endif
}

// Stores two neighbours in one write. `to` must be a cell with an even index.
void store_pair (local Stored *to, CellPair pair)
{
#ifdef HALF_CACHE
  STORE_HALF_PAIR (pair, 0, (local half *)to);
#else
  *(local CellPair *)to = pair;
#endif
}
