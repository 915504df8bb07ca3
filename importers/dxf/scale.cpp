// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/scale.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::dxf {

namespace {

struct Unit {
    const char* name;
    int insUnits; ///< as $INSUNITS numbers them
    double millimeters;
};
constexpr std::array<Unit, 8> kUnits = {
    {{"mm", 4, 1}, {"cm", 5, 10}, {"dm", 14, 100}, {"m", 6, 1000}, {"km", 7, 1e6}, {"in", 1, 25.4}, {"ft", 2, 304.8}, {"yd", 10, 914.4}}};
constexpr double kMostOff = 0.01;

const Unit* unitNamed(std::string_view name)
{
    for (const Unit& unit : kUnits)
        if (unit.name == name) return &unit;
    return nullptr;
}

std::string unitNames()
{
    std::string all;
    for (const Unit& unit : kUnits) all += (all.empty() ? "" : ", ") + std::string(unit.name);
    return all;
}

std::string_view withoutBlanks(std::string_view text)
{
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// A number at the beginning of a text, which loses it.
std::optional<double> takeNumber(std::string_view& text)
{
    text = withoutBlanks(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    return value;
}

/// "x1,y1,x2,y2".
bool readPoints(std::string_view text, KnownLength& into)
{
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto value = takeNumber(text);
        if (!value) return false;
        values[i] = *value;
        text = withoutBlanks(text);
        if (i == 3) break;
        if (!text.starts_with(',')) return false;
        text.remove_prefix(1);
    }
    into.a = {values[0], values[1]}, into.b = {values[2], values[3]};
    return text.empty();
}

bool agrees(double measured, double stated) { return std::abs(measured - stated) <= kMostOff * stated; }

/// The unit in which the known length comes out; none, or several at once, is none.
const Unit* unitThatFits(double drawn, double stated)
{
    const Unit* found = nullptr;
    for (const Unit& unit : kUnits) {
        if (!agrees(drawn * unit.millimeters, stated)) continue;
        found = &unit;
    }
    return found;
}

std::string meters(double millimeters) { return fmt::format("{:.6g} m", millimeters / 1000); }

Result<const Unit*> statedUnit(const ScaleQuestion& q, Scale& scale)
{
    const Unit* own = nullptr;
    for (const Unit& unit : kUnits)
        if (unit.insUnits == q.insUnits) own = &unit;
    if (!q.units.empty()) {
        const Unit* stated = unitNamed(q.units);
        if (!stated)
            return fail(ErrorCode::Refused, "--units " + q.units, i18n("is not a supported unit of length"), i18n("choose from {}", unitNames()));
        if (own && own != stated) scale.doubts.push_back(i18n("unit in the file is {}; the specified unit {} is used", own->name, stated->name));
        return stated;
    }
    if (!own && q.insUnits != 0)
        return fail(ErrorCode::Refused, q.file + ": $INSUNITS", i18n("unit number {} is not supported for rooms", q.insUnits),
                    i18n("specify the unit: --units {}", unitNames()));
    return own;
}

} // namespace

Result<KnownLength> parseKnownLength(std::string_view text)
{
    const std::string where = fmt::format("--known-length {}", text);
    const auto wrong = [&](Text what) {
        return fail(ErrorCode::Refused, where, std::move(what), i18n("use \"width=120 m\", \"LAYER=120 m\" or \"x1,y1,x2,y2=12.0 m\""));
    };
    const auto split = text.rfind('=');
    if (split == std::string_view::npos) return wrong(i18n("'=' is missing"));
    KnownLength known;
    std::string_view length = text.substr(split + 1);
    const auto value = takeNumber(length);
    const Unit* unit = unitNamed(withoutBlanks(length));
    if (!value || *value <= 0) return wrong(i18n("is not a valid length"));
    if (!unit) return wrong(i18n("must have a unit of {}", unitNames()));
    known.millimeters = *value * unit->millimeters;
    const auto what = withoutBlanks(text.substr(0, split));
    if (what.empty()) return wrong(i18n("does not specify what is measured"));
    if (!readPoints(what, known)) known.what = std::string(what);
    return known;
}

Result<Scale> findScale(const ScaleQuestion& q)
{
    Scale scale;
    const auto stated = statedUnit(q, scale);
    if (!stated) return tl::unexpected(stated.error());
    const Unit* unit = *stated;
    if (!unit && !q.known)
        return fail(ErrorCode::Refused, q.file + ": $INSUNITS", i18n("drawing does not specify its unit"),
                    i18n("specify it: --units {}, or a known length: --known-length", unitNames()));
    if (q.known) {
        const std::string where = "--known-length " + q.known->what;
        const double drawn = q.measure(*q.known), wanted = q.known->millimeters;
        if (drawn <= 0) return fail(ErrorCode::Refused, where, i18n("no geometry found there"), i18n("specify a layer with geometry, or two points"));
        const Unit* fits = unitThatFits(drawn, wanted);
        if (!unit && !fits)
            return fail(ErrorCode::Refused, where,
                        i18n("{:.6g} drawing units measured for a specified length of {}: no unit matches", drawn, meters(wanted)),
                        i18n("check the length, or specify the unit: --units {}", unitNames()));
        if (!unit) scale.doubts.push_back(i18n("drawing does not specify its unit; {} inferred from the known length", fits->name));
        if (!unit) unit = fits;
        const double measured = drawn * unit->millimeters;
        if (!agrees(measured, wanted))
            return fail(ErrorCode::Refused, where,
                        i18n("measures {} in the drawing unit ({}), but {} was specified: {:.3g} % off", meters(measured), unit->name, meters(wanted),
                             100 * std::abs(measured - wanted) / wanted),
                        fits ? i18n("matches in {}: --units {}", fits->name, fits->name) : i18n("check the length and where it was measured"));
        scale.facts.push_back(i18n("known length: {} specified, {} drawn", meters(wanted), meters(measured)));
    }
    scale.millimeters = unit->millimeters, scale.unit = unit->name;
    scale.facts.insert(scale.facts.begin(), i18n("drawing unit: {}", scale.unit));
    return scale;
}

} // namespace hw::importers::dxf
