// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/impact_story.h"

#include "core/derived/impact/impact_output.h"
#include "views/panels/entity_link.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <algorithm>

namespace hw::views {

namespace {

QString htmlOf(const Text& words) { return text(words).toHtmlEscaped(); }
QString headed(const Text& title, const QString& rows) { return QString("<p><b>%1</b></p><table width='100%'>%2</table>").arg(htmlOf(title), rows); }
QString moreRow(std::int64_t more)
{
    return more > 0 ? QString("<tr><td colspan='3'>%1</td></tr>").arg(htmlOf(i18n("… and {:L} more", more))) : QString();
}

/// `timed`: each with when it comes; `failed`: the first ones, which may be parts of an entity.
QString eventRows(const impact::Model& m, const impact::Lines& list, bool timed, const std::vector<std::string>& failed = {})
{
    QString rows;
    for (std::size_t i = 0; i < list.lines.size(); ++i) {
        const impact::Line& line = list.lines[i];
        const std::string name = i < failed.size() ? failed[i] : entityName(*m.s, *m.parts, line.entity);
        rows += "<tr>";
        if (timed)
            rows += QString("<td align='right' style='padding-right:10px' width='1%'>%1</td>")
                        .arg(text(i18n("{:.1f} s", line.after)).replace(' ', "&nbsp;"));
        rows += QString("<td style='padding-right:10px'>%1</td><td>%2</td></tr>").arg(entityLink(line.entity, text(name)), htmlOf(line.what));
    }
    return rows + moreRow(list.leftOut);
}

} // namespace

QString impactHtml(const impact::Study& study, const impact::Effect& effect, std::span<const impact::Failing> failed, std::size_t most)
{
    const impact::Model& m = study.model();
    const impact::Story story = impact::tell(study, effect, failed, most);
    std::vector<std::string> names;
    for (const impact::Failing& f : failed) names.push_back(impact::nameOf(m, f));
    QString html = QString("<p><b>%1</b></p><table>").arg(htmlOf(i18np(names.size(), "Failure of {1}", "Failure of {1}", listedNames(names))));
    for (const impact::LossLine& line : impact::lossLines(effect))
        html += QString("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>").arg(htmlOf(line.label), htmlOf(line.value));
    html += "</table>";
    if (!story.cascade.lines.empty())
        html += headed(i18n("Sequence of events"), eventRows(m, story.cascade, effect.endMs() > 0 || !effect.coolant.spells.empty(), names));
    if (!story.taken.empty()) {
        QString rows;
        for (std::size_t i = 0; i < std::min(story.taken.size(), most); ++i) {
            const impact::Taken& t = story.taken[i];
            rows += QString("<tr><td style='padding-right:10px'>%1</td><td%2>%3</td></tr>")
                        .arg(entityLink(ref(t.device), text(m.s->devices.name[t.device])),
                             t.overloaded() ? QString(" style='color:%1'").arg(theme().error.name()) : QString(), htmlOf(impact::loadText(t)));
        }
        html += headed(i18n("Load transferred to"), rows + moreRow(std::int64_t(story.taken.size()) - std::int64_t(most)));
    }
    if (!story.redundancy.lines.empty()) html += headed(i18n("Still up, redundancy lost"), eventRows(m, story.redundancy, false));
    if (!effect.segments.empty()) {
        QString rows;
        for (std::size_t i = 0; i < std::min(effect.segments.size(), most); ++i) {
            const auto& segment = m.segments[effect.segments[i].segment];
            rows += QString("<tr><td>%1</td></tr>")
                        .arg(htmlOf(i18n("pod {} segment {}: {:.2f} %", segment.pod + 1, segment.segment + 1, effect.segments[i].left * 100)));
        }
        html += headed(i18n("Remaining bandwidth"), rows + moreRow(std::int64_t(effect.segments.size()) - std::int64_t(most)));
    }
    for (const Text& one : impact::assumptions(m, effect)) html += QString("<p style='color:%1'>%2</p>").arg(theme().textDim.name(), htmlOf(one));
    return html;
}

} // namespace hw::views
