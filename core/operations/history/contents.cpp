// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/contents.h"

namespace hw::history {

ChannelId Contents::add(std::string name)
{
    names.push_back(std::move(name));
    channels.emplace_back();
    return ids[names.back()] = ChannelId(names.size());
}

PlaceId Contents::place(ChannelId channel)
{
    const std::uint32_t group = channels[channel].group;
    const std::uint32_t block = inGroup[group] / (group == 0 ? kUngrouped : kGrouped);
    const PlaceId place = (PlaceId(group) << 24 | block) + 1;
    hasPlace(channel, place);
    return place;
}

void Contents::hasPlace(ChannelId channel, PlaceId place)
{
    channels[channel].place = place;
    channels[channel].group = std::uint32_t((place - 1) >> 24);
    ++inGroup[channels[channel].group];
    ++inPlace[place];
}

} // namespace hw::history
