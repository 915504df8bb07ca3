// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/proof.h"

#include <functional>
#include <map>
#include <set>

/// The same facts found the slow way, straight from the tables and by trying: paths walked one by one,
/// plain max-flow over single links, every set of switches taken away. For tiny networks of one fabric.
class BruteForce {
public:
    using Removed = std::set<std::uint32_t>; ///< devices, or links

    struct Class {
        bool reachable = true;
        hw::ValueRange<std::int64_t> hops, disjointCables, disjointSwitches;
        hw::ValueRange<std::uint64_t> paths, pathsPerPort;
    };

    BruteForce(const hw::Snapshot& snapshot, hw::NetworkId network);

    [[nodiscard]] std::map<std::string, Class> classes() const; ///< by label
    [[nodiscard]] bool everyPairMeets() const;
    [[nodiscard]] std::vector<std::string> singleSwitches() const;
    [[nodiscard]] std::int64_t singleCables() const;
    /// Whether taking these away parts two NICs that reach each other now.
    [[nodiscard]] bool parts(const Removed& devices, const Removed& links) const;
    /// Max-flow in Gb/s between NICs of hosts on side 0 and side 1 (by device; others stay out).
    [[nodiscard]] std::int64_t flow(const std::map<std::uint32_t, int>& side) const;
    [[nodiscard]] std::int64_t flowBetweenRails(const std::map<int, int>& side) const; ///< the same by rail
    [[nodiscard]] std::vector<hw::DeviceId> activeHosts() const;
    [[nodiscard]] std::set<int> rails() const;
    [[nodiscard]] Removed switchesNamed(const std::vector<std::string>& names) const;
    [[nodiscard]] Removed linksNamed(const std::vector<std::string>& names) const; ///< "a - b", all parallel ones

private:
    struct Link {
        std::uint32_t id, a, b;
        int gbps;
    }; ///< devices
    struct Nic {
        std::uint32_t device;
        int number;
        std::vector<Link> links;
        int pod, segment, rail;
        bool backup;
    }; ///< b: the switch

    [[nodiscard]] bool reach(const Nic& a, const Nic& b, const Removed& devices, const Removed& links) const;
    [[nodiscard]] std::map<std::uint32_t, std::uint32_t> distancesTo(const Nic& target) const;
    [[nodiscard]] std::uint64_t walk(std::uint32_t at, const Nic& target, const std::map<std::uint32_t, std::uint32_t>& distance) const;
    void count(const Nic& a, const Nic& b, Class& out) const;
    [[nodiscard]] std::int64_t cableFlow(const Nic& a, const Nic& b) const;
    [[nodiscard]] std::int64_t switchCut(const Nic& a, const Nic& b) const;
    [[nodiscard]] std::int64_t flowOf(const std::function<int(const Nic&)>& side) const; ///< 0, 1, else neither
    [[nodiscard]] std::string label(const Nic& a, const Nic& b) const;

    const hw::Snapshot& m_s;
    std::vector<std::uint32_t> m_switches;
    std::vector<Link> m_links; ///< between switches
    std::vector<Nic> m_nics;
    int m_rails = 1;
};
