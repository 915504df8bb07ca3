// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/cooling_texts.h"

#include "views/style/format.h"
#include "views/style/units.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::views {
namespace {

/// "30", "29 to 30".
QString degrees(double least, double most)
{
    const auto one = [](double celsius) {
        const double c = *converted(celsius, "°C", preferredUnit("°C", units()));
        return QString::number(c, 'f', std::abs(c - std::round(c)) < 0.05 ? 0 : 1);
    };
    return std::abs(most - least) < 0.05 ? one(least) : tr("%1 to %2").arg(one(least), one(most));
}

} // namespace

QString coolingTitle(const OneLine& line)
{
    const QString project = text(line.snapshot->setting("project.name"));
    return project.isEmpty() ? tr("Cooling") : tr("%1 · Cooling").arg(project);
}

QString coolingSummary(const OneLine& line)
{
    std::int64_t racks = 0, rooms = 0;
    Milliwatts liquid, air;
    for (const OneLineElement& e : line.elements) {
        if (!line.groups[e.group].load) continue;
        ++(line.groups[e.group].rooms ? rooms : racks);
        (line.groups[e.group].rooms ? air : liquid) += e.load;
    }
    QStringList parts;
    if (racks > 0) parts << tr("%1 to coolant at %2").arg(heat(liquid), text(i18np(racks, "{:L} rack", "{:L} racks")));
    if (rooms > 0) parts << tr("%1 to the room air of %2").arg(heat(air), text(i18np(rooms, "{:L} room", "{:L} rooms")));
    if (const auto worst = line.worst(); worst != OneLine::kNone)
        parts << tr("most loaded: %1, %2").arg(text(line.elements[worst].name), percent(line.elements[worst].share(), 0));
    return parts.join("   ·   ");
}

QString coolingProblems(const OneLine& line)
{
    std::set<std::string> loops;
    for (std::size_t i = 0; i < line.coolant.size(); ++i)
        if (!line.coolant[i].fits && !line.coolant[i].loop.empty()) loops.insert(line.coolant[i].loop);
    QStringList parts;
    if (!loops.empty()) parts << text(i18np(std::int64_t(loops.size()), "{:L} undersized loop", "{:L} undersized loops"));
    if (line.unfed > 0) parts << text(i18np(line.unfed, "{:L} load without cooling", "{:L} loads without cooling"));
    return parts.join("   ·   ");
}

QString coolantText(const OneLineModel& model, const OneLineBox& box)
{
    double lpm = 0, air = 0, leastSupply = 1e9, mostSupply = -1e9, leastReturn = 1e9, mostReturn = -1e9;
    for (const std::uint32_t i : box.members) {
        const OneLineCoolant& c = model.line->coolant[i];
        lpm += c.lpm, air += c.airM3s;
        leastSupply = std::min(leastSupply, c.supplyC), mostSupply = std::max(mostSupply, c.supplyC);
        leastReturn = std::min(leastReturn, c.returnC), mostReturn = std::max(mostReturn, c.returnC);
    }
    QStringList parts;
    if (air > 0)
        parts << tr("%1 m³/s").arg(QString::number(air, 'f', air < 10 ? 1 : 0));
    else if (lpm > 0)
        parts << tr("%1 L/min").arg(count(std::llround(lpm)));
    if (mostReturn > leastSupply)
        parts << QString::fromUtf8("%1→%2 %3")
                     .arg(degrees(leastSupply, mostSupply), degrees(leastReturn, mostReturn), text(preferredUnit("°C", units())));
    return parts.join(" · ");
}

QString redundancyText(const OneLineModel& model, const OneLineBox& box)
{
    const std::string& first = model.line->coolant[box.members.front()].redundancy;
    const bool alike = std::ranges::all_of(box.members, [&](std::uint32_t i) { return model.line->coolant[i].redundancy == first; });
    return alike ? text(first) : tr("several");
}

bool coolantFits(const OneLineModel& model, const OneLineBox& box)
{
    return !model.line->cooling() || std::ranges::all_of(box.members, [&](std::uint32_t i) { return model.line->coolant[i].fits; });
}

} // namespace hw::views
