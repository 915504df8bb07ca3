// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_texts.h"

#include "views/power/cooling_texts.h"
#include "views/style/format.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

QString basisName(PowerBasis basis)
{
    switch (basis) {
    case PowerBasis::Typical: return tr("typical basis");
    case PowerBasis::Design: break;
    case PowerBasis::Nameplate: return tr("nameplate basis");
    }
    return tr("design basis");
}

/// The load in the unit of the capacity, without saying it.
QString inUnitOf(Milliwatts load, Milliwatts capacity)
{
    const double unit = capacity.count() >= 1'000'000'000 ? 1e9 : capacity.count() >= 1'000'000 ? 1e6 : 1e3, value = double(load.count()) / unit;
    return QString::number(value, 'f', value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

QString tipRow(const QString& label, const QString& value)
{
    return QString("<tr><td style='padding-right:12px'>%1</td><td align='right'>%2</td></tr>").arg(label.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace

QString loadText(Milliwatts load, Milliwatts capacity)
{
    if (capacity.count() == 0) return power(load);
    const char* unit = capacity.count() >= 1'000'000'000 ? "MW" : capacity.count() >= 1'000'000 ? "kW" : "W"; // no text
    return tr("%1 of %2 %3").arg(inUnitOf(load, capacity), inUnitOf(capacity, capacity), unit);
}

QString powerTitle(const OneLine& line)
{
    const QString project = text(line.snapshot->setting("project.name"));
    return project.isEmpty() ? tr("Power") : tr("%1 · Power").arg(project);
}

QString powerSummary(const OneLine& line)
{
    QStringList parts{
        tr("%1 facility power, PUE %2, %3").arg(power(line.pue.facility), QString::number(line.pue.value, 'f', 3), basisName(line.basis)),
        tr("%1 connected load").arg(power(line.drawn))};
    if (const SubstationSupply& s = line.substations; s.stations > 0)
        parts << text(i18np(s.stations, "{0:L} substation for {1} with one transformer out, {2:L} required",
                            "{0:L} substations for {1} with one transformer out in each, {2:L} required",
                            verbatim(power(Milliwatts(std::llround(1000 * s.capacityW))).toStdString()), s.required(toWatts(line.pue.facility))));
    if (const auto worst = line.worst(); worst != OneLine::kNone) {
        const OneLineElement& e = line.elements[worst];
        const QString most = tr("most loaded, worst case: %1, %2").arg(text(e.name), percent(e.share(), 0));
        parts << (e.lost ? tr("%1 after loss of %2").arg(most, text(line.snapshot->devices.name[*e.lost])) : most);
    }
    return parts.join("   ·   ");
}

QString powerProblems(const OneLine& line)
{
    QStringList parts;
    if (line.unfed > 0) parts << text(i18np(line.unfed, "{:L} load without a feed", "{:L} loads without a feed"));
    if (line.dark > 0) parts << text(i18np(line.dark, "{:L} load without power", "{:L} loads without power"));
    const auto over = std::ranges::count_if(line.elements, [&](const OneLineElement& e) { return e.share() > 1; });
    if (over > 0)
        parts << text(i18np(std::int64_t(over), "{:L} element above capacity in the worst case", "{:L} elements above capacity in the worst case"));
    return parts.join("   ·   ");
}

std::vector<LevelText> levelTexts(const OneLine& line)
{
    std::vector<LevelText> texts(std::size_t(std::max(0, line.levels)));
    std::vector<QStringList> names(texts.size()), sums(texts.size());
    for (const OneLineGroup& group : line.groups) {
        const auto level = std::size_t(group.level);
        Milliwatts load, capacity;
        bool limited = true;
        for (std::uint32_t i = group.first; i < group.last; ++i) {
            const OneLineElement& e = line.elements[i];
            load += e.load;
            capacity += e.capacity;
            limited = limited && e.capacity.count() > 0;
            texts[level].share = std::max(texts[level].share, e.share());
        }
        if (const QString name = text(nameText(group)); !names[level].contains(name)) names[level] << name;
        const bool passes = line.cooling() && load.count() == 0; // as headers and valves
        sums[level] << (passes ? count(group.size()) : tr("%1 · %2").arg(count(group.size()), loadText(load, limited ? capacity : Milliwatts())));
    }
    for (std::size_t l = 0; l < texts.size(); ++l) {
        texts[l].name = names[l].join(" · ");
        texts[l].sums = sums[l].join("\n");
    }
    return texts;
}

QString findingText(const Finding& finding)
{
    const QString what = QString("%1: %2").arg(text(finding.rule), text(finding.message));
    return finding.waived ? tr("%1 (waived: %2)").arg(what, text(finding.reason)) : what;
}

QString boxTip(const OneLineModel& model, const OneLineBox& box, const OneLineFindings* findings)
{
    const OneLine& line = *model.line;
    const OneLineElement& first = line.elements[box.members.front()];
    QString tip = QString("<b>%1</b>").arg((box.folded() ? text(model.title(box)) : text(first.name)).toHtmlEscaped());
    if (const QString place = text(model.place(box)); !place.isEmpty()) tip += "<br>" + place.toHtmlEscaped();
    tip += "<table>";
    if (box.side) tip += tipRow(tr("Feed"), QString(box.side));
    tip += tipRow(line.cooling() ? tr("Heat") : tr("Load"), loadText(box.load, box.capacity));
    if (line.cooling()) {
        tip += tipRow(tr("Coolant"), coolantText(model, box));
        tip += tipRow(tr("Loop"), tr("%1, %2").arg(text(line.coolant[box.members.front()].loop), redundancyText(model, box)));
    }
    if (box.worst != OneLine::kNone) {
        const OneLineElement& worst = line.elements[box.worst];
        const QString value = tr("%1, %2").arg(loadText(worst.worst, worst.capacity), percent(worst.share(), 0));
        tip += tipRow(line.cooling() ? tr("Most loaded") : tr("Worst case"), box.folded() ? tr("%1: %2").arg(text(worst.name), value) : value);
        if (worst.lost) tip += tipRow(tr("Lost element"), text(line.snapshot->devices.name[*worst.lost]));
    }
    if (box.dark > 0) tip += tipRow(tr("Without power"), tr("%1 of %2").arg(count(box.dark), count(std::int64_t(box.members.size()))));
    tip += "</table>";
    if (findings && !findings->of.empty()) {
        constexpr std::size_t kMost = 3;
        std::vector<std::uint32_t> all;
        for (const std::uint32_t i : box.members) all.insert(all.end(), findings->of[i].begin(), findings->of[i].end());
        std::ranges::sort(all);
        all.erase(std::ranges::unique(all).begin(), all.end());
        for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i) {
            const Finding& one = findings->check->findings[all[i]];
            tip += QString("<p>%1</p>").arg(findingText(one).toHtmlEscaped());
        }
        if (all.size() > kMost)
            tip += "<p>" + text(i18np(std::int64_t(all.size() - kMost), "{:L} further finding", "{:L} further findings")) + "</p>";
    }
    tip += QString("<i>%1</i>")
               .arg(box.folded() ? tr("Click the plus or double-click to expand")
                    : box.around ? tr("Double-click to group with identical elements")
                                 : QString());
    return tip;
}

} // namespace hw::views
