// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The test classes of this executable, each in a file of its own; 0 = all passed.
int runSizingTest(int argc, char** argv);
int runDemandTest(int argc, char** argv);
int runCompareTest(int argc, char** argv);
