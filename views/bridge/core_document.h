// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Qt's `emit` is an empty macro, which core's Signal::emit must not meet. Include this before any other
// core header that needs the document.
#pragma push_macro("emit")
#undef emit
#include "core/model/document.h"
#pragma pop_macro("emit")
