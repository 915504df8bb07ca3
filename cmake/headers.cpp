// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for the sake of its precompiled headers; see hw_headers in cmake/hallwright.cmake.
