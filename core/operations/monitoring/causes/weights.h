// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// What a point says for or against a set of causes; one that reads nothing where nothing has to be read is 1. All are assumed: chosen so that the
/// faults of tests/watch and of `tests/bench/run watch faults` are named, with 5 % of the sensors missing. What stands behind each is said beside it;
/// what matters is their order, not their second digit.
namespace hw::monitoring::weight {

// For a cause.
inline constexpr double kSilent = 0.35;     ///< fell silent: its own sensor or network may be at fault, so three are worth one that reads nothing
inline constexpr double kRose = 0.4;        ///< a load rose: jobs do that, too, but not on one side alone
inline constexpr double kReserve = 1;       ///< a reserve that carries nothing as a rule carries load: no job does that
inline constexpr double kFell = 0.25;       ///< a load fell: most of what jobs do
inline constexpr double kWarm = 0.3;        ///< a temperature rose: many losses end in warmth
inline constexpr double kLater = 0.6;       ///< what may die later died at once: a nearer cause has to win over one further up
inline constexpr double kForAWhile = 0.95;  ///< dead until others take over: of two that explain alike, what is dead for good is nearer
inline constexpr double kNotEvenOwn = 0.5;  ///< reads nothing at all where the element's own loss should be left: it is dead rather than idle
inline constexpr double kNearlyEmpty = 0.6; ///< fell where it should read next to nothing
inline constexpr double kPart = 0.3;        ///< reads nothing where it should read less

// Against it.
inline constexpr double kWrongWay = -0.5;     ///< rose where it should be empty, fell where it should be dead
inline constexpr double kTooMuch = -0.3;      ///< reads nothing where it should carry on
inline constexpr double kRoseDead = -1;       ///< rose where it should be dead
inline constexpr double kLivesOn = 1;         ///< says since it began that all is well, and should be dead
inline constexpr double kStaysLow = 0.4;      ///< should carry half as much again, and does not: jobs may have ended meanwhile
inline constexpr double kStaysHigh = 0.3;     ///< should have lost half
inline constexpr double kHardlyChanges = 0.1; ///< should have changed by less than that, or is driven: pumps and fans give what they can

inline constexpr float kShownUp = 1.4f, kShownDown = 0.6f; ///< of what it carried: nearer to it a change is not told from none, see evidence.cpp

// Of a set.
inline constexpr double kPrice = 0.6;       ///< of each element: above what one point that reads nothing may be in error, below what two say
inline constexpr double kPlacePrice = 1;    ///< of a rack: more than of a second element, once a first one stands
inline constexpr double kRowPrice = 1.3;    ///< of a row: more than of both feeds, by which alone a row loses its power
inline constexpr double kAlikePlace = 0.3;  ///< by which a place and what fails in it may differ: values do not decide (assumed)
inline constexpr double kKept = 0.4;        ///< less for one that stands already: that it failed is known
inline constexpr double kHardEnough = 0.8;  ///< of values that are there and that nothing else in the set explains, to name a cause; twice, of rises
inline constexpr double kVotesOfBest = 0.2; ///< of the most votes, to be tried: saves time only
inline constexpr double kSeenW = 100;       ///< an element's own loss from which a meter shows it
inline constexpr std::int64_t kTrickleMs = 10'000; ///< in which all of one fault shows
inline constexpr std::int64_t kInFlightMs = 2000;  ///< a value that comes so soon after may be from before
inline constexpr std::int64_t kPortsMs = 90'000;   ///< in which all ports are read
inline constexpr std::size_t kMostCauses = 12, kMostTried = 400;
inline constexpr std::size_t kMostPaired = 8, kMostStarts = 3; ///< of the best alone: tried two by two, and as the first of a set
inline constexpr std::size_t kMostBefore = 1500;               ///< sets tried in vain, to look for other beginnings

} // namespace hw::monitoring::weight
