// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/load_histogram.h"

#include "core/foundation/model/label.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <map>

namespace hw::views {

std::vector<LoadHistogram> loadHistograms(const sim::FlowResult& result, const Snapshot& s)
{
    // By tier below, tier above and direction: a few dozen places, so that a link is counted without a search.
    const std::size_t tiers = s.tiers.nextId();
    std::vector<LoadHistogram> found(tiers * tiers * 2);
    std::vector<std::uint32_t> tierOf(s.devices.nextId(), 0);
    s.devices.forEach([&](DeviceId id) { tierOf[id.value] = s.devices.tier[id].value; });
    s.links.forEach([&](LinkId link) {
        if (std::size_t(link.value) * 2 + 1 >= result.capacityGbps.size() || result.capacityGbps[2 * link.value] <= 0) return;
        const std::size_t from = tierOf[s.ports.device[s.links.from[link]].value], to = tierOf[s.ports.device[s.links.to[link]].value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            auto& h = found[(from * tiers + to) * 2 + direction];
            const double used = result.utilization(2 * link.value + direction);
            ++h.links[used <= 1e-9 ? 0 : std::min<std::size_t>(LoadHistogram::kBins - 1, 1 + std::size_t(used * 10 - 1e-9))];
            ++h.total;
            h.mean += used;
            h.most = std::max(h.most, used);
        }
    });
    struct Key {
        int lower, upper, direction;
        std::size_t from, to;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::size_t> order;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].total == 0) continue;
        const TierId from(std::uint32_t(i / 2 / tiers)), to(std::uint32_t(i / 2 % tiers));
        order[{s.tiers.level[from], s.tiers.level[to], int(i % 2), from.value, to.value}] = i;
    }
    std::vector<LoadHistogram> out;
    for (const auto& [key, place] : order) {
        LoadHistogram& h = found[place];
        const QString lower = text(labelText(s.tiers, TierId(std::uint32_t(key.from)))),
                      upper = text(labelText(s.tiers, TierId(std::uint32_t(key.to))));
        h.label = key.direction == 0 ? lower + " → " + upper : upper + " → " + lower;
        h.mean /= std::max(1u, h.total);
        out.push_back(h);
    }
    return out;
}

LoadHistogramView::LoadHistogramView(SimulationSession& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    setObjectName("scenarioHistogram");
    connect(&session.bridge(), &DocumentBridge::simulationChanged, this, &LoadHistogramView::refresh);
    connect(&session.bridge(), &DocumentBridge::simulationMarked, this, &LoadHistogramView::refresh);
    connect(&session, &SimulationSession::answerChanged, this, &LoadHistogramView::refresh);
    connect(&session, &SimulationSession::standingChanged, this, &LoadHistogramView::refresh);
    refresh();
}

QSize LoadHistogramView::sizeHint() const { return {space(150), space(50)}; }

void LoadHistogramView::recount()
{
    m_stale = false;
    const auto& figures = m_session.bridge().figures();
    m_now.clear();
    m_pinned.clear();
    if (const auto& flows = m_session.bridge().flows(); flows && figures) {
        m_now = loadHistograms(*flows, *figures->snapshot);
        const FlowsMark& mark = m_session.bridge().flowsMark();
        m_nowName = mark.peak ? tr("%1 (peak)").arg(text(flows->scenarioName)) : text(flows->scenarioName);
        if (mark.stale) m_nowName = tr("%1 — outdated").arg(m_nowName);
    }
    if (const auto& pinned = m_session.pinned(); pinned && pinned != m_session.answer() && pinned->flows && pinned->design.snapshot) {
        m_pinned = loadHistograms(*pinned->flows, *pinned->design.snapshot);
        m_pinnedName = text(pinned->document.value("name", ""));
    }
}

void LoadHistogramView::paintEvent(QPaintEvent*)
{
    if (m_stale) recount();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_now.empty()) {
        p.setPen(theme().textDim);
        p.drawText(rect(), Qt::AlignCenter,
                   m_session.standing() == AnswerState::Other ? m_session.standingText() : tr("No link loads: run a workload on this design"));
        return;
    }
    const double line = fontMetrics().height(), width_ = (width() - space(3)) / double(m_now.size());
    std::uint32_t most = 1; // one scale for all, also for the pinned ones
    for (const auto* set : {&m_now, &m_pinned})
        for (const auto& h : *set)
            for (const auto n : h.links) most = std::max(most, n);
    p.setPen(theme().textFaint);
    const QString scale = tr("Links by utilization, common scale: %1 links").arg(count(most));
    const QString head = scale + " · " + (m_pinned.empty() ? m_nowName : tr("filled: %1 · outlined: %2").arg(m_nowName, m_pinnedName));
    p.drawText(QRectF(space(2), 0, width(), line * 1.3), Qt::AlignVCenter, head);
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        const auto& h = m_now[i];
        const QRectF box(space(2) + double(i) * width_, line * 3.0, width_ - space(3), height() - line * 5.2);
        p.setPen(theme().text);
        p.drawText(QRectF(box.left(), line * 1.4, box.width(), line), Qt::AlignLeft,
                   fontMetrics().elidedText(h.label, Qt::ElideRight, int(box.width())));
        p.setPen(theme().gridStrong);
        p.drawLine(box.bottomLeft(), box.bottomRight());
        const auto pinned = std::ranges::find(m_pinned, h.label, &LoadHistogram::label);
        const double bar = box.width() / double(LoadHistogram::kBins);
        for (std::size_t b = 0; b < LoadHistogram::kBins; ++b) {
            const double tall = box.height() * double(h.links[b]) / most;
            const QRectF filled(box.left() + bar * double(b) + 1, box.bottom() - tall, bar - 2, tall);
            p.fillRect(filled, b == 0 ? theme().border : mapColor((double(b) - 0.5) / 10));
            if (pinned != m_pinned.end()) {
                const double other = box.height() * double(pinned->links[b]) / most;
                p.setPen(QPen(theme().text, 1.2));
                p.drawRect(QRectF(filled.left(), box.bottom() - other, filled.width(), other));
            }
            if (h.links[b] > 0 && bar > fontMetrics().horizontalAdvance(count(h.links[b])) + 2) {
                p.setPen(theme().textDim);
                p.drawText(QRectF(filled.left() - 2, filled.top() - line, bar + 2, line), Qt::AlignCenter, count(h.links[b]));
            }
        }
        p.setPen(theme().textFaint);
        p.drawText(QRectF(box.left(), box.bottom() + 2, bar * 2, line), Qt::AlignLeft, tr("0"));
        p.drawText(QRectF(box.left(), box.bottom() + 2, box.width(), line), Qt::AlignRight, tr("100 %"));
        p.setPen(theme().textDim);
        p.drawText(QRectF(box.left(), box.bottom() + line, box.width(), line * 1.1), Qt::AlignLeft,
                   pinned == m_pinned.end()
                       ? tr("mean %1, maximum %2").arg(percent(h.mean), percent(h.most))
                       : tr("mean %1, maximum %2 (%3, %4)").arg(percent(h.mean), percent(h.most), percent(pinned->mean), percent(pinned->most)));
    }
}

} // namespace hw::views
