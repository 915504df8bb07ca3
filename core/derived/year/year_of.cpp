// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/year_of.h"

#include "core/derived/year/plant_of.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/weather/climates.h"
#include "core/physics/weather/epw.h"

#include <fstream>
#include <sstream>

namespace hw {

Result<weather::WeatherYear> weatherOf(const Snapshot& s, const YearRequest& request)
{
    if (!request.epw.empty()) return weather::readEpwFile(request.epw);
    const std::string slug = request.climate.empty() ? settingOf(s, "site.climate") : request.climate;
    const auto climate = weather::shippedClimate(slug);
    if (!climate) {
        const std::string where = (request.climate.empty() ? "site.climate " : "--climate ") + slug;
        return fail(climate.error().code, climate.error().code == ErrorCode::Refused ? where : climate.error().where, climate.error().what,
                    climate.error().todo);
    }
    return weather::synthesize(*climate);
}

Result<Year> yearOf(const Figures& figures, const YearRequest& request, const Progress& progress)
{
    const Snapshot& s = *figures.snapshot;
    const auto air = weatherOf(s, request);
    if (!air) return tl::unexpected(air.error());
    const auto tariff = request.tariff.empty() ? tariffOf(s) : tariffNamed(s, request.tariff);
    if (!tariff) return tl::unexpected(tariff.error());
    LoadProfile profile = loadProfile(s, air->firstWeekday);
    if (!request.load.empty()) {
        std::error_code error;
        std::ifstream in(request.load, std::ios::binary);
        if (!in || !std::filesystem::is_regular_file(request.load, error))
            return fail(ErrorCode::Unreadable, request.load, i18n("cannot be read"), i18n("check its path and permissions"));
        std::ostringstream text;
        text << in.rdbuf();
        auto read = readLoadProfile(text.str(), request.load);
        if (!read) return tl::unexpected(read.error());
        profile = std::move(*read);
    }
    const auto plant = plantOf(figures);
    if (!plant) return tl::unexpected(plant.error());
    auto year = yearOf(*plant, *air, profile, *tariff, progress);
    if (!year) return year;
    if (isSet(s, "site.carbon_g_per_kwh"))
        year->gramsPerKwh = numberSetting(s, "site.carbon_g_per_kwh"), year->carbonSource = "site.carbon_g_per_kwh";
    for (const plant::Loop& loop : plant->loops)
        if (loop.role == plant::LoopRole::Facility) year->water.push_back({loop.name, loop.setC, loop.setC + loop.deltaK, loop.warmestC});
    year->reuseLoop = plant->reuse.heatW > 0 && plant->reuse.loop >= 0 ? plant->loops[std::size_t(plant->reuse.loop)].name : std::string();
    return year;
}

Text weatherText(const Year& year)
{
    const auto& w = year.weather;
    if (w.synthetic) return i18n("{}, synthesized from monthly normals ({})", w.title, w.assumed ? i18n("assumed") : verbatim(w.source));
    if (w.suspect > 0) return i18n("{} ({}); {} hours above the wet-bulb extreme of the file's own header", w.title, w.source, w.suspect);
    return i18n("{} ({})", w.title, w.source);
}

const char* waterClass(double supplyC)
{
    for (const auto& [most, name] :
         {std::pair(17.0, "W17"), std::pair(27.0, "W27"), std::pair(32.0, "W32"), std::pair(40.0, "W40"), std::pair(45.0, "W45")})
        if (supplyC <= most) return name;
    return "W+";
}

} // namespace hw
