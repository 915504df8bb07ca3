// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "tests/figures/small_hall.h"

/// A hall that is cooled from the cabinet to the outdoor air: two rows of cabinets (140 kW each, 112 kW of it to liquid) with a manifold each,
/// a header over either row, both joined; CDUs of 1.3 MW, fan walls, a header of facility water behind pumps, and chillers behind another one.
struct CoolingHall : hw::test::SmallHall {
    struct Size {
        int cabinets = 28, cdus = 4, fans = 3, pumps = 2, chillers = 4;
    };
    hw::TierId coolingTier;
    std::array<hw::RowId, 2> rows;
    std::vector<hw::RackId> racks;
    std::vector<hw::DeviceId> cabinets, manifolds, cdus, fans, pumps, chillers;
    std::vector<hw::LinkId> hoses;       ///< by cabinet
    std::vector<hw::LinkId> cduPipes;    ///< by CDU: to its header
    std::array<hw::DeviceId, 2> headers; ///< by row
    hw::LinkId joint;                    ///< of the headers
    hw::DeviceId hallHeader, plantHeader;

    CoolingHall() : CoolingHall(Size{}) {}
    explicit CoolingHall(const Size& size);

    [[nodiscard]] const hw::CoolingChain& chain(); ///< of the design as it stands now
    hw::DeviceId add(const std::string& name, hw::TierId tier, const std::string& type);
    /// A coolant link with a pipe or hose part and a length by hand, 0 = from the places.
    hw::LinkId connect(hw::DeviceId taker, hw::DeviceId feeder, const std::string& pipe = {}, int lengthMm = 0);
    void feed(hw::DeviceId consumer, hw::DeviceId supplier); ///< a power link
    void erase(hw::LinkId link);
    void erase(hw::DeviceId device); ///< with its links
    void change(const std::string& slug, const std::string& from, const std::string& to);

private:
    void addParts();
    void addCabinets(int count);
    void addPlant(const Size& size);
    void define(const std::string& slug, const std::string& own);
    hw::PortId socket(hw::DeviceId device, hw::PortRole role, hw::Medium medium = hw::Medium::Coolant);
    hw::FiguresPtr m_figures;
};
