// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <string>
#include <vector>

namespace hw {

class ProjectParts;

/// How many there are, and the first few of them by name in the order of their ids.
struct NamedSet {
    static constexpr std::int64_t kMostNamed = 8;
    std::int64_t count = 0;
    std::vector<Text> names;

    template <class MakeName>
    void add(MakeName&& makeName, std::int64_t times = 1)
    {
        if (count < kMostNamed) {
            if constexpr (std::is_same_v<decltype(makeName()), Text>)
                names.push_back(makeName());
            else
                names.push_back(verbatim(makeName()));
        }
        count += times;
    }
    [[nodiscard]] bool empty() const { return count == 0; }
    bool operator==(const NamedSet&) const = default;
};

/// Smallest and largest of some values; empty until the first.
template <class T>
struct ValueRange {
    T min{}, max{};
    bool any = false;

    void add(T value)
    {
        min = any && min < value ? min : value;
        max = any && value < max ? max : value;
        any = true;
    }
    [[nodiscard]] bool equal() const { return min == max; }
    bool operator==(const ValueRange&) const = default;
};

/// What is known for certain about one network as it is cabled. Everything is computed from the links of
/// the snapshot, nothing from a template's formula. A *NIC* is what an end device joins the network with:
/// ports whose interface names differ only in a trailing "p1", "p2". End devices do not forward, except
/// those that are joined to each other by `peer` ports. A *cable* is one link of the cable schedule (each
/// leg of a breakout counts), with its full rate both ways at once.
struct NetworkProof {
    NetworkId network;
    std::string name;
    std::vector<std::string> carriers; ///< networks that this one runs over; proved together with them
    bool scaleUp = false;              ///< made of separate domains, each to be joined within itself only
    bool management = false;           ///< its NICs are management ports: BMCs, PDUs, switches

    struct Size {
        std::int64_t switches = 0, endDevices = 0, nics = 0, backupNics = 0, cables = 0;
        bool operator==(const Size&) const = default;
    } size;

    /// How it was proved.
    struct Method {
        std::int64_t classes = 0;            ///< cells of the coarsest equitable partition of switches and NICs
        std::int64_t twins = 0;              ///< sets of NICs that are cabled to the same switches in the same way
        std::int64_t sourceClasses = 0;      ///< of active NICs under the symmetries that were verified cable by cable
        std::int64_t sources = 0, pairs = 0; ///< sources whose paths to every NIC were counted; pairs whose cuts were solved
        bool exhaustive = true;              ///< false: too irregular, only `sources` and `pairs` were examined
        bool operator==(const Method&) const = default;
    } method;

    /// Whether the NICs of one plane (-1: of the whole network) reach each other through its switches.
    struct Part {
        int plane = -1;
        std::int64_t switches = 0, nics = 0, pieces = 0;
        bool connected = false;
        bool withinRails = false; ///< each rail is in one piece, even where the rails are not joined
        NamedSet missing;         ///< NICs without a cable into it
        NamedSet cutOff;          ///< NICs that the largest piece (of their rail) does not reach
        bool operator==(const Part&) const = default;
    };
    struct Connectivity {
        bool throughHosts = false;    ///< all end devices hang together when they may forward
        bool devicesMeet = false;     ///< every two end devices have NICs that switches join
        bool peersForward = false;    ///< end devices that peer ports join to each other pass traffic on
        bool throughSwitches = false; ///< every two NICs (of a scale-up domain) share a plane whose switches join them
        Part whole;
        std::vector<Part> planes;               ///< where the network has more than one
        NamedSet separateDevices;               ///< end devices that not even the hosts join to the rest; none in a scale-up network
        ValueRange<std::int64_t> domainDevices; ///< end devices of what hangs together
        std::int64_t domains = 0;
        NamedSet idleSwitches; ///< without any cable
        /// All end devices are joined, each rail is in one piece, in every plane too; rails need not be joined. Of a scale-up network: its domains
        /// are equal, and each is joined.
        [[nodiscard]] bool holds(bool scaleUp) const;
        bool operator==(const Connectivity&) const = default;
    } connectivity;

    struct Wiring {
        NamedSet portsUsedTwice, portsOfOtherNetworks, ratesThatDiffer, endToEnd; ///< endToEnd: cables between two NICs
        NamedSet cablesUsedTwice, linksWithoutCable;
        NamedSet planesCrossed;  ///< cables that join two planes
        NamedSet nicsOnOnePlane; ///< several cabled ports, all in one plane of several
        NamedSet uncabledPorts;  ///< NIC ports that are in no cable (no fault by itself)
        bool planesDisjoint = true;
        std::string planesMeetAt; ///< lowest tier that belongs to no plane and joins several; empty: nowhere
        [[nodiscard]] bool sound() const;
        bool operator==(const Wiring&) const = default;
    } wiring;

