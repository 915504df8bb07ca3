// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hw::sim {

/// Where a host stands in the fabric. Coordinates count from 0, -1 where the fabric gives none.
struct HostPlace {
    int pod = 0, segment = 0;
    int domain = -1; ///< hosts of one number share a scale-up (x-link) domain; -1: the host is its own
};

/// How a job gets its hosts from those that are free; the order of the hosts is the order of its ranks.
enum class Placement : std::uint8_t {
    Contiguous,          ///< the first free ones, by pod, segment and place
    Packed,              ///< rail- and pod-aware: the fewest pods, then the fewest segments (best fit), so that rail neighbours share their ToR
    Random,              ///< seeded
    AlternatingPods,     ///< one from each pod in turn
    AlternatingSegments  ///< one from each segment in turn
};
[[nodiscard]] const char* name(Placement placement);
/// Errors: Unreadable, with the names that there are.
[[nodiscard]] Result<Placement> parsePlacement(std::string_view text);

/// `count` hosts (indices into `places`) out of those with `free[i]` (empty: all). Places are in the order of pod, segment and
/// place. Errors: Refused when there are not enough.
[[nodiscard]] Result<std::vector<std::uint32_t>> placeHosts(std::span<const HostPlace> places, std::span<const std::uint8_t> free, std::uint32_t count,
                                                            Placement placement, std::uint64_t seed = 1);

/// Pods and segments that the hosts stand in.
struct Spread { std::uint32_t pods = 0, segments = 0; };
[[nodiscard]] Spread spreadOf(std::span<const HostPlace> places, std::span<const std::uint32_t> hosts);

/// Rank r runs on GPU r % gpusPerHost of the job's host r / gpusPerHost, as launchers that start one process a GPU number them.
class RankPlaces {
public:
    RankPlaces() = default;
    RankPlaces(std::vector<std::uint32_t> hosts, std::uint32_t gpusPerHost) : m_hosts(std::move(hosts)), m_perHost(gpusPerHost) {}
    [[nodiscard]] std::uint32_t host(std::uint32_t rank) const { return m_hosts[rank / m_perHost]; }
    [[nodiscard]] std::uint32_t local(std::uint32_t rank) const { return rank % m_perHost; }
    [[nodiscard]] std::uint32_t gpu(std::uint32_t rank) const { return host(rank) * m_perHost + local(rank); } ///< over all hosts of the design
    [[nodiscard]] std::uint32_t gpusPerHost() const { return m_perHost; }
    [[nodiscard]] const std::vector<std::uint32_t>& hosts() const { return m_hosts; }

private:
    std::vector<std::uint32_t> m_hosts;
    std::uint32_t m_perHost = 8;
};

} // namespace hw::sim
