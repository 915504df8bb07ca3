// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monitoring/emulated.h"

#include <set>

/// Faults that are done to an emulated hall, and what the watch makes of its values.
struct FaultCase {
    std::string kind;                ///< "busway"
    std::vector<std::string> deeds;  ///< "fail NAME", one after the other in one second
    std::vector<std::string> causes; ///< names that have to be said, with ":gpu3" where it is part of a host
    int mostS = 0;                   ///< that it is watched for; 0: as the run says
};
struct FaultFound {
    FaultCase fault;
    std::vector<std::string> named;   ///< causes that stand at the end
    std::vector<std::string> located; ///< places of link symptoms that stand at the end
    std::vector<std::string> wrong;   ///< causes that stood at any time and were none
    std::vector<std::string> falsely; ///< of wrong, those beside which no right one was listed
    std::vector<std::string> beside;  ///< other alarms that began meanwhile, in words
    bool all = false;                 ///< exactly the right ones
    bool among = false;               ///< as many as there are, each the right one or beside it as not to be told apart
    int seconds = -1;                 ///< until the last of them was named
    std::string said;
};
struct FaultRun {
    int warmUpS = 60, mostS = 60;
    double missingPercent = 5;
    hw::emulation::Options options;
};
/// Names of the causes that stand.
[[nodiscard]] std::set<std::string> causesOf(const hw::FiguresPtr& figures, const hw::monitoring::Frame& frame);
[[nodiscard]] FaultFound tryFault(const hw::FiguresPtr& figures, const FaultCase& fault, const FaultRun& run);
/// The same for several faults of one hall, which is watched once until then: each is tried in a copy of the process.
[[nodiscard]] std::vector<FaultFound> tryFaults(const hw::FiguresPtr& figures, const std::vector<FaultCase>& faults, const FaultRun& run);
/// "31 of 40 named exactly, 4 beside what cannot be told apart, 5 not; 2 with another cause for a while; half after 4 s, all after 26 s".
[[nodiscard]] std::string ratesOf(const std::vector<FaultFound>& rows);
[[nodiscard]] std::string tableOf(const std::vector<FaultFound>& rows);
/// One element of each kind of power, cooling and network equipment that the design has.
[[nodiscard]] std::vector<FaultCase> oneOfEachKind(const hw::FiguresPtr& figures);
[[nodiscard]] std::vector<FaultCase> pairsOf(const std::vector<FaultCase>& singles);
