// SPDX-License-Identifier: LGPL-3.0-or-later
// Launch lines, in the manner of GStreamer and UFO:
//
//   read path=scan.h5 ! flat-field ! write path=out.tif     a chain; each node feeds input 0 of the next
//   [read path=a.h5, read path=b.h5 ! half-pack] ! join     each branch feeds an input of 'join', in order
//   read name=scan ! null   scan. ! preview                 'scan.' is the node of that name; without '!' between
//                                                           them a new chain begins
//   read path=b.h5 ! join.1                                 into input 1 of 'join'; 'join.darks' by the input's name;
//                                                           'join.' into its first free input
//
// name=x names a node, unless it has a property 'name'. A name may be used before the node that has it. Words are
// quoted by '...', by "..." (with \" and \\ inside) and by a backslash before a character. Within brackets ',' and ']'
// end a word, so values that hold them are quoted there.
#pragma once
#include "graph/graph.hpp"

namespace sino {

// Error messages end with the line and a caret below the place of the error.
SINO_VISIBLE Graph parse_launch (const std::string &line);

} // namespace sino
