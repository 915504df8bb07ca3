// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/model.h"

#include <algorithm>

namespace hw::impact {

Result<ModelPtr> Model::of(FiguresPtr figures, const Progress& progress)
{
    if (const auto made =
            figures->prepare<IndexNode, MediumNode<Medium::Data>, CoolingChainNode, PowerFeedsNode, FailureDomainsNode, FeederDomainsNode>(progress);
        !made)
        return tl::unexpected(made.error());
    auto model = std::make_shared<Model>();
    Model& m = *model;
    m.figures = figures;
    m.s = figures->snapshot.get();
    m.parts = &*figures->parts;
    m.basis = powerBasisOf(*m.s);
    m.chain = &powerChain(*figures, m.basis);
    m.feeds = &figures->get<PowerFeedsNode>();
    m.plant = std::make_shared<const Plant>(Plant::of(*m.s, *m.parts, *m.chain));
    m.data = &figures->get<MediumNode<Medium::Data>>();
    m.coolant = CoolantPlant::of(*m.s, *m.parts, *figures->power, figures->get<CoolingChainNode>());
    m.index = &figures->get<IndexNode>();
    m.domains = &figures->get<FailureDomainsNode>();
    m.feeders = &figures->get<FeederDomainsNode>();
    m.readDevices();
    m.readNics();
    m.readLinks();
    m.findNeeded();
    m.readWays();
    return ModelPtr(std::move(model));
}

void Model::readDevices()
{
    const std::uint32_t devices = s->devices.nextId();
    gpus.assign(devices, 0);
    backup.assign(devices, 0);
    host.assign(devices, 0);
    s->devices.forEach([&](DeviceId id) {
        gpus[id.value] = std::uint16_t(parts->device(s->devices.type[id]).accelerators);
        backup[id.value] = s->devices.role[id] == DeviceRole::Backup;
        host[id.value] = s->tiers.kind[s->devices.tier[id]] == TierKind::Server;
    });
}

void Model::readWays()
{
    s->devices.forEach([&](DeviceId id) {
        std::uint32_t feed = 0;
        for (const PowerFeed& way : feeds->of(id)) {
            if (way.link) m_ways.emplace_back(*way.link, power::Network::Use{id.value, feed});
            ++feed;
        }
    });
    std::ranges::sort(m_ways, {}, [](const auto& way) { return way.first; });
}

std::optional<power::Network::Use> Model::wayOf(LinkId link) const
{
    const auto found = std::ranges::lower_bound(m_ways, link, {}, [](const auto& way) { return way.first; });
    if (found == m_ways.end() || found->first != link) return std::nullopt;
    return found->second;
}

} // namespace hw::impact
