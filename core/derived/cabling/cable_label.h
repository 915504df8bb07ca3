// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"

namespace hw {

/// One connector of a cable: what it is plugged into, and where there.
struct CablePlug {
    DeviceId device;
    std::string port; ///< a port's name; of a panel "f5" or "r1-12": positions seen from the front or from behind
    friend bool operator==(const CablePlug&, const CablePlug&) = default;
};

/// Where cables are plugged in. Made once for all that are asked for.
class CablePlugs {
public:
    CablePlugs(const Snapshot& snapshot, const ProjectParts& parts, const Cabling& cabling) : m_s(snapshot), m_parts(parts), m_cabling(cabling) {}
    struct Ends {
        std::vector<CablePlug> from, to; ///< several where an assembly has legs
    };
    /// Of a cable of any medium that has links; empty ends for others.
    [[nodiscard]] Ends of(CableId cable) const;
    /// What is labeled: of a breakout each leg with the port of the trunk that it serves, of any other cable its two ends.
    struct Pair {
        CablePlug from, to;
    };
    [[nodiscard]] std::vector<Pair> pairs(CableId cable) const;

private:
    [[nodiscard]] std::vector<Pair> legs(CableId cable, std::size_t connectors) const;
    [[nodiscard]] std::string panelPort(CableId cable, std::span<const RunId> runs, bool behind) const;
    [[nodiscard]] bool isTrunk(CableId cable) const;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Cabling& m_cabling;
};

/// The label of a cable end, from the pattern of the setting "cabling.label"; `cabling.label_unit` says which unit of a device {u} is.
class CableLabels {
public:
    static constexpr std::string_view kPattern = "{rack}-{u}:{port}/{far_rack}-{far_u}:{far_port}"; ///< after ANSI/TIA-606
    explicit CableLabels(const Snapshot& snapshot);
    /// Why a pattern cannot be: an unknown word in braces; empty where it can.
    [[nodiscard]] static Text fault(std::string_view pattern);
    [[nodiscard]] std::string of(CableId cable, const CablePlug& near, const CablePlug& far) const;
    /// The same in two lines: the near end, and what follows from the first word of the far end on; without what is between them.
    [[nodiscard]] std::pair<std::string, std::string> lines(CableId cable, const CablePlug& near, const CablePlug& far) const;

private:
    struct Piece {
        std::string text; ///< literal, or the word in braces
        bool word = false;
    };
    [[nodiscard]] static std::vector<Piece> piecesOf(std::string_view pattern);
    void add(std::string& out, std::string_view word, CableId cable, const CablePlug& plug) const;
    [[nodiscard]] std::string unit(DeviceId device) const;
    [[nodiscard]] std::string grid(DeviceId device) const;
    const Snapshot& m_s;
    std::vector<Piece> m_pieces;
    std::shared_ptr<const ProjectParts> m_heights; ///< where units count from the top of a device
};

} // namespace hw
