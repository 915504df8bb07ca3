// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/point.h"

#include "core/live/channel.h"

#include <algorithm>

namespace hw::live {

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
    case Cause::NoRule: return i18n("no rule fits it");
    case Cause::UnknownName: return i18n("nothing in the design is called '{}'", detail(0));
    case Cause::SeveralNames: return i18n("several things in the design are called '{}'", detail(0));
    case Cause::OtherKind: return i18n("'{}' is no device, rack, row, hall or port", detail(0));
    case Cause::NoMeasure: return i18n("'{}' is no measure", detail(0));
    case Cause::RulesDisagree: return i18n("rules bind it to different points: {} and {}", detail(0), detail(1));
    case Cause::Doubled: return i18n("{} says the same: {}", detail(0), detail(1));
    case Cause::HeldByHand: return i18n("{} was bound by hand to the same: {}", detail(0), detail(1));
    case Cause::NoUnit: return i18n("neither it nor its rule states a unit; {} is wanted", detail(1));
    case Cause::UnknownUnit:
        return detail(1).empty() ? i18n("'{}' is no unit or state that is known", detail(0))
                                 : i18n("'{}' is no unit that is known; {} is wanted", detail(0), detail(1));
    case Cause::OtherUnit:
        return detail(1).empty() ? i18n("'{}' is a unit, and it is measured without one", detail(0))
                                 : i18n("'{}' cannot be converted to {}", detail(0), detail(1));
    case Cause::SetAside: return i18n("set aside by hand");
    case Cause::SetAsideByRule: return i18n("set aside by a rule: {}", detail(0));
    }
    return {};
}

} // namespace hw::live
