// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/plant/chiller_curves.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/files/csv_table.h"
#include "core/physics/plant/coolers.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hw::plant {

namespace {

double biquadratic(const std::array<double, 6>& c, double supply, double outside)
{
    return c[0] + c[1] * supply + c[2] * supply * supply + c[3] * outside + c[4] * outside * outside + c[5] * supply * outside;
}

Result<ChillerCurves> curvesOf(const CsvTable& table, const CsvTable::Row& row, const std::string& file)
{
    const auto cell = [&](std::string_view column) -> const std::string& {
        static const std::string none;
        const auto at = std::ranges::find(table.header, column);
        return at == table.header.end() ? none : row.cells[std::size_t(at - table.header.begin())];
    };
    ChillerCurves out{.slug = cell("curve"), .title = cell("title"), .source = cell("source")};
    out.confidence = cell("confidence").empty() ? 'C' : cell("confidence").front();
    out.airCooled = cell("condenser") == "air";
    std::string wrong;
    const auto number = [&](const std::string& column, double& value) {
        const std::string& text = cell(column);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) wrong = wrong.empty() ? column : wrong;
    };
    for (const auto& [column, value] : std::initializer_list<std::pair<const char*, double*>>{{"ref_cop", &out.cop},
                                                                                              {"ref_lwt_c", &out.supplyC},
                                                                                              {"ref_ect_c", &out.outsideC},
                                                                                              {"lwt_min", &out.leastSupplyC},
                                                                                              {"lwt_max", &out.mostSupplyC},
                                                                                              {"ect_min", &out.leastOutsideC},
                                                                                              {"ect_max", &out.mostOutsideC},
                                                                                              {"min_plr", &out.leastLoad},
                                                                                              {"min_unload", &out.leastUnload},
                                                                                              {"max_plr", &out.mostLoad}})
        number(column, *value);
    if (!cell("ref_kw").empty()) number("ref_kw", out.ratedW), out.ratedW *= 1000;
    for (std::size_t i = 0; i < 6; ++i) number(fmt::format("cap_c{}", i + 1), out.capacity[i]), number(fmt::format("eir_c{}", i + 1), out.input[i]);
    for (std::size_t i = 0; i < 3; ++i) number(fmt::format("plr_c{}", i + 1), out.load[i]);
    if (wrong.empty() && (out.slug.empty() || out.cop <= 0 || out.leastSupplyC >= out.mostSupplyC || out.leastOutsideC >= out.mostOutsideC ||
                          out.leastUnload <= 0 || out.leastUnload >= 1 || out.load[0] + out.load[1] + out.load[2] <= 0))
        wrong = "curve";
    if (!wrong.empty())
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, row.line), i18n("{} \"{}\" is not valid", wrong, cell(wrong)),
                    i18n("correct the table of chiller curves"));
    return out;
}

} // namespace

double ChillerCurves::capacityShare(double supply, double outside) const
{
    const double here = biquadratic(capacity, std::clamp(supply, leastSupplyC, mostSupplyC), std::clamp(outside, leastOutsideC, mostOutsideC));
    const double reference = biquadratic(capacity, this->supplyC, this->outsideC);
    return reference > 0 ? std::max(0.0, here / reference) : 0;
}

double ChillerCurves::fullLoadCop(double supply, double outside) const
{
    const double s = std::clamp(supply, leastSupplyC, mostSupplyC), o = std::clamp(outside, leastOutsideC, mostOutsideC);
    const double reference = biquadratic(input, supplyC, outsideC), here = biquadratic(input, s, o);
    if (reference <= 0 || here <= 0) return cop;
    const double beyond = carnotCop(supply, outside, airCooled) / carnotCop(s, o, airCooled);
    return std::min(cop * reference / here * beyond, airCooled ? kBestAirCop : kBestWaterCop);
}

double ChillerCurves::inputShare(double share) const
{
    const double p = std::clamp(share, leastUnload, mostLoad), whole = load[0] + load[1] + load[2];
    const double there = (load[0] + load[1] * p + load[2] * p * p) / whole;
    return share < leastUnload ? there * std::max(share, 0.0) / leastUnload : there;
}

Result<std::vector<ChillerCurves>> readChillerCurves(std::string_view text, const std::string& file)
{
    const auto table = readCsv(text, file);
    if (!table) return tl::unexpected(table.error());
    std::vector<ChillerCurves> out;
    for (const CsvTable::Row& row : table->rows) {
        auto curves = curvesOf(*table, row, file);
        if (!curves) return tl::unexpected(curves.error());
        out.push_back(std::move(*curves));
    }
    return out;
}

const Result<std::vector<ChillerCurves>>& shippedChillerCurves()
{
    static const Result<std::vector<ChillerCurves>> all = [] {
        const auto path = resourceFolder() / "plant" / "chillers.csv";
        std::ifstream in(path, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return readChillerCurves(text.str(), path.string());
    }();
    return all;
}

Result<ChillerCurves> shippedChillerCurves(std::string_view slug, bool airCooled)
{
    const auto& all = shippedChillerCurves();
    if (!all) return tl::unexpected(all.error());
    std::string known;
    for (const ChillerCurves& curves : *all) {
        if (curves.airCooled != airCooled) continue;
        if (curves.slug == slug) return curves;
        known += (known.empty() ? "" : ", ") + curves.slug;
    }
    return fail(ErrorCode::Refused, std::string(slug), i18n("no chiller curves of this name for this condenser"), i18n("choose from {}", known));
}

} // namespace hw::plant
