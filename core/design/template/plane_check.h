// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/spec.h"

namespace hw {

/// What every network with `planes` above 1 must keep, else a TemplateFailure (Refused) at the link rule:
/// switches that servers attach to stand in a plane, no link joins two planes, and the linked ports of one
/// NIC (nic3p1, nic3p2, …, or the ports of one split cage) end on different planes, as many as there are.
void checkPlanes(const Snapshot& design, const Catalog& catalog, const TemplateSpec& spec);

} // namespace hw
