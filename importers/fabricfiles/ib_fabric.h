// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/result.h"
#include "core/output/exchange/formats.h"

#include <set>
#include <string>
#include <vector>

namespace hw::importers {

/// The part of a design that a subnet manager sees.
class IbFabric {
public:
    /// `network`: its name; empty: all networks with ports of an InfiniBand type. Error: Refused where there is none, with the way out.
    [[nodiscard]] static Result<IbFabric> of(const Figures& design, const std::string& network);

    [[nodiscard]] bool has(LinkId link) const;
    [[nodiscard]] const std::vector<DeviceId>& switches() const { return m_switches; } ///< with links of the fabric, in the order of ids
    [[nodiscard]] const std::vector<DeviceId>& hosts() const { return m_hosts; }

    /// How a subnet manager names an end: "leaf01" and port 21, or "host1 HCA-2" and port 1.
    struct End {
        std::string node;
        int port = 0;
    };
    [[nodiscard]] End end(PortId port) const;

private:
    explicit IbFabric(const Figures& design) : m_design(design) {}
    [[nodiscard]] bool isSwitch(DeviceId device) const;
    const Figures& m_design;
    std::set<NetworkId> m_networks;
    std::vector<DeviceId> m_switches, m_hosts;
    std::vector<int> m_numbers; ///< by port: its number among the data ports of its device
};

/// A text file about the part that a subnet manager sees.
class IbExporter : public exchange::Exporter {
public:
    bool oneFile() const final { return true; }
    bool takesNetwork() const final { return true; }
    bool takesPhase() const final { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const final;

private:
    [[nodiscard]] virtual Result<std::string> textOf(const exchange::ExportJob& job, const Snapshot& design, const IbFabric& fabric) const = 0;
};

} // namespace hw::importers
