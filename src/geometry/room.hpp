// SPDX-License-Identifier: LGPL-3.0-or-later
// Source, axis and detector anywhere in the room, as some scanners describe them.
#pragma once
#include "stream/view.hpp"

namespace sino {

// Positions and directions in right-handed coordinates, of one projection.
struct Room {
  Vector source;
  Vector corner, column, row; // of the detector, as in a view
  Vector point, axis; // the origin of the object, on the axis of rotation; the axis's direction, towards growing rows
  Vector forward;     // the object's y axis when its stage is at 0 degrees, about from source to detector
};

// The same scan with the middle ray from the source to the object's origin.
struct SetupOfRoom {
  ScanSetup setup;
  double turn; // angle of the projection when the stage is at 0, in radians
};

// Throws Error if the axis lies along the beam, if the middle ray misses the detector's front, or if rows are not at
// right angles to columns.
SINO_VISIBLE SetupOfRoom setup_of (const Room &room);

} // namespace sino
