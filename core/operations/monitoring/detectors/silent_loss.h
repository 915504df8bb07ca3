// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/system_detector.h"

namespace hw::monitoring {

/// Packets that vanish while no port counts errors or drops: the RDMA NICs whose packets pass there ask for them again, or are asked. NICs that do
/// so more than the others of their network have in common what loses the packets.
class SilentLoss {
public:
    SilentLoss(const Figures& figures, const bindings::Bound& bound, const Plans& plans);
    /// Of one network.
    struct Loss {
        EntityRef at;                                 ///< a link, an access switch or a network
        bindings::PointNo point = bindings::kNoPoint; ///< the worst NIC's
        float share = 0, others = 0;                  ///< of its packets; of those of a quiet NIC
        std::uint32_t nics = 0, ofNics = 0;           ///< that show it, of those with traffic there
        std::vector<DeviceId> above;                  ///< switches that its access switches have in common, where it may be as well
        friend bool operator==(const Loss&, const Loss&) = default;
    };
    /// All of now. `counted`: networks in which ports count errors or drops, which are not looked at.
    [[nodiscard]] std::vector<Loss> look(const Readings& readings, std::int64_t atMs, double leastShare, const std::set<std::uint32_t>& counted);
    [[nodiscard]] bool isEmpty() const { return m_networks.empty(); }

private:
    struct Nic {
        std::vector<bindings::PointNo> counters; ///< what it sent again, missed, or waited for in vain
        bindings::PointNo sent = bindings::kNoPoint, received = bindings::kNoPoint;
        std::uint32_t link = 0;
        DeviceId access;
        float rate = 0;  ///< bit/s
        float share = 0; ///< of its packets, now; below 0: it sends too little
    };
    [[nodiscard]] float shareOf(const Nic& nic, const Readings& readings, std::int64_t atMs) const;
    void place(const std::vector<const Nic*>& bad, std::span<const Nic> nics, Loss loss, std::uint32_t network, std::vector<Loss>& out) const;

    const Snapshot& s;
    const DesignIndex& m_index;
    std::map<std::uint32_t, std::vector<Nic>> m_networks;
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeSilentLoss(const DetectorScene& scene);

} // namespace hw::monitoring
