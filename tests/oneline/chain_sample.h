// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line.h"

namespace hw::test {

/// A one-line diagram by hand, without a design behind it.
struct ChainSample {
    std::shared_ptr<OneLine> line = std::make_shared<OneLine>();

    ChainSample() { line->snapshot = std::make_shared<const Snapshot>(); }

    std::uint32_t group(PowerElement kind, const std::string& label, bool load = false)
    {
        const auto at = std::uint32_t(line->elements.size());
        OneLineGroup group{.kind = kind, .label = label, .first = at, .last = at, .load = load};
        if (!label.empty()) group.tier = TierId(std::uint32_t(line->groups.size()));
        line->groups.push_back(std::move(group));
        return std::uint32_t(line->groups.size() - 1);
    }
    /// In the last group.
    std::uint32_t add(const std::string& name, char side, std::int64_t loadKw, std::int64_t worstKw, std::int64_t capacityKw,
                      std::vector<OneLineFeed> feeds)
    {
        const auto at = std::uint32_t(line->elements.size());
        OneLineElement e{.entity = {EntityKind::Device, at}, .name = name, .group = std::uint32_t(line->groups.size() - 1), .side = side};
        e.load = watts(loadKw * 1000), e.worst = watts(worstKw * 1000), e.capacity = watts(capacityKw * 1000);
        e.feeds = std::move(feeds);
        line->elements.push_back(std::move(e));
        line->groups.back().last = at + 1;
        return at;
    }
    OneLinePtr done()
    {
        setOneLineLevels(*line);
        setOneLineAlike(*line);
        setOneLineBlocks(*line);
        return line;
    }
};

/// Two sides from utility to racks: in each of `blocks` a transformer, a generator, a UPS and a board on each side, `busways` under each board
/// and a rack between A and B of each.
inline OneLinePtr twoSidedChain(int blocks, int busways)
{
    ChainSample c;
    const std::int64_t rackKw = 500, unit = rackKw / 2 * busways, all = unit * blocks;
    std::vector<std::uint32_t> utility, gear, transformer, generator, ups, board, busway;
    const auto each = [&](auto&& make) {
        for (int b = 0; b < blocks; ++b)
            for (const char side : {'A', 'B'}) make(b, side, std::size_t(2 * b + (side - 'A')), std::to_string(b + 1) + "-" + side);
    };
    c.group(PowerElement::Utility, "Utility");
    for (const char side : {'A', 'B'}) utility.push_back(c.add(std::string("utility-") + side, side, all, 2 * all, 3 * all, {}));
    c.group(PowerElement::Switchgear, "MV switchgear lineup");
    for (const char side : {'A', 'B'})
        gear.push_back(c.add(std::string("mv-") + side, side, all, 2 * all, 2 * all + 100,
                             {{utility[std::size_t(side - 'A')]}, {utility[std::size_t('B' - side)], true}}));
    c.group(PowerElement::Transformer, "Transformer");
    each([&](int, char side, std::size_t, const std::string& n) {
        transformer.push_back(c.add("tr" + n, side, unit, 2 * unit, 2 * unit + 50, {{gear[std::size_t(side - 'A')]}}));
    });
    c.group(PowerElement::Generator, "Generator");
    each([&](int, char side, std::size_t, const std::string& n) { generator.push_back(c.add("gen" + n, side, 0, unit, 2 * unit, {})); });
    c.group(PowerElement::Ups, "UPS");
    each([&](int b, char side, std::size_t i, const std::string& n) {
        ups.push_back(c.add("ups" + n, side, unit, b == 1 ? 3 * unit : unit + 10, 2 * unit, {{transformer[i]}, {generator[i], true}}));
    });
    c.group(PowerElement::Switchboard, "Switchboard");
    each([&](int, char side, std::size_t i, const std::string& n) {
        board.push_back(c.add("board" + n, side, unit, 2 * unit, 2 * unit + 20, {{ups[i]}}));
    });
    c.group(PowerElement::Busway, "Busway");
    each([&](int, char side, std::size_t i, const std::string& n) {
        for (int k = 0; k < busways; ++k) busway.push_back(c.add("bus" + n + std::to_string(k + 1), side, rackKw / 2, rackKw, 800, {{board[i]}}));
    });
    c.group(PowerElement::None, "", true);
    for (int b = 0; b < blocks; ++b)
        for (int k = 0; k < busways; ++k) {
            const auto a = std::size_t(2 * b * busways + k);
            c.add("rack" + std::to_string(b * busways + k + 1), 0, rackKw, rackKw, 600, {{busway[a]}, {busway[a + std::size_t(busways)]}});
            c.line->elements.back().entity.kind = EntityKind::Rack;
        }
    c.line->drawn = watts(rackKw * 1000 * blocks * busways);
    return c.done();
}

} // namespace hw::test
