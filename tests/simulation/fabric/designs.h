// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"
#include "tests/simulation/near.h"
#include "tests/template/shipped_design.h"

#include <cmath>
#include <map>
#include <string>
