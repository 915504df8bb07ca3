// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/point.h"

#include "core/operations/bindings/channel.h"

#include <algorithm>

namespace hw::bindings {

PointNo Bound::find(const Point& point) const
{
    const auto at = std::ranges::lower_bound(points, point);
    return at != points.end() && *at == point ? PointNo(at - points.begin()) : kNoPoint;
}

std::pair<PointNo, PointNo> Bound::pointsOf(EntityRef entity) const
{
    const auto found = std::ranges::equal_range(points, entity, {}, &Point::entity);
    return {PointNo(found.begin() - points.begin()), PointNo(found.end() - points.begin())};
}

Text Bound::why(ChannelNo channel) const
{
    if (channel >= channels.size()) return {};
    const Channel& c = channels[channel];
    const auto detail = [&](std::size_t i) { return c.details[i] < details.size() ? details[c.details[i]] : std::string(); };
    switch (c.cause) {
    case Cause::None: return {};
    case Cause::NoRule: return i18n("no matching rule");
    case Cause::UnknownName: return i18n("'{}' not found in the design", detail(0));
    case Cause::SeveralNames: return i18n("'{}' is not unique in the design", detail(0));
    case Cause::OtherKind: return i18n("'{}' is not a device, rack, row, hall or port", detail(0));
    case Cause::NoMeasure: return i18n("unknown measure '{}'", detail(0));
    case Cause::RulesDisagree: return i18n("rules bind it to different points: {} and {}", detail(0), detail(1));
    case Cause::Doubled: return i18n("{} is already bound to the same point: {}", detail(0), detail(1));
    case Cause::HeldByHand: return i18n("{} was bound manually to the same point: {}", detail(0), detail(1));
    case Cause::NoUnit: return i18n("neither the channel nor its rule specifies a unit; expected: {}", detail(1));
    case Cause::UnknownUnit:
        return detail(1).empty() ? i18n("unknown unit or state '{}'", detail(0)) : i18n("unknown unit '{}'; expected: {}", detail(0), detail(1));
    case Cause::OtherUnit:
        return detail(1).empty() ? i18n("unit '{}' given for a measure without a unit", detail(0))
                                 : i18n("'{}' cannot be converted to {}", detail(0), detail(1));
    case Cause::SetAside: return i18n("ignored manually");
    case Cause::SetAsideByRule: return i18n("ignored by rule: {}", detail(0));
    }
    return {};
}

} // namespace hw::bindings
