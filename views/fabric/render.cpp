// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/render.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/model/label.h"
#include "core/output/exchange/design_stamp.h"
#include "views/fabric/fabric_painter.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

#include <fmt/format.h>

namespace hw::views {
namespace {

constexpr double kHeading = 62, kEdge = 22;

Result<NetworkId> shownNetwork(const Snapshot& s, const std::string& name)
{
    if (const auto found = findNetwork(s, name)) return *found;
    const auto names = networkNames(s);
    const std::string where = "--view fabric:" + name; // no text
    if (names.empty()) return fail(ErrorCode::Refused, where, i18n("the design has no network"), i18n("use a template, or add a network"));
    return fail(ErrorCode::Usage, where, i18n("no network with this name"), i18n("choose from {}", listedNames(names)));
}

Result<FabricColor> findColor(const FabricIndex& index, const std::string& name, bool loads, const OverlayValues* values)
{
    const auto modes = colorModes(index, loads, values);
    if (name.empty()) return modes.front();
    if (values && values->name == name && modes.back() == FabricColor::Values) return FabricColor::Values;
    static const std::pair<const char*, FabricColor> kNames[] = {{"plane", FabricColor::Lane},
                                                                 {"rail", FabricColor::Rail},
                                                                 {"network", FabricColor::Network},
                                                                 {"oversubscription", FabricColor::Oversubscription},
                                                                 {"load", FabricColor::Load}};
    std::vector<std::string> names;
    for (const auto& [word, mode] : kNames) {
        const bool lanesAreRails = mode == FabricColor::Rail && !index.lanesArePlanes() && index.lanes() > 1;
        if (mode == FabricColor::Lane && !index.lanesArePlanes()) continue;
        const FabricColor own = lanesAreRails ? FabricColor::Lane : mode;
        if (std::ranges::find(modes, own) == modes.end()) continue;
        names.emplace_back(word);
        if (name == word) return own;
    }
    return fail(ErrorCode::Usage, "--overlay " + name, i18n("this network does not have this coloring"), i18n("choose from {}", listedNames(names)));
}

Result<void> openDevices(const FabricIndex& index, const FiguresPtr& figures, const std::vector<std::string>& names, FabricOpen& open)
{
    for (const std::string& name : names) {
        const auto entity = findEntity(*figures->snapshot, *figures->parts, name);
        const std::uint32_t member = entity && entity->kind == EntityKind::Device ? index.memberOf(DeviceId(entity->id)) : FabricIndex::kNone;
        if (member == FabricIndex::kNone)
            return fail(ErrorCode::Usage, "--open " + name, i18n("no device with this name in the network"),
                        i18n("see the cable schedule for device names"));
        open.reveal(index, member);
    }
    return {};
}

} // namespace

FabricPage makeFabricPage(FabricModelPtr model, FabricLook look)
{
    const FabricIndex& index = model->index();
    const Snapshot& s = index.snapshot();
    look.selected.clear(), look.matches.clear(), look.focus.reset();
    look.hoverBox = look.hoverBundle = -1;
    QStringList words;
    for (const auto& layer : index.layers()) {
        const std::vector<FabricIndex::Run> runs{{layer.first, layer.last}};
        const auto sums = index.sums(runs);
        words << QString("%1: %2").arg(tierTitle(index, int(&layer - index.layers().data())),
                                       devicesText(index, int(&layer - index.layers().data()), sums.devices, sums.backup));
    }
    words << text(i18np(std::int64_t(index.links().size()), "{:L} link", "{:L} links"));
    const NetworkId id = index.network();
    const QString project = text(s.setting("project.name"));
    const QString network = text(labelText(s.networks, id));
    return {std::move(model), std::move(look), project.isEmpty() ? network : project + " · " + network, words.join("   "),
            text(DesignStamp::of(s).text())};
}

Result<FabricPage> makeFabricPage(const FiguresPtr& figures, const FabricPicture& picture)
{
    const auto network = shownNetwork(*figures->snapshot, picture.network);
    if (!network) return tl::unexpected(network.error());
    const FabricIndexPtr index = FabricIndex::make(figures->snapshot, *network, figures->share<IndexNode>());
    const auto color = findColor(*index, picture.color, picture.loads != nullptr, picture.values.get());
    if (!color) return tl::unexpected(color.error());
    FabricOpen open = FabricOpen::readable(*index);
    if (const auto opened = openDevices(*index, figures, picture.open, open); !opened) return tl::unexpected(opened.error());
    FabricLook look;
    look.color = *color;
    look.values = picture.values;
    return makeFabricPage(FabricModel::make(index, open, FabricLoads::make(*index, picture.loads)), look);
}

void paintFabricPage(QPainter& painter, const QRectF& rect, const FabricPage& page)
{
    painter.fillRect(rect, theme().canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().text);
    painter.setFont(fabricFont(1.5, QFont::DemiBold));
    painter.drawText(QRectF(rect.left() + kEdge, rect.top() + 12, rect.width() - 2 * kEdge, 26), Qt::AlignLeft | Qt::AlignVCenter, page.title);
    painter.setFont(fabricFont(0.92));
    painter.setPen(theme().textDim);
    painter.drawText(QRectF(rect.left() + kEdge, rect.top() + 38, rect.width() - 2 * kEdge, 18), Qt::AlignLeft | Qt::AlignVCenter, page.subtitle);
    const FabricLayout layout = FabricLayout::make(*page.model);
    FabricGeometry geometry;
    FabricPainter::place(geometry, rect.adjusted(kEdge - 12, kHeading, -kEdge + 12, -8), *page.model, layout);
    geometry.fit(layout);
    const FabricRoutes routes(*page.model, layout, geometry);
    FabricPainter(painter, *page.model, layout, geometry, routes, page.look).paint();
}

Result<QImage> renderFabric(const FiguresPtr& figures, const FabricPicture& picture)
{
    applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), picture.dark ? ThemeKind::Dark : ThemeKind::Light);
    const auto page = makeFabricPage(figures, picture);
    if (!page) return tl::unexpected(page.error());
    QImage image(picture.size, QImage::Format_RGB32);
    QPainter painter(&image);
    paintFabricPage(painter, QRectF(QPointF(), QSizeF(picture.size)), *page);
    return image;
}

Result<void> writeFabricPage(const FabricPage& page, const QString& path)
{
    return writeVectorPage(path, {page.title, page.subtitle, page.stamp},
                           [&](QPainter& painter, const QRectF& rect) { paintFabricPage(painter, rect, page); });
}

} // namespace hw::views
