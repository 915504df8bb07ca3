// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

/// Times the 3D view on this machine's OpenGL, in a window of 1400 x 900: median frame while orbiting the
/// whole pod, near a rack, and over eight pods; building the scene; the next frame after a row moved;
/// picking. Needs a QApplication made after TwinView::prepareApplication(). False without OpenGL.
bool benchTwin(std::ostream& out);
