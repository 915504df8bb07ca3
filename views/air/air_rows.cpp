// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/air/air_rows.h"

#include "core/foundation/catalog/entity.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <algorithm>

namespace hw::views {

namespace air = sim::air;

namespace {

constexpr double kRecommendedC = air::kRecommendedInletC;

Cell fixedCell(double value, int decimals, const QColor& color = {}) { return {QString::number(value, 'f', decimals), value, {}, color, -1, true}; }

QColor inletColor(double celsius, double limitC) { return celsius > limitC ? theme().error : celsius > kRecommendedC ? theme().warning : QColor(); }

Cell inletCell(double celsius, double limitC) { return {temperature(celsius), celsius, {}, inletColor(celsius, limitC), -1, true}; }
Cell dash(double key = -1e9) { return {QStringLiteral("–"), key, {}, {}, -1, true}; }

Cell changeCell(double kelvin)
{
    const QString sign = kelvin >= 0.05 ? "+" : kelvin <= -0.05 ? QString::fromUtf8("−") : QString::fromUtf8("±");
    return {sign + QObject::tr("%1 K").arg(std::abs(kelvin), 0, 'f', 1), kelvin, {}, kelvin >= 1 ? theme().warning : QColor(), -1, true};
}

QString nameOf(const Figures& figures, EntityRef entity) { return text(entityName(*figures.snapshot, *figures.parts, entity)); }

} // namespace

QStringList airRackHeaders()
{
    return {QObject::tr("Rack"),     QObject::tr("Inlet max"),     QObject::tr("Inlet mean"), QObject::tr("Top third"),
            QObject::tr("Change"),   QObject::tr("Capture index"), QObject::tr("Flow m³/s"),  QObject::tr("Heat"),
            QObject::tr("Front Pa"), QObject::tr("OpenFOAM"),      QObject::tr("Difference")};
}

std::vector<CellRow> airRackRows(const Figures& figures, const air::HallAir& solved, const air::HallAir* before, const air::FoamAnswer* foam)
{
    std::vector<CellRow> rows;
    for (std::size_t number = 0; number < solved.racks.size(); ++number) {
        const air::RackAir& r = solved.racks[number];
        if (!figures.snapshot->racks.contains(r.rack)) continue; // removed since
        const air::RackAir* other = foam && number < foam->racks.size() ? &foam->racks[number] : nullptr;
        const air::RackAir* was = air::rackOf(before, r.rack);
        CellRow row;
        row.entity = ref(r.rack);
        row.key = QString::number(r.rack.value);
        row.cells = {{.text = nameOf(figures, row.entity), .place = true},
                     inletCell(r.inletMaxC, solved.hall.limitC),
                     inletCell(r.inletMeanC, solved.hall.limitC),
                     inletCell(r.inletTopC, solved.hall.limitC),
                     was ? changeCell(r.inletMaxC - was->inletMaxC) : dash(),
                     {percent(r.captureIndex, 0), r.captureIndex, {}, {}, -1, true},
                     fixedCell(r.m3s, 2),
                     {power(r.heatW), r.heatW, {}, {}, -1, true},
                     fixedCell(r.frontPa, 1, r.frontPa < -5 ? theme().warning : QColor()),
                     other ? inletCell(other->inletMeanC, solved.hall.limitC) : dash(),
                     other ? changeCell(other->inletMeanC - r.inletMeanC) : dash()};
        row.toolTip =
            QObject::tr("Capture index: share of the rack's intake air that comes directly from air units.\nFront Pa: "
                        "static pressure at its front minus that at its rear.\nOpenFOAM: mean inlet, and the difference from the embedded mean.");
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, std::ranges::greater(), [](const CellRow& row) { return row.cells[1].sortKey.toDouble(); });
    return rows;
}

QStringList airUnitHeaders()
{
    return {QObject::tr("Air unit"), QObject::tr("State"), QObject::tr("Flow m³/s"), QObject::tr("Return"),
            QObject::tr("Supply"),   QObject::tr("Heat"),  QObject::tr("Change")};
}

std::vector<CellRow> airUnitRows(const Figures& figures, const air::HallAir& solved, const air::HallAir* before)
{
    std::vector<CellRow> rows;
    for (std::size_t i = 0; i < solved.units.size(); ++i) {
        const air::UnitAir& u = solved.units[i];
        if (!figures.snapshot->devices.contains(u.device)) continue;
        const bool full = !u.failed && u.supplyC > solved.hall.supplyC + 0.05;
        const air::UnitAir* was = before && i < before->units.size() && before->units[i].device == u.device ? &before->units[i] : nullptr;
        CellRow row;
        row.entity = ref(u.device);
        row.key = QString::number(u.device.value);
        row.dim = u.failed;
        row.cells = {
            {.text = nameOf(figures, row.entity), .place = true},
            {u.failed ? QObject::tr("failed")
             : full   ? QObject::tr("at capacity")
                      : QObject::tr("running"),
             {},
             {},
             u.failed ? theme().error
             : full   ? theme().warning
                      : QColor()},
            u.failed ? dash() : fixedCell(u.m3s, 2),
            u.failed ? dash() : Cell{temperature(u.returnC), u.returnC, {}, {}, -1, true},
            u.failed ? dash() : Cell{temperature(u.supplyC), u.supplyC, {}, full ? theme().warning : QColor(), -1, true},
            u.failed ? dash() : Cell{power(u.heatW), u.heatW, {}, {}, -1, true},
            was && !u.failed
                ? Cell{signedText(power(std::abs(u.heatW - was->heatW)), u.heatW < was->heatW ? -1 : 1), u.heatW - was->heatW, {}, {}, -1, true}
                : dash()};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<CellRow> airFindingRows(const Figures& figures, const air::HallAir& solved)
{
    std::vector<CellRow> rows;
    const auto place = [&](const QString& what, const QString& icon, EntityRef entity) {
        CellRow row;
        row.entity = entity;
        row.key = QString::number(rows.size());
        row.cells = {{.text = what, .iconName = icon}};
        rows.push_back(std::move(row));
    };
    for (const Finding& f : air::hallFindings(figures, solved)) {
        const QString icon = f.waived ? "waive" : f.severity == Severity::Error ? "error" : f.severity == Severity::Warning ? "warning" : "info";
        const QString said = f.rule.empty() ? text(f.message) : QString("%1  %2").arg(QString::fromStdString(f.rule), text(f.message));
        place(said, icon, f.entities.empty() ? EntityRef() : f.entities.front());
    }
    std::vector<const air::RackAir*> hot;
    for (const air::RackAir& r : solved.racks)
        if (r.inletMaxC > kRecommendedC && figures.snapshot->racks.contains(r.rack)) hot.push_back(&r);
    std::ranges::stable_sort(hot, std::ranges::greater(), &air::RackAir::inletMaxC);
    for (const air::RackAir* r : hot) {
        const bool over = r->inletMaxC > solved.hall.limitC;
        place(QObject::tr("%1: rack inlet up to %2 (%3: %4)")
                  .arg(nameOf(figures, ref(r->rack)), temperature(r->inletMaxC), over ? QObject::tr("allowable") : QObject::tr("recommended"),
                       temperature(over ? solved.hall.limitC : kRecommendedC, 0)),
              over ? "error" : "warning", ref(r->rack));
    }
    return rows;
}

std::vector<CellRow> airMetricRows(const air::HallAir& a, const air::HallAir* before)
{
    std::vector<CellRow> rows;
    const auto line = [&](const QString& name, const QString& value, const QString& was, const QString& source) {
        CellRow made;
        made.key = name;
        made.cells = {{name}, {.text = value, .number = true}, {.text = was, .number = true}, {source}};
        made.toolTip = source;
        rows.push_back(std::move(made));
    };
    const auto metrics = air::airMetrics(a), were = before ? air::airMetrics(*before) : std::vector<air::AirMetric>();
    for (const air::AirMetric& metric : metrics) {
        const auto was = std::ranges::find(were, metric.title, &air::AirMetric::title);
        line(text(metric.title), text(metric.value), was == were.end() ? QString() : text(was->value), text(metric.source));
    }
    const auto add = [&](const QString& name, const QString& source, auto&& value) {
        line(name, value(a), before ? value(*before) : QString(), source);
    };
    add(QObject::tr("Supply"), QObject::tr("set point of the air units"), [](const air::HallAir& x) { return temperature(x.hall.supplyC); });
    add(QObject::tr("Return"), QObject::tr("mean over the air units"), [](const air::HallAir& x) { return temperature(x.returnC); });
    add(QObject::tr("Air supplied"), QObject::tr("by the air units"),
        [](const air::HallAir& x) { return QObject::tr("%1 m³/s").arg(x.hall.supplyM3s, 0, 'f', 1); });
    add(QObject::tr("Air of racks"), QObject::tr("drawn by the racks"),
        [](const air::HallAir& x) { return QObject::tr("%1 m³/s").arg(x.hall.demandM3s, 0, 'f', 1); });
    for (const Text& assumption : a.hall.assumptions) {
        CellRow row;
        row.key = text(assumption);
        row.cells = {{QObject::tr("Assumption")}, {}, {}, {text(assumption)}};
        row.toolTip = text(assumption);
        row.dim = true;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace hw::views
