// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sizing/runs.h"

int main(int argc, char** argv) { return runSizingTest(argc, argv) + runDemandTest(argc, argv) + runCompareTest(argc, argv); }