    /// How evenly two tiers are cabled. `even`: every switch of a side has as many cables as its likes,
    /// and every joined pair has as many cables as the others.
    struct TierPair {
        std::string lower, upper;
        bool access = false;                                  ///< `lower` are end devices; how full each switch is, is a choice
        ValueRange<std::int64_t> perLower, perUpper, perPair; ///< cables
        bool even = true;
        NamedSet where; ///< those that differ from most
        bool operator==(const TierPair&) const = default;
    };
    std::vector<TierPair> tiers;

    struct Choice {
        std::string tier;
        std::int64_t choices = 0, ports = 0;
        bool up = false;
        bool operator==(const Choice&) const = default;
    };
    /// Pairs of active NICs that stand to each other alike, e.g. "same rail, other segment". Paths are those of
    /// the cabling; routing may forbid some that lead down and up again.
    struct PairClass {
        Text label;
        bool otherRail = false;
        bool reachable = true;                                     ///< all of them, through switches
        ValueRange<std::int64_t> hops;                             ///< switches on a shortest path
        ValueRange<std::uint64_t> paths;                           ///< shortest paths, parallel cables counted one by one
        ValueRange<std::uint64_t> pathsPerPort;                    ///< of them from one port of the source (so: of one plane)
        Text fewest;                                               ///< a pair with the fewest, where they differ
        ValueRange<std::int64_t> disjointCables, disjointSwitches; ///< paths that share none (Menger); only of solved pairs
        /// Choices that hashing makes on the way from one port of the source, hop by hop, of a pair with the
        /// most paths: what a sender that wants a path of its own must search is their product.
        std::vector<Choice> choices;
        [[nodiscard]] std::uint64_t searchSpace() const;
        [[nodiscard]] std::uint64_t searchSpaceUp() const;    ///< only on the way up
        [[nodiscard]] std::uint64_t searchSpaceBlind() const; ///< all ports of the switches that choose: not knowing which lead on
        bool operator==(const PairClass&) const = default;
    };
    std::vector<PairClass> pairs;

    /// Max-flow between two halves of the active NICs: no routing carries more, and splitting flows
    /// carries this much. Of pods and of segments the lower against the upper half and the odd against the
    /// even ones are tried, and the worse is kept; it says nothing about other halves.
    struct Bisection {
        std::string level; ///< "pods", "segments" …
        Text halves;
        std::int64_t wantedGbps = 0, carriedGbps = 0; ///< wanted: what the smaller half's ports can send
        std::int64_t cells = 0;                       ///< of the quotient that the flow was solved on
        [[nodiscard]] double fraction() const { return wantedGbps > 0 ? double(carriedGbps) / double(wantedGbps) : 1.0; }
        bool operator==(const Bisection&) const = default;
    };
    std::vector<Bisection> bisections;
    [[nodiscard]] const Bisection* worstBisection() const; ///< null where there are no two halves

    /// The fewest switches (cables) whose loss parts two NICs that reach each other now.
    struct Cut {
        std::int64_t size = 0;
        std::vector<std::string> members;
        Text between;
        bool operator==(const Cut&) const = default;
    };
    Cut switchCut, cableCut;               ///< size 0: no two NICs reach each other
    NamedSet singleSwitches, singleCables; ///< whose loss alone parts two NICs
    std::vector<Text> flags;               ///< what a planner should know, in words

    [[nodiscard]] bool hasCables() const { return size.cables > 0; }
    /// All hang together, but only if end devices passed traffic on, as in BCube: that is not modeled, here or anywhere.
    [[nodiscard]] bool needsForwarding() const { return hasCables() && !scaleUp && connectivity.throughHosts && !connectivity.devicesMeet; }
    /// Connected, wired soundly and planes apart. Uneven or thin is no failure.
    [[nodiscard]] bool holds() const;
    bool operator==(const NetworkProof&) const = default;
};

/// Proves every network of a design on dense arrays, in the order of their ids; any thread. Time is linear in cables where a network has
/// the symmetry that its coordinates promise. Error: Canceled.
[[nodiscard]] Result<std::vector<NetworkProof>> proveNetworks(const Snapshot& snapshot, const ProjectParts& parts, const Progress& progress = {});

} // namespace hw
