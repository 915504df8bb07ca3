// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/compare.h"

#include <functional>

namespace hw::asbuilt {

/// Sightings in the design's terms: every cable once however many saw it from however many ends, at most one cable at a port. Where sightings
/// disagree, those hold that were made from both ends; then what speaks on the wire (LLDP, ibnetdiscover) before a label before an inventory;
/// then the later ones.
class SeenLinks {
public:
    SeenLinks(const Snapshot& snapshot, const ProjectParts& parts, NameRules rules, std::span<const Sighting> sightings);

    [[nodiscard]] const SeenLink* between(PortId a, PortId b) const; ///< null: not seen
    [[nodiscard]] const SeenLink* at(PortId port) const;             ///< whatever is plugged there
    /// Their devices are joined by a cable of which a port could not be told; each such cable stands for one planned link.
    [[nodiscard]] bool joinsSomehow(PortId a, PortId b);
    [[nodiscard]] bool isUnreadable(PortId port) const { return m_unreadable.contains(port); } ///< something is there, and nothing else is known
    [[nodiscard]] bool lookedAt(PortId port) const;                                            ///< some witness would have seen what is plugged there
    [[nodiscard]] bool wasNamed(DeviceId device) const { return m_named.contains(device); }
    /// Those that are not in the plan, in the order in which they were reported.
    [[nodiscard]] std::vector<const SeenLink*> notIn(const std::function<Maybe<PortId>(PortId)>& plannedPeer) const;

    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] const std::vector<CaptureIssue>& unmatched() const { return m_unmatched; }
    [[nodiscard]] const std::vector<CaptureIssue>& contradictions() const { return m_contradictions; }
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> strangers() const { return {m_strangers.begin(), m_strangers.end()}; }

private:
    struct ReportedLink {
        SeenLink link;
        bool fromA = false, fromB = false; ///< which ends told of it, by the order of ports
        Witness best = Witness::NetBox;
        bool used = false;
    };
    void resolve(std::span<const Sighting> sightings);
    void forgetPassersBy();
    void hearPorts(std::span<const Sighting> sightings);
    void tell(const Sighting& one, SeenEnd from, SeenEnd to);
    void takeBest();
    void takeHalves();
    void noteNetwork(Witness witness, PortId port);
    [[nodiscard]] SeenEnd endOf(const std::string& device, const std::string& port);
    void settle(std::size_t number);

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    DeviceNames m_devices;
    PortNames m_ports;
    std::vector<ReportedLink> m_links;                                   ///< with both ports
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_of; ///< by their ports
    std::vector<SeenLink> m_halves;                                      ///< with one
    std::vector<std::size_t> m_best;                                     ///< of m_links, as they hold
    std::vector<SeenLink> m_bestHalves;
    std::map<std::uint32_t, std::size_t> m_at;             ///< by port: of m_links, or behind them of m_bestHalves
    std::map<std::pair<DeviceId, DeviceId>, int> m_joined; ///< cables without a told port, by their devices
    std::set<DeviceId> m_named;
    std::map<DeviceId, std::set<PortId>> m_scanned;           ///< ports at which labels were
    std::set<PortId> m_unreadable;                            ///< ports at which a label was that nobody can read
    std::set<DeviceId> m_bare;                                ///< devices at which somebody found no label at all
    std::array<std::set<DeviceId>, 4> m_lookers;              ///< by witness
    std::array<std::set<std::uint32_t>, 4> m_networks;        ///< that the witness saw at all
    std::set<std::pair<DeviceId, std::uint8_t>> m_management; ///< devices of which a witness saw a port for management
    std::vector<CaptureIssue> m_unmatched, m_contradictions;
    std::map<std::string, std::int64_t> m_strangers;
    std::int64_t m_count = 0;
};

} // namespace hw::asbuilt
