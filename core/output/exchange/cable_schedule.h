// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <filesystem>
#include <string>

namespace hw {

/// The fields of one logical link in the cable schedule, in the order of `kCableColumns`.
/// Numbers count from 1; -1 = does not apply.
struct CableRow {
    LinkId link;
    std::string_view network;
    struct End {
        std::string_view device, hall, row, rack;
        std::string port;
        int u = -1;
        std::string_view transceiver;
    } from, to;
    int rail = -1, plane = -1;
    int rateGbps = 0;
    std::string_view medium;
    std::int32_t lengthMm = 0;
    Maybe<CableId> cable;
};

inline constexpr std::array<const char*, 23> kCableColumns{
    "id",        "network", "from_device", "from_port",        "from_hall",      "from_row", "from_rack",     "from_u",
    "to_device", "to_port", "to_hall",     "to_row",           "to_rack",        "to_u",     "rail",          "plane",
    "rate_gbps", "medium",  "length_m",    "transceiver_from", "transceiver_to", "label",    "physical_cable"};

/// Walks the data links of a design in the order of their ids. Made once per export; views into the
/// figures' snapshot stay valid as long as the figures do.
class CableSchedule {
public:
    explicit CableSchedule(const Figures& figures);
    [[nodiscard]] const std::vector<LinkId>& links() const { return m_links; }
    void read(LinkId link, CableRow& row) const;
    /// "host-…:nic1p1 > tor-…:port3s1": what is printed on both ends.
    [[nodiscard]] static std::string label(const CableRow& row);

private:
    void readEnd(PortId port, CableRow::End& end) const;
    const Figures& m_figures;
    std::vector<LinkId> m_links;
};

/// True for a link that carries data: what the schedule and the fiber figures count.
[[nodiscard]] bool isDataLink(const Snapshot& snapshot, LinkId link);

/// Columns that `reasons` adds behind the others.
inline constexpr std::array<const char*, 8> kReasonColumns{"cables", "panels",    "loss_db",         "budget_db",
                                                           "reason", "runner_up", "runner_up_extra", "excluded"};

/// Writes .csv or .xlsx by the name's ending (Usage for another one); whole or not at all. `reasons`: with why each is what it is.
[[nodiscard]] Result<void> writeCableSchedule(const Figures& figures, const std::filesystem::path& file, const Progress& progress = {},
                                              bool reasons = false);

} // namespace hw
