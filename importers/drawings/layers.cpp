// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/layers.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

/// Colors are those of AutoCAD's index: 1 red, 2 yellow, 3 green, 4 cyan, 5 blue, 6 magenta, 7 black or white, 8 and 9 gray.
struct Known {
    On on;
    const char* word;
    DxfLayer layer;
};

const std::array<Known, kLayersOn>& known()
{
    static const std::array<Known, kLayersOn> all{{
        {On::Building, "building", {"A-BLDG", 8}},
        {On::Room, "rooms", {"A-AREA-ROOM", 7, "Continuous", 50}},
        {On::Wall, "walls", {"A-WALL", 7, "Continuous", 50}},
        {On::Column, "columns", {"A-COLS", 7, "Continuous", 50}},
        {On::Door, "doors", {"A-DOOR", 2}},
        {On::Ramp, "ramps", {"A-FLOR-RAMP", 8}},
        {On::KeepOut, "keep-outs", {"A-FLOR-KEEPOUT", 1, "DASHED"}},
        {On::RoomName, "room-names", {"A-FLOR-IDEN", 7}},
        {On::Rack, "racks", {"T-EQPM-RACK", 5, "Continuous", 25}},
        {On::RackName, "rack-names", {"T-EQPM-IDEN", 5}},
        {On::RowName, "row-names", {"T-ANNO-IDEN", 7}},
        {On::Containment, "containment", {"T-EQPM-CONT", 4, "DASHED"}},
        {On::Tray, "trays", {"T-CABL-TRAY", 3}},
        {On::PowerTray, "power-trays", {"E-CABL-TRAY", 1}},
        {On::PipeRack, "pipe-racks", {"M-PIPE-RACK", 8}},
        {On::Supply, "supply-pipes", {"M-PIPE-SUPP", 5}},
        {On::Return, "return-pipes", {"M-PIPE-RETN", 1}},
        {On::Busway, "busways", {"E-POWR-BUSW", 1}},
        {On::Feeder, "feeders", {"E-POWR-CABL", 30, "DASHED"}},
        {On::Power, "power-equipment", {"E-POWR-PANL", 1, "Continuous", 25}},
        {On::Cooling, "cooling-equipment", {"M-EQPM", 4, "Continuous", 25}},
        {On::Equipment, "other-equipment", {"T-EQPM", 6, "Continuous", 25}},
        {On::EquipmentName, "equipment-names", {"E-ANNO-IDEN", 7}},
        {On::Text, "texts", {"T-ANNO-TEXT", 9}},
        {On::Dimension, "dimensions", {"A-ANNO-DIMS", 8}},
        {On::Elevation, "elevations", {"T-ELEV", 7}},
        {On::ElevationName, "elevation-names", {"T-ELEV-IDEN", 7}},
        {On::OneLine, "one-line", {"E-1LIN", 7}},
        {On::CoolingDiagram, "cooling-diagram", {"M-DIAG", 7}},
        {On::Sheet, "title-block", {"A-ANNO-TTLB", 7}},
        {On::Viewport, "viewports", {"A-ANNO-NPLT", 9, "Continuous", -3, false}},
        {On::Underlay, "underlay", {"X-REFR", 8}},
    }};
    return all;
}

} // namespace

Layers::Layers()
{
    for (const Known& each : known()) m_names[std::size_t(each.on)] = each.layer.name;
}

Result<void> Layers::set(const std::string& assignment, const std::string& where)
{
    const auto equals = assignment.find('=');
    const std::string word(trimmed(std::string_view(assignment).substr(0, equals)));
    const auto& all = known();
    const auto found = std::ranges::find_if(all, [&](const Known& each) { return word == each.word; });
    if (equals == std::string::npos || found == all.end()) {
        std::vector<std::string> names;
        for (const Known& each : all) names.emplace_back(each.word);
        return fail(ErrorCode::Usage, where, i18n("'{}' does not assign a layer", assignment),
                    i18n("use NAME=LAYER with one of {}", listedNames(names)));
    }
    const std::string name(trimmed(std::string_view(assignment).substr(equals + 1)));
    if (name.empty() || name.find_first_of("<>/\\\":;?*|,=`^") != std::string::npos)
        return fail(ErrorCode::Refused, where, i18n("'{}' is not a valid layer name", name), i18n("leave out < > / \\ \" : ; ? * | , = ` and ^"));
    m_names[std::size_t(found->on)] = dxfName(name);
    return {};
}

Result<Layers> Layers::of(const std::string& given)
{
    Layers layers;
    for (std::size_t at = 0; at < given.size();) {
        const auto end = std::min(given.find('\n', at), given.size());
        const std::string one = given.substr(at, end - at);
        at = end + 1;
        if (one.find('=') != std::string::npos) {
            if (const auto done = layers.set(one, "--layers"); !done) return tl::unexpected(done.error());
            continue;
        }
        std::ifstream file(one);
        if (!file)
            return fail(ErrorCode::Unreadable, "--layers " + one, i18n("cannot be read"),
                        i18n("specify NAME=LAYER or a file with one assignment per line"));
        std::size_t number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            const std::string text(trimmed(line));
            if (text.empty() || text.starts_with('#')) continue;
            if (const auto done = layers.set(text, fmt::format("{}:{}", one, number)); !done) return tl::unexpected(done.error());
        }
    }
    return layers;
}

std::string Layers::underlay(const std::string& name) const
{
    const std::string& prefix = (*this)[On::Underlay];
    const std::string own = dxfName(name);
    return own.starts_with(prefix + "-") ? own : prefix + "-" + own; // read back, it keeps its name
}

void Layers::declare(DxfFile& file) const
{
    for (const Known& each : known()) {
        DxfLayer layer = each.layer;
        layer.name = (*this)[each.on];
        if (each.on != On::Underlay) file.layer(std::move(layer));
    }
}

std::vector<std::pair<std::string, std::string>> Layers::defaults()
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const Known& each : known()) all.emplace_back(each.word, each.layer.name);
    return all;
}

} // namespace hw::drawings
