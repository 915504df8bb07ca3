// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/model.h"

namespace hw::emulation {

/// What counts at the ports of data links. Traffic comes from below: that of a server's jobs, and of a switch what those below it have. Or each
/// link carries what it is told, while the one job goes on.
class DataPorts {
public:
    /// `linkGbps`: see Options.
    DataPorts(const impact::Model& model, std::span<const float> linkGbps);

    struct Fault {              ///< of a link
        double lanes = 0;       ///< in use; 0: all
        double throughGbps = 0; ///< no more gets through, behind the port; 0: its rate
        double setGbps = 0;     ///< that it is set to; 0: as designed
        double lossShare = 0;   ///< of packets, counted where they are dropped
        double silentShare = 0; ///< of packets, counted nowhere
        friend bool operator==(const Fault&, const Fault&) = default;
    };

    /// A step that ends at `ms`: `traffic` by device, seconds of full traffic since the start; of others than hosts it is ignored. `wentOn`:
    /// seconds of the one job.
    void advance(std::int64_t ms, std::span<const double> traffic, std::span<const char> isHost, double wentOn);
    /// From now on links carry this; only where they were given a load before.
    void tell(std::vector<float> linkGbps);
    /// Whether a device has a link that carries something by `linkGbps`.
    [[nodiscard]] bool carries(DeviceId device) const { return !m_full.empty() && m_full[device.value] > 0; }
    /// Which links are up and what is wrong with them from now on. Both by link.
    void change(std::vector<char> up, std::vector<Fault> faults);

    [[nodiscard]] const std::vector<PortId>& linked() const { return m_linked; } ///< data ports with a link, by device
    [[nodiscard]] double sent(PortId port) const { return octets(port, true); }
    [[nodiscard]] double received(PortId port) const { return octets(port, false); }
    [[nodiscard]] double errors(PortId port) const;
    [[nodiscard]] double drops(PortId port) const;
    /// Packets of an RDMA NIC that were lost on the way: `asked` by a peer for them again, or that it asked a peer for.
    [[nodiscard]] double retransmits(PortId port, bool asked) const;
    [[nodiscard]] bool up(PortId port) const { return m_up[linkOf(port)] != 0; }
    [[nodiscard]] double rateBps(PortId port) const; ///< 0 while it is down
    [[nodiscard]] int lanes(PortId port) const;
    /// Of its designed rate, what a transfer gets through it; 0: down.
    [[nodiscard]] double share(PortId port) const;
    [[nodiscard]] double changes(PortId port) const { return m_changes[linkOf(port)]; }    ///< times that the link went down or came back
    [[nodiscard]] double share(DeviceId device) const { return m_shareNow[device.value]; } ///< of full traffic, in the last step

private:
    struct Counters {
        double up = 0, down = 0, errors = 0, drops = 0;
    };
    [[nodiscard]] std::uint32_t linkOf(PortId port) const { return m_model.index->linkOfPort[port.value]; }
    [[nodiscard]] double octets(PortId port, bool sent) const;
    [[nodiscard]] Counters counters(std::uint32_t link) const;
    [[nodiscard]] double rateOf(std::uint32_t link) const;
    [[nodiscard]] int lanesOf(std::uint32_t link) const;
    void fill();
    void findLossy();
    void countLost();
    void fromBelow(double seconds, std::span<const double> traffic, std::span<const char> isHost);
    void asTold(double seconds, std::span<const double> traffic, std::span<const char> isHost, double wentOn);

    const impact::Model& m_model;
    std::vector<float> m_linkGbps; ///< by directed link; empty: from below
    std::vector<double> m_full;    ///< by device: share of all its rates that its links carry then
    std::vector<PortId> m_linked;
    std::vector<std::uint32_t> m_order;              ///< switches and others that carry traffic from below, lowest first
    std::vector<std::vector<std::uint32_t>> m_below; ///< by device: what is right below it
    std::vector<double> m_own;                       ///< by device: share of its traffic that is its own, of what has none below
    std::vector<double> m_seconds, m_shareNow;       ///< by device: full traffic since the start
    std::vector<Counters> m_counters;                ///< by link, at m_since
    std::vector<double> m_since;                     ///< by link: seconds of traffic that are counted
    std::vector<std::int64_t> m_sinceMs;
    std::vector<char> m_up;
    std::vector<std::uint32_t> m_changes; ///< by link
    std::vector<Fault> m_faults;
    struct Lossy {
        std::uint32_t link = 0;
        Counters before;                  ///< of the link, when lost packets were counted last
        std::vector<std::uint32_t> below; ///< links of the NICs under it, ascending
    };
    std::vector<Lossy> m_lossy;
    std::vector<std::uint32_t> m_nicLinks;       ///< of all NICs of hosts, ascending, while something is lost
    std::vector<double> m_nicBefore;             ///< octets that they sent, by m_nicLinks
    std::vector<double> m_nicAsked, m_nicMissed; ///< by link
    std::int64_t m_now = 0;
};

} // namespace hw::emulation
