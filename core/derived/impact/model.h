// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/figures.h"
#include "core/derived/impact/coolant.h"

/// What is lost when elements of a design fail together, and what merely has a way less.
namespace hw::impact {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// A network card of a host, or of another end device: all its linked ports in one network.
struct Nic {
    DeviceId device;
    NetworkId network;
    std::uint16_t links = 0;   ///< with nothing lost
    std::uint16_t ordinal = 0; ///< among the device's cards of this network
    bool backend = false;      ///< of a host, and in a backend network: what GPUs live by
};

/// Capacity of a backend network between two of its levels, active links only, toward the tier above.
struct Level {
    NetworkId network;
    std::int16_t level = 0; ///< of the lower end; end devices are at -1
    bool flat = false;      ///< between equals: a ring, a mesh
    bool needed = true;     ///< without it not all hosts would be joined; what is above only joins what is joined already
    std::int64_t gbps = 0;
};

/// The hosts of one segment: what their backend ports carry, and the switches right above them toward the rest.
struct Segment {
    std::int16_t pod = -1, segment = -1;
    std::int64_t accessGbps = 0, upGbps = 0;
};

/// A design as dense arrays, for losses worked out one after the other. Made once for some figures, immutable, shared between threads.
class Model {
public:
    /// Error: Canceled.
    [[nodiscard]] static Result<std::shared_ptr<const Model>> of(FiguresPtr figures, const Progress& progress = {});

    FiguresPtr figures;
    const Snapshot* s = nullptr;
    const ProjectParts* parts = nullptr;
    PowerBasis basis = PowerBasis::Design;
    const PowerChain* chain = nullptr;
    const PowerFeeds* feeds = nullptr;
    std::shared_ptr<const Plant> plant;
    const MediumGraph* data = nullptr;
    CoolantPlant coolant;
    const DesignIndex* index = nullptr;
    const FailureDomains* domains = nullptr;
    const FeederDomains* feeders = nullptr;

    std::vector<Nic> nics;                  ///< by device, network and place in the device
    std::vector<std::uint32_t> firstNic;    ///< by device, one entry more
    std::vector<std::uint32_t> nicOfPort;   ///< kNone: no port of a card, or not linked
    std::vector<std::uint16_t> backendNics; ///< by device
    std::vector<std::uint16_t> gpus;        ///< accelerators, by device
    std::vector<char> backup, host;         ///< by device
    std::vector<std::uint16_t> uplinks;     ///< data links toward the tier above, by switch

    std::vector<Level> levels;
    std::vector<Segment> segments;
    std::vector<std::uint16_t> levelOfLink;   ///< 0xFFFF: not a backend's, or backup
    std::vector<std::uint32_t> segmentOfLink; ///< kNone: counts for none
    std::vector<char> accessLink;             ///< by link: from an end device
    std::vector<std::uint32_t> lowerOfLink;   ///< the switch whose uplink it is; kNone: no switch, or no way up

    /// What it takes out; zero for what is no cooling equipment or states nothing.
    [[nodiscard]] Milliwatts coolingCapacity(DeviceId id) const
    {
        return s->tiers.kind[s->devices.tier[id]] == TierKind::Cooling ? parts->device(s->devices.type[id]).capacity.value : Milliwatts();
    }
    /// Every data link whose cable runs through the tray, ascending.
    [[nodiscard]] std::vector<LinkId> linksThrough(TrayId tray) const { return domains->linksThrough(tray); }
    /// Every feeder and pipe that runs through the tray or duct, ascending.
    [[nodiscard]] std::vector<LinkId> feedersThrough(TrayId tray) const { return feeders->linksThrough(tray); }
    /// The way of power that is a link; `feed` counts within its consumer.
    [[nodiscard]] std::optional<power::Network::Use> wayOf(LinkId link) const;

private:
    void readDevices();
    void readNics();
    void readLinks();
    void findNeeded();
    void readWays();
    [[nodiscard]] std::uint16_t levelAt(NetworkId network, std::int16_t level, bool flat);
    [[nodiscard]] bool isBackend(NetworkId network) const { return s->networks.kind[network] == NetworkKind::Backend; }

    std::vector<std::pair<LinkId, power::Network::Use>> m_ways; ///< ascending by link
};
using ModelPtr = std::shared_ptr<const Model>;

} // namespace hw::impact
