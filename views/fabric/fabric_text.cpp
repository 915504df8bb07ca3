// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_text.h"

#include "core/foundation/model/label.h"

#include "views/style/format.h"

#include <algorithm>

namespace hw::views {
namespace {

QString span(int from, int to) { return from == to ? QString::number(from + 1) : QString("%1–%2").arg(from + 1).arg(to + 1); }

QString roleName(PortRole role)
{
    switch (role) {
    case PortRole::Host: return tr("NIC");
    case PortRole::Down: return tr("Down");
    case PortRole::Up: return tr("Up");
    case PortRole::Backup: return tr("Backup");
    case PortRole::Peer: return tr("Peer");
    }
    return {};
}

QString speed(std::int64_t gbps) { return QString("%1G").arg(gbps); }

QString loadText(const FabricLoad& load)
{
    const QString busiest = percent(double(load.busiest), 0), mean = percent(load.mean(), 0);
    return load.dead > 0 ? tr("%1 busiest, %2 mean, %3 down").arg(busiest, mean, count(load.dead)) : tr("%1 busiest, %2 mean").arg(busiest, mean);
}

/// The nearest things that a box is wired to, largest first.
void addNeighbors(FabricCard& card, const FabricModel& model, int place)
{
    constexpr std::size_t kLines = 5;
    std::vector<std::pair<int, const FabricBundle*>> far;
    for (const auto& bundle : model.bundles()) {
        if (bundle.a == place)
            far.emplace_back(bundle.b, &bundle);
        else if (bundle.b == place)
            far.emplace_back(bundle.a, &bundle);
    }
    std::ranges::stable_sort(far, {}, [&](const auto& f) { return std::pair(-model.boxes()[std::size_t(f.first)].row, -f.second->links); });
    for (std::size_t i = 0; i < std::min(far.size(), kLines); ++i) {
        const auto& box = model.boxes()[std::size_t(far[i].first)];
        card.lines.emplace_back(tr("→ %1").arg(boxPath(model, box)), text(i18np(far[i].second->links, "{:L} link", "{:L} links")));
    }
    if (far.size() > kLines) card.lines.emplace_back(tr("→ and %1 more").arg(far.size() - kLines), QString());
}

void addPorts(FabricCard& card, const FabricIndex& index, const FabricIndex::Sums& sums)
{
    for (std::size_t c = 0; c < sums.ports.size(); ++c) {
        const auto& use = sums.ports[c];
        if (use.total == 0) continue;
        const auto& what = index.portClasses()[c];
        card.lines.emplace_back(tr("%1 %2").arg(roleName(what.role), rate(double(what.rate.count()))),
                                tr("%1 used, %2 free").arg(count(use.used), count(use.total - use.used)));
    }
}

} // namespace

QString columnTitle(const FabricIndex& index, int column)
{
    const auto& c = index.columns()[std::size_t(column)];
    switch (c.kind) {
    case FabricIndex::ColumnKind::Root: return tr("Whole network");
    case FabricIndex::ColumnKind::Pods: return tr("Pods %1").arg(span(c.podFrom, c.podTo));
    case FabricIndex::ColumnKind::Pod: return tr("Pod %1").arg(c.podFrom + 1);
    case FabricIndex::ColumnKind::Segments: return tr("Segments %1").arg(span(c.segmentFrom, c.segmentTo));
    case FabricIndex::ColumnKind::Segment: return tr("Segment %1").arg(c.segmentFrom + 1);
    }
    return {};
}

QString laneTitle(const FabricIndex& index, int lane)
{
    if (lane < 0) return {};
    return (index.lanesArePlanes() ? tr("Plane %1") : tr("Rail %1")).arg(lane + 1);
}

QString tierTitle(const FabricIndex& index, int layer)
{
    const Snapshot& s = index.snapshot();
    const TierId tier = index.layers()[std::size_t(layer)].tier;
    return text(labelText(s.tiers, tier));
}

QString devicesText(const FabricIndex& index, int layer, std::int64_t devices, std::int64_t backup)
{
    const TierKind kind = index.snapshot().tiers.kind[index.layers()[std::size_t(layer)].tier];
    const QString own = kind == TierKind::Server   ? text(i18np(devices, "{:L} server", "{:L} servers"))
                        : kind == TierKind::Switch ? text(i18np(devices, "{:L} switch", "{:L} switches"))
                                                   : text(i18np(devices, "{:L} device", "{:L} devices"));
    return backup > 0 ? tr("%1 + %2 backup").arg(own, count(backup)) : own;
}

QString partTitle(const FabricIndex& index, const FabricIndex::Part& part)
{
    if (part.first != FabricIndex::kNone) {
        if (part.last - part.first == 1) return text(index.snapshot().devices.name[index.device(part.first)]);
        const auto& group = index.groups()[index.groupOf(part.first)];
        if (part.first == group.first && part.last == group.last) return part.lane >= 0 ? laneTitle(index, part.lane) : tierTitle(index, part.layer);
        return tr("No. %1").arg(span(int(part.first - group.first), int(part.last - group.first) - 1));
    }
    return part.lane >= 0 ? laneTitle(index, part.lane) : columnTitle(index, part.column);
}

QString boxTitle(const FabricModel& model, const FabricBox& box)
{
    const FabricIndex& index = model.index();
    if (box.kind == FabricBox::Kind::Device && box.parent >= 0) {
        const auto& group = index.groups()[index.groupOf(box.part.first)];
        const bool rail = box.rail >= 0 && index.lanesArePlanes();
        return rail ? tr("R%1").arg(box.rail + 1) : QString::number(box.part.first - group.first + 1);
    }
    if (box.kind == FabricBox::Kind::Device) return partTitle(index, box.part);
    if (box.part.first != FabricIndex::kNone) return partTitle(index, box.part);
    bool severalTiers = false;
    for (std::size_t i = 0; i < index.layers().size(); ++i)
        severalTiers = severalTiers || (int(i) != box.part.layer && index.layers()[i].row == box.row);
    QStringList words;
    if (severalTiers) words << tierTitle(index, box.part.layer);
    if (box.part.lane >= 0) words << laneTitle(index, box.part.lane);
    return words.join(" · ");
}

QString boxPath(const FabricModel& model, const FabricBox& box)
{
    const FabricIndex& index = model.index();
    if (box.kind == FabricBox::Kind::Device) return text(index.snapshot().devices.name[index.device(box.part.first)]);
    QStringList words{tierTitle(index, box.part.layer)};
    const auto& c = index.columns()[std::size_t(box.column)];
    if (c.podFrom >= 0 && c.kind != FabricIndex::ColumnKind::Pod && c.kind != FabricIndex::ColumnKind::Pods) words << tr("Pod %1").arg(c.podFrom + 1);
    if (c.kind != FabricIndex::ColumnKind::Root) words << columnTitle(index, box.column);
    if (box.part.lane >= 0) words << laneTitle(index, box.part.lane);
    if (box.part.first != FabricIndex::kNone) words << partTitle(index, box.part);
    return words.join(" · ");
}

QString ratioText(const FabricIndex::Sums& sums)
{
    if (sums.upGbps <= 0 || sums.downGbps <= 0) return {};
    const QString plain = tr("%1 : 1").arg(ratio(sums.oversubscription()));
    if (sums.backupGbps <= 0) return plain;
    return tr("%1 (%2 : 1 with backup hosts)").arg(plain, ratio(double(sums.downGbps + sums.backupGbps) / double(sums.upGbps)));
}

QString emptyText(const FabricIndex& index)
{
    const auto& networks = index.snapshot().networks;
    const NetworkId id = index.network();
    if (networks.kind[id] != NetworkKind::ScaleUp || networks.domain[id] <= 0) return tr("This network has no links.");
    const QString domain = count(networks.domain[id]);
    if (networks.acceleratorRate[id].count() <= 0)
        return tr("The %1 accelerators of a server or rack form one domain. It has no separate cables.").arg(domain);
    return tr("The %1 accelerators of a server or rack form one domain, each at %2 per direction. It has no separate cables.")
        .arg(domain, rate(double(networks.acceleratorRate[id].count())));
}

QStringList linksBetween(const FabricIndex& index, int lowerRow, int upperRow)
{
    QStringList lines;
    for (const auto& sum : index.between())
        if (sum.low == lowerRow && sum.high == upperRow) lines << QString("%1 × %2").arg(count(sum.links), speed(sum.gbps));
    return lines;
}

FabricCard boxCard(const FabricModel& model, int place)
{
    const FabricBox& box = model.boxes()[std::size_t(place)];
    const FabricIndex& index = model.index();
    FabricCard card{boxPath(model, box), {}};
    if (box.kind == FabricBox::Kind::Device)
        card.lines.emplace_back(tierTitle(index, box.part.layer),
                                index.snapshot().devices.role[index.device(box.part.first)] == DeviceRole::Backup ? tr("backup") : QString());
    else
        card.lines.emplace_back(devicesText(index, box.part.layer, box.sums.devices, box.sums.backup), QString());
    addPorts(card, index, box.sums);
    if (const QString own = ratioText(box.sums); !own.isEmpty()) card.lines.emplace_back(tr("Oversubscription"), own);
    if (model.loads() && box.busiest >= 0) card.lines.emplace_back(tr("Busiest link"), percent(double(box.busiest), 0));
    if (box.leaf()) addNeighbors(card, model, place);
    return card;
}

FabricCard bundleCard(const FabricModel& model, int place)
{
    const FabricBundle& bundle = model.bundles()[std::size_t(place)];
    const FabricBox &low = model.boxes()[std::size_t(bundle.a)], &high = model.boxes()[std::size_t(bundle.b)];
    FabricCard card{tr("%1  –  %2").arg(boxPath(model, low), boxPath(model, high)), {}};
    card.lines.emplace_back(tr("Links"), bundle.backup > 0 ? tr("%1, including %2 to backup hosts").arg(count(bundle.links), count(bundle.backup))
                                                           : count(bundle.links));
    card.lines.emplace_back(tr("Capacity per direction"), rate(double(bundle.gbps)));
    if (const QString own = ratioText(low.sums); !own.isEmpty()) card.lines.emplace_back(tr("Downstream oversubscription"), own);
    if (bundle.load.busiest >= 0) card.lines.emplace_back(tr("Load"), loadText(bundle.load));
    return card;
}

FabricCard portCard(const FabricModel& model, PortId port)
{
    const FabricIndex& index = model.index();
    const Snapshot& s = index.snapshot();
    FabricCard card{tr("%1, port %2").arg(text(s.devices.name[s.ports.device[port]])).arg(s.ports.number[port] + 1), {}};
    card.lines.emplace_back(roleName(s.ports.role[port]), rate(double(s.ports.rate[port].count())));
    const auto plugged = index.linkOfPort(port);
    if (!plugged) {
        card.lines.emplace_back(tr("free"), QString());
        return card;
    }
    const LinkId link = *plugged;
    const PortId far = s.links.from[link] == port ? s.links.to[link] : s.links.from[link];
    card.lines.emplace_back(tr("→ %1").arg(text(s.devices.name[s.ports.device[far]])), tr("port %1").arg(s.ports.number[far] + 1));
    const std::uint32_t member = index.memberOf(s.ports.device[port]);
    if (model.loads() && member != FabricIndex::kNone)
        if (const FabricLoad load = model.loads()->of({member, member, link, false, false, 0, 0}); load.busiest >= 0)
            card.lines.emplace_back(tr("Load, up / down"), tr("%1, %2").arg(rate(load.gbps[0]), rate(load.gbps[1])));
    return card;
}

FabricCard matrixCard(const std::pair<QString, QString>& row, const std::pair<QString, QString>& column, const FabricBundle& cell)
{
    FabricCard card{tr("%1  –  %2").arg(row.first, column.first), {}};
    card.lines.emplace_back(row.first, row.second);
    if (column != row) card.lines.emplace_back(column.first, column.second);
    if (cell.links == 0) {
        card.lines.emplace_back(tr("No links"), QString());
        return card;
    }
    card.lines.emplace_back(tr("Links"),
                            cell.backup > 0 ? tr("%1, including %2 to backup hosts").arg(count(cell.links), count(cell.backup)) : count(cell.links));
    card.lines.emplace_back(tr("Capacity per direction"), rate(double(cell.gbps)));
    if (cell.load.busiest >= 0) card.lines.emplace_back(tr("Load"), loadText(cell.load));
    return card;
}

FabricCard columnCard(const FabricModel& model, int column)
{
    const FabricIndex& index = model.index();
    FabricCard card{columnTitle(index, column), {}};
    for (std::size_t layer = 0; layer < index.layers().size(); ++layer) {
        const auto runs = index.runs({int(layer), column});
        if (runs.empty()) continue;
        const auto sums = index.sums(runs);
        card.lines.emplace_back(tierTitle(index, int(layer)), devicesText(index, int(layer), sums.devices, sums.backup));
    }
    if (!index.columns()[std::size_t(column)].children.empty())
        card.lines.emplace_back(model.column(column) == FabricModel::Fold::Open ? tr("Double-click to collapse") : tr("Double-click to expand"),
                                QString());
    return card;
}

} // namespace hw::views
