// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TwinView that shows other colors of the same things: values of racks, loads of links.
#include "views/twin/widget/view_state.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

namespace hw::views {

namespace {

constexpr int kPlayingMs = 400; ///< colors that change within are a film: smoothness before sharpness

} // namespace

void TwinView::Private::redrawSoon()
{
    if (colored.isValid() && colored.elapsed() < kPlayingMs) rest.start();
    colored.start();
    redraw();
}

/// Where a whole scene is still being made, that one takes the loads with it. Loads that come while others are summed
/// wait for their turn, and only the latest of them: so a film is seen however fast it comes.
void TwinView::Private::recolor()
{
    if (!scene.facts() || scene.figures() != wanted || building != 0) return build(nullptr);
    const bool small = wanted->snapshot->racks.size() <= kWorkerRacks;
    if (small) {
        scene.adopt(twin::prepareLoads(*wanted, *scene.facts(), loads, networkHidden, dark));
        return redrawSoon();
    }
    if (std::exchange(summing, true)) {
        summingAgain = true;
        return;
    }
    const auto number = ++request;
    worker.start([this, number, figures = wanted, facts = scene.facts(), result = loads, hidden = networkHidden, darkly = dark] {
        std::shared_ptr<twin::PreparedLoads> prepared;
        const auto fault = faultIn([&] { // then the colors stay as they were
            if (number == request) prepared = std::make_shared<twin::PreparedLoads>(twin::prepareLoads(*figures, *facts, result, hidden, darkly));
        });
        if (fault) logging::error(logging::Id::WindowFault, "colors of the twin: {}", *fault);
        QMetaObject::invokeMethod(
            &q, [this, number, prepared] { adopt(number, prepared.get()); }, Qt::QueuedConnection);
    });
}

void TwinView::Private::adopt(std::uint64_t number, twin::PreparedLoads* prepared)
{
    summing = false;
    if (prepared && number == request) {
        scene.adopt(std::move(*prepared));
        redrawSoon();
    }
    if (std::exchange(summingAgain, false)) recolor();
}

void TwinView::setLoads(std::shared_ptr<const sim::FlowResult> result)
{
    if (d->loads == result) return;
    d->loads = std::move(result);
    d->recolor();
}

void TwinView::setLoadsMark(const QString& whose, bool stale)
{
    d->scene.setLoadsMark(whose.toStdString(), stale);
    update();
}

void TwinView::setOverlay(std::shared_ptr<const OverlayValues> values)
{
    if (values == d->values) return;
    d->values = values && values->name != "kind" ? std::move(values) : nullptr;
    d->overlay.setValues(d->values);
    d->scene.setTrayValues(d->values);
    d->colorRacks();
    d->redrawSoon();
}

void TwinView::Private::readColors()
{
    rackColors =
        twin::valueColors(values.get(), wanted ? wanted->snapshot->racks.nextId() : 0, wanted ? wanted->snapshot->devices.nextId() : 0, dark);
}

void TwinView::Private::colorRacks()
{
    readColors();
    scene.setRackColors(rackColors);
}

} // namespace hw::views
