// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace training {

/// Where a host stands in the fabric. Coordinates count from 0, -1 where the fabric gives none.
struct HostPlace {
    int pod = 0, segment = 0;
    int domain = -1; ///< hosts of one number share a scale-up (x-link) domain; -1: the host is its own
};

/// How a job gets its hosts from those that are free; the order of the hosts is the order of its ranks.
enum class Placement : std::uint8_t {
    Contiguous,         ///< the first free ones, by pod, segment and place
    Packed,             ///< rail- and pod-aware: the fewest pods, then the fewest segments (best fit), so that rail neighbors share their ToR
    Random,             ///< seeded
    AlternatingPods,    ///< one from each pod in turn
    AlternatingSegments ///< one from each segment in turn
};
[[nodiscard]] const char* name(Placement placement);
inline constexpr Placement kPlacements[] = {Placement::Contiguous, Placement::Packed, Placement::Random, Placement::AlternatingPods,
                                            Placement::AlternatingSegments};

/// `count` hosts (indices into `places`) out of those with `free[i]` (empty: all). Places are in the order of pod, segment and
/// place. Errors: Refused when there are not enough.
[[nodiscard]] Result<std::vector<std::uint32_t>> placeHosts(std::span<const HostPlace> places, std::span<const std::uint8_t> free,
                                                            std::uint32_t count, Placement placement, std::uint64_t seed = 1);

/// Pods and segments that the hosts stand in.
struct Spread {
    std::uint32_t pods = 0, segments = 0;
};
[[nodiscard]] Spread spreadOf(std::span<const HostPlace> places, std::span<const std::uint32_t> hosts);

/// How ranks are laid out so that groups that exchange most stay inside a scale-up domain: units of hosts, each with so many ranks.
struct DomainUnit {
    std::uint32_t hosts = 1, ranks = 8;
    bool operator==(const DomainUnit&) const = default;
};

/// The unit that keeps blocks of `block` ranks whole and uses most of a domain of `domainHosts` hosts; the smallest of equal ones. A block
/// that is larger than a domain cannot be kept: one host with all its GPUs.
[[nodiscard]] DomainUnit domainUnit(std::uint32_t block, std::uint32_t gpusPerHost, std::uint32_t domainHosts);

/// Free hosts by unit, each inside one domain, and what of them a job can use.
class DomainUnits {
public:
    DomainUnits(std::span<const std::uint32_t> domainOfHost, std::span<const HostPlace> places, std::span<const std::uint8_t> free,
                const DomainUnit& unit);
    [[nodiscard]] std::int64_t gpus() const { return std::int64_t(m_places.size()) * m_unit.ranks; }
    /// Hosts for so many ranks, unit by unit. Errors as placeHosts().
    [[nodiscard]] Result<std::vector<std::uint32_t>> place(std::int64_t ranks, Placement placement, std::uint64_t seed) const;

private:
    DomainUnit m_unit;
    std::vector<HostPlace> m_places;    ///< by unit
    std::vector<std::uint32_t> m_hosts; ///< unit.hosts for each
};

/// Rank r runs on GPU r % gpusPerHost of the job's host r / gpusPerHost, as launchers that start one process a GPU number them; with a
/// unit of fewer ranks than its hosts have GPUs, the last of them stay idle.
class RankPlaces {
public:
    RankPlaces() = default;
    RankPlaces(std::vector<std::uint32_t> hosts, std::uint32_t gpusPerHost) : RankPlaces(std::move(hosts), gpusPerHost, {1, gpusPerHost}) {}
    RankPlaces(std::vector<std::uint32_t> hosts, std::uint32_t gpusPerHost, const DomainUnit& unit)
        : m_hosts(std::move(hosts)), m_perHost(gpusPerHost), m_unit(unit), m_full(unit.ranks == unit.hosts * gpusPerHost)
    {
    }
    [[nodiscard]] std::uint32_t host(std::uint32_t rank) const { return m_hosts[slot(rank) / m_perHost]; }
    [[nodiscard]] std::uint32_t local(std::uint32_t rank) const { return slot(rank) % m_perHost; }
    [[nodiscard]] std::uint32_t gpu(std::uint32_t rank) const { return host(rank) * m_perHost + local(rank); } ///< over all hosts of the design
    [[nodiscard]] std::uint32_t gpusPerHost() const { return m_perHost; }
    [[nodiscard]] const std::vector<std::uint32_t>& hosts() const { return m_hosts; }

private:
    /// GPU among those of the job's hosts.
    [[nodiscard]] std::uint32_t slot(std::uint32_t rank) const
    {
        return m_full ? rank : rank / m_unit.ranks * m_unit.hosts * m_perHost + rank % m_unit.ranks;
    }

    std::vector<std::uint32_t> m_hosts;
    std::uint32_t m_perHost = 8;
    DomainUnit m_unit;
    bool m_full = true; ///< no GPU of the hosts stays idle
};

} // namespace training
} // namespace hw::sim
