// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/power_chain.h"
#include "core/design/layout/plant_bench.h"
#include "core/design/layout/plant_systems.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace hw::layout {

namespace {

constexpr std::int64_t kCoolingBeside = 40;   ///< fans up to one part in so many of the transformers depend on those of the racks. Assumed
constexpr std::int64_t kDenseMw = 20'000'000; ///< of a rack, as rule C16 has it
constexpr std::int16_t kStaticSwitchLevel = 20;
constexpr double kBeforeSwitches = 1.005; ///< over what static switches pass on; they lose 0.3 to 0.5 %
constexpr double kSizingMargin = 1.01;    ///< between what is planned and what the chain counts: losses at another share of the load
constexpr std::int64_t kMostParallel = 5; ///< units on one board, one of them redundant, where smaller ones leave less installed. Assumed
constexpr double kUnitSaves = 0.9;
constexpr double kNotAllowed = std::numeric_limits<double>::infinity();
constexpr double kAlwaysLoad = 0.8; ///< of a transformer's rating, carried continuously at most, as rule P10 wants
constexpr double kStepShare = 0.5;  ///< of a generator's rating, taken at once without a UPS, as rule P9 wants

// Series of the catalog, the smallest first.
constexpr std::array kTransformerSizes{"transformer-100kva",  "transformer-160kva",  "transformer-250kva",  "transformer-400kva",
                                       "transformer-630kva",  "transformer-800kva",  "transformer-1000kva", "transformer-1250kva",
                                       "transformer-1600kva", "transformer-2000kva", "transformer-2500kva", "transformer-3150kva"};
constexpr std::array kGeneratorSizes{"generator-100kw",  "generator-150kw",  "generator-200kw",  "generator-300kw",
                                     "generator-500kw",  "generator-750kw",  "generator-1000kw", "generator-1500kw",
                                     "generator-2000kw", "generator-2500kw", "generator-3250kw"};
constexpr std::array kSwitchboardSizes{"switchboard-250a",  "switchboard-400a",  "switchboard-800a", "switchboard-1600a",
                                       "switchboard-2500a", "switchboard-4000a", "switchboard-6300a"};
constexpr std::array kUpsBoardSizes{"ups-board-250a",  "ups-board-400a",  "ups-board-800a", "ups-board-1600a",
                                    "ups-board-2500a", "ups-board-4000a", "ups-board-6300a"};
constexpr std::array kUpsSizes{"ups-50kw",  "ups-75kw",  "ups-100kw", "ups-150kw", "ups-200kw",  "ups-250kw",  "ups-300kw", "ups-375kw",
                               "ups-500kw", "ups-625kw", "ups-750kw", "ups-875kw", "ups-1000kw", "ups-1125kw", "ups-1250kw"};

/// Boards of the two ways into what has two.
using BoardPair = std::array<DeviceId, 2>;

/// What feeds one board: transformers and generators, and UPS where there are some.
struct PlantChain {
    HallId hall;
    int side = 0;
    std::vector<DeviceId> transformers{}, generators{}, ups{};
    Maybe<DeviceId> mainBoard{}, upsBoard{};
    [[nodiscard]] DeviceId main() const { return mainBoard ? *mainBoard : transformers.front(); }
    [[nodiscard]] DeviceId output() const { return upsBoard ? *upsBoard : main(); }
};

/// Sections that one board carries, or with `Distributed` one set of systems.
struct SectionGroup {
    std::vector<const PlantSection*> sections;
    std::vector<std::array<int, 2>> systems; ///< by section, where it has two of several
    std::int64_t mw = 0, designMw = 0;
    void add(const PlantSection& section) { sections.push_back(&section), mw += section.mw, designMw += section.designMw; }
};

class GroupWriter {
public:
    GroupWriter(PlantBench& bench, HallId hall, const std::vector<PlantSection>& sections)
        : m_bench(bench), m_out(bench.out), m_o(bench.o), m_wire(bench.wire), m_hall(hall), m_sections(sections),
          m_prefix(hallPrefix(bench.out, hall))
    {
        m_beside = pumpsBeside();
        std::int64_t all = 0, design = 0;
        for (const PlantSection& section : sections) all += section.mw, design += section.designMw;
        m_designShare = all > 0 ? double(design) / double(all) : 1;
        m_stages = std::max(1.0, numberSetting(m_out, "rule.p9.stages", 3));
        findMostParallel();
    }

    std::vector<PlantTransformer> run()
    {
        switch (m_o.redundancy) {
        case Redundancy::TwoN: writeTwoN(); break;
        case Redundancy::NPlusOne: writeNPlusOne(); break;
        case Redundancy::Distributed: writeDistributed(); break;
        case Redundancy::Block: writeBlocks(); break;
        }
        feedCooling();
        for (const auto& chain : m_chains) linkChain(chain);
        return std::move(m_transformers);
    }

private:
    /// What the pumps of the hall add to each group of sections.
    [[nodiscard]] std::int64_t pumpsBeside() const
    {
        std::int64_t all = 0, largest = 0, pumps = 0, least = INT64_MAX;
        for (const PlantSection& section : m_sections) all += section.mw;
        m_out.devices.forEach([&](DeviceId id) {
            if (!hangsHere(id) || !m_bench.isPump(id)) return;
            const std::int64_t mw = m_bench.spec(id).nameplate.value.count();
            pumps += mw, largest = std::max(largest, mw), least = std::min(least, mw);
        });
        if (pumps == 0) return 0;
        const std::int64_t most = std::max<std::int64_t>(1, m_bench.capacity(m_o.transformer)),
                           groups = std::max<std::int64_t>(1, (all + most - 1) / most);
        const std::int64_t each = least == largest ? (pumps / largest + groups - 1) / groups * largest : pumps / groups + largest;
        return std::min(each, most / 2);
    }

    /// Cooling equipment of this hall that nothing feeds yet.
    [[nodiscard]] bool hangsHere(DeviceId id) const
    {
        return m_bench.kind(id) == TierKind::Cooling && !m_out.devices.rack[id] && m_bench.hallOf(id) == Maybe<HallId>(m_hall) && !m_wire.isFed(id);
    }

    [[nodiscard]] std::int64_t spare() const { return m_o.redundancy == Redundancy::NPlusOne ? 1 : 0; }
    [[nodiscard]] bool hasUps() const { return m_o.ups != "none" && m_o.upsBoard != "none"; }
    [[nodiscard]] std::int64_t realOf(const std::string& slug) const { return realRating(m_bench.parts.device(slug), powerFactorOf(m_out)); }
    /// True where so many modules of a part carry a load with those to spare out; of a distributed system what it carries all the time with one
    /// module lost, too, as the others do not help then.
    [[nodiscard]] bool upsCarry(const UpsLoad& load, std::int64_t count, const std::string& slug) const
    {
        const std::int64_t real = realOf(slug), rated = m_bench.capacity(slug);
        if (load.modules(real, rated) > count - spare()) return false;
        if (m_o.redundancy != Redundancy::Distributed || count < 2) return true;
        return UpsLoad{load.mw, load.designMw * (m_o.systems - 1) / m_o.systems}.modules(real, INT64_MAX) <= count - 1;
    }
    [[nodiscard]] std::int64_t upsFor(const UpsLoad& load) const
    {
        std::int64_t count = load.modules(realOf(m_o.ups), m_bench.capacity(m_o.ups)) + spare();
        while (!upsCarry(load, count, m_o.ups)) ++count;
        return leastInstalled(count, kUpsSizes, m_o.ups, m_o.sizesUps,
                              [&](const std::string& slug, std::int64_t n) { return upsCarry(load, n, slug); });
    }
    /// Of parallel units with one to spare, of which `count` of the part named suffice: as many of a smaller size as leave least installed. A unit
    /// more must save a tenth.
    template <class Series, class Carry>
    [[nodiscard]] std::int64_t leastInstalled(std::int64_t count, const Series& series, const std::string& named, bool sized, Carry&& carry) const
    {
        if (spare() == 0 || !sized) return count;
        const auto installedOf = [&](std::int64_t n) {
            for (const char* slug : series)
                if (m_bench.parts.has(slug) && m_bench.capacity(slug) < m_bench.capacity(named) && carry(std::string(slug), n))
                    return mayParallel(slug, n) ? double(n * m_bench.capacity(slug)) : kNotAllowed;
            return mayParallel(named, n) ? double(n * m_bench.capacity(named)) : kNotAllowed;
        };
        std::int64_t best = count;
        double least = installedOf(count);
        for (std::int64_t n = count + 1; n <= kMostParallel; ++n)
            if (const double installed = installedOf(n); installed < least * std::pow(kUnitSaves, double(n - best))) best = n, least = installed;
        return best;
    }
    /// Rating of all transformers on one board at which a short circuit reaches what rule P16 allows: c U / (sqrt 3 (Z grid + uk U²/S)).
    void findMostParallel()
    {
        constexpr double kHighC = 1.1, kLowC = 1.05, kSure = 0.93; // transformers have at least 0.96 of that impedance (IEC 60909-0, K_T)
        const double u = std::numbers::sqrt3 * numberSetting(m_out, "rule.p2.phase_v", 230), grid = numberSetting(m_out, "site.fault_mva") * 1e6,
                     most = numberSetting(m_out, "rule.p16.low_ka", 100) * 1e3, uk = numberSetting(m_out, "power.transformer_uk_percent") / 100;
        const double left = most > 0 ? kLowC * u / std::numbers::sqrt3 / most - (grid > 0 ? kHighC * u * u / grid : 0) : 0;
        if (left > 0 && uk > 0) m_mostParallelVa = kSure * uk * u * u / left;
    }
    /// Transformers in parallel; anything else.
    [[nodiscard]] bool mayParallel(const std::string& slug, std::int64_t count) const
    {
        const PowerSpec& power = m_bench.parts.device(slug).power;
        return power.element != PowerElement::Transformer || m_mostParallelVa <= 0 || count < 2 ||
               double(count) * double(power.apparent.value.count()) / 1e3 <= m_mostParallelVa;
    }
    /// True where some transformers of one size in parallel carry so much with one of them out.
    [[nodiscard]] bool parallelCarry(std::int64_t mw) const
    {
        if (m_o.transformer == "none" || !m_o.sizesTransformer) return true;
        for (std::int64_t n = 2; n <= kMostParallel; ++n)
            for (const char* slug : kTransformerSizes)
                if (m_bench.parts.has(slug) && m_bench.capacity(slug) <= m_bench.capacity(m_o.transformer) && mayParallel(slug, n) &&
                    within(double(mw / (n - 1) + m_wire.lossAt(slug, mw / (n - 1))), slug))
                    return true;
        return false;
    }
    /// With as much of it as designed as in the whole hall.
    [[nodiscard]] UpsLoad shared(std::int64_t mw) const { return {mw, std::int64_t(double(mw) * m_designShare)}; }
    /// What a main board gives where so much depends on the UPS behind it.
    [[nodiscard]] std::int64_t beforeUps(std::int64_t mw) const
    {
        if (!hasUps()) return mw;
        const std::int64_t count = upsFor(shared(mw));
        return mw + count * m_wire.lossAt(m_o.ups, mw / count);
    }
    /// Ways that equipment of this type has; as many as are wanted where it states none.
    [[nodiscard]] std::size_t outletsOf(const std::string& slug) const
    {
        const std::size_t outlets = slug == "none" ? 0 : m_bench.parts.device(slug).outlets.size();
        return outlets > 0 ? outlets : 100'000;
    }
    /// True where one chain carries so much behind its UPS, all losses included.
    [[nodiscard]] bool carries(std::int64_t mw) const
    {
        const auto fits = [&](const std::string& slug, std::int64_t load) {
            const std::int64_t most = slug == "none" ? 0 : m_bench.capacity(slug);
            return most <= 0 || load <= most;
        };
        const std::int64_t before = beforeUps(mw);
        const bool boards = fits(m_o.switchboard, before) && (!hasUps() || fits(m_o.upsBoard, mw));
        return boards && (spare() > 0 ? parallelCarry(before) : fits(m_o.transformer, before + m_wire.lossAt(m_o.transformer, before)));
    }

    /// Devices of one group and side; `beside`: what its main board carries besides. `reserve` is part of the names of a reserve block.
    const PlantChain& addChain(std::size_t number, int side, const UpsLoad& load, bool ups, const char* reserve = "", std::int64_t beside = 0)
    {
        const auto make = [&](const char* tier, TextId label, std::int16_t level, const std::string& slug, std::int64_t n = 0) {
            const std::string &key = m_out.halls.key[m_hall], tail = n == 0 ? std::string() : fmt::format("-{}", n);
            return m_wire.device(m_wire.tier(tier, label, level), slug,
                                 PlantBench::keyed(key, fmt::format("{}/auto/{}/group={}/feed={}{}", tier, key, number - 1, side, tail)),
                                 fmt::format("{}{}{}{}-{}{}", m_prefix, tier, reserve, number, side + 1, tail), side);
        };
        const auto inside = [&](DeviceId id) {
            m_bench.rooms.inside(m_hall, id);
            return id;
        };
        const auto several = [&](const auto& series, const std::string& slug, bool sized, std::int64_t carried) -> std::int64_t {
            if (spare() == 0) return 1;
            const std::int64_t each = m_bench.capacity(slug), needed = each > 0 ? std::max<std::int64_t>(1, (carried + each - 1) / each) : 1;
            return leastInstalled(needed + spare(), series, slug, sized,
                                  [&](const std::string& one, std::int64_t n) { return within(double(carried) / double(n - spare()), one); });
        };
        PlantChain chain{.hall = m_hall, .side = side};
        const std::int64_t before = (ups ? beforeUps(load.mw) : load.mw) + beside,
                           transformers = several(kTransformerSizes, m_o.transformer, m_o.sizesTransformer, before);
        for (std::int64_t n = 0; n < transformers; ++n)
            chain.transformers.push_back(
                inside(make("transformer", TextId("Transformer"), 16, opening(m_o.transformer, m_o.sizesTransformer), transformers > 1 ? n + 1 : 0)));
        if (m_o.switchboard != "none")
            chain.mainBoard = inside(make("switchboard", TextId("Main switchboard"), 18, opening(m_o.switchboard, m_o.sizesSwitchboard)));
        if (m_o.generator != "none" && m_o.generators == Generators::Board && chain.mainBoard) {
            const std::int64_t sets = several(kGeneratorSizes, m_o.generator, m_o.sizesGenerator,
                                              before + before / kCoolingBeside); // with the fans that may hang here
            for (std::int64_t n = 0; n < sets; ++n) {
                chain.generators.push_back(
                    make("generator", TextId("Generator set"), 17, opening(m_o.generator, m_o.sizesGenerator), sets > 1 ? n + 1 : 0));
                m_bench.rooms.outside(m_hall, chain.generators.back());
            }
        }
        if (ups && hasUps()) {
            const std::int64_t modules = upsFor(load);
            for (std::int64_t n = 0; n < modules; ++n)
                chain.ups.push_back(inside(make("ups", TextId("UPS"), 19, opening(m_o.ups, m_o.sizesUps), n + 1)));
            chain.upsBoard = inside(make("ups_board", TextId("UPS output switchboard"), 20, opening(m_o.upsBoard, m_o.sizesUpsBoard)));
        }
        m_chains.push_back(std::move(chain));
        return m_chains.back();
    }

    /// The part that a device is made as before its size is known: that named, or one that the design has anyway.
    [[nodiscard]] const std::string& opening(const std::string& named, bool sized) const
    {
        if (!sized) return named;
        for (const auto way : m_sections.front().ways)
            if (way) return m_bench.parts.slug(m_out.devices.type[*way]);
        return named;
    }
    /// The smallest of a series, up to the part named, that `fits`, for all of `devices`.
    template <class Series, class Fits>
    void takeSize(std::span<const DeviceId> devices, const Series& series, const std::string& named, bool sized, Fits&& fits)
    {
        if (!sized || devices.empty()) return;
        std::string slug = named;
        for (const char* one : series)
            if (m_bench.parts.has(one) && m_bench.capacity(one) < m_bench.capacity(named) && fits(std::string(one))) {
                slug = one;
                break;
            }
        const PartTypeId type = m_bench.parts.use(slug);
        for (const DeviceId id : devices) m_out.devices.type.set(id, type);
    }
    /// True where so much is within the capacity of a part.
    [[nodiscard]] bool within(double mw, const std::string& slug) const { return mw * kSizingMargin <= double(m_bench.capacity(slug)); }
    [[nodiscard]] bool hasWays(DeviceId id, const std::string& slug) const { return m_wire.waysOf(id) <= outletsOf(slug); }

    void sizeUps(const PlantChain& chain)
    {
        const UpsLoad load{m_wire.mw(*chain.upsBoard), m_wire.designMw(*chain.upsBoard)};
        takeSize(chain.ups, kUpsSizes, m_o.ups, m_o.sizesUps, [&](const std::string& slug) { return upsCarry(load, std::ssize(chain.ups), slug); });
    }
    /// Cabinets beside the UPS for the minutes asked, at the end of their life; never fewer than its own, which carry its power.
    void addBatteries(const PlantChain& chain)
    {
        const std::string& slug = m_bench.parts.slug(m_out.devices.type[chain.ups.front()]);
        const DeviceSpec& spec = m_bench.parts.device(slug);
        if (spec.power.battery.value.count() <= 0) return;
        const std::int64_t working = std::max<std::int64_t>(1, std::ssize(chain.ups) - spare());
        const auto load = std::int64_t(UpsLoad::kMargin * double(m_wire.designMw(*chain.upsBoard)) / double(working));
        const double health = spec.power.endOfLifePermille.value > 0 ? double(spec.power.endOfLifePermille.value) / 1000 : 0.8,
                     depth = numberSetting(m_out, "rule.p8.depth_percent", 95) / 100;
        const double drain = double(power::batteryDrain(lossOf(spec.power, powerFactorOf(m_out)), Milliwatts(load)).count());
        const auto cabinets =
            std::int64_t(std::ceil(drain * double(m_o.batteryMinutes) / 60 / (health * depth) / double(power::kBatteryCabinet.count())));
        if (cabinets <= power::batteryCabinets(spec.power.battery.value)) return;
        const PartTypeId type = m_bench.parts.use(m_bench.parts.withBatteries(slug, cabinets));
        for (const DeviceId ups : chain.ups) m_out.devices.type.set(ups, type);
    }
    void sizeTransformers(const PlantChain& chain)
    {
        const std::int64_t count = std::ssize(chain.transformers), working = std::max<std::int64_t>(1, count - spare());
        const std::int64_t each = m_wire.mw(chain.main()) / working;
        // A block carries all of its load all the time; with the other schemes the units that help in a failure keep the load lower.
        const double always = m_o.redundancy == Redundancy::Block ? double(m_wire.designMw(chain.main()) / working) / kAlwaysLoad : 0;
        takeSize(chain.transformers, kTransformerSizes, m_o.transformer, m_o.sizesTransformer, [&](const std::string& slug) {
            return within(double(each + m_wire.lossAt(slug, each)), slug) && always <= double(m_bench.capacity(slug)) &&
                   (chain.mainBoard || hasWays(chain.main(), slug));
        });
    }
    /// Sets that carry what is on the board as designed with one to spare out, and take what is behind no UPS in the steps of a restart.
    void sizeGenerators(const PlantChain& chain)
    {
        if (chain.generators.empty()) return;
        std::int64_t behindUps = 0;
        for (const DeviceId ups : chain.ups) behindUps += m_wire.designIntakeOf(ups);
        const std::int64_t all = m_wire.designMw(*chain.mainBoard), working = std::max<std::int64_t>(1, std::ssize(chain.generators) - spare());
        const double step = std::max(double(std::max<std::int64_t>(0, all - behindUps)) / m_stages, double(std::min(m_largestFan, all)));
        const double each = std::max(double(all), step / kStepShare) / double(working);
        takeSize(chain.generators, kGeneratorSizes, m_o.generator, m_o.sizesGenerator, [&](const std::string& slug) { return within(each, slug); });
    }

    /// From the loads up, so that each knows what it feeds, and is as large as that asks for.
    void linkChain(const PlantChain& chain)
    {
        if (!chain.ups.empty()) {
            sizeUps(chain), addBatteries(chain);
            takeSize(std::array{*chain.upsBoard}, kUpsBoardSizes, m_o.upsBoard, m_o.sizesUpsBoard,
                     [&](const std::string& slug) { return within(double(m_wire.mw(*chain.upsBoard)), slug) && hasWays(*chain.upsBoard, slug); });
        }
        for (const DeviceId ups : chain.ups) {
            m_wire.feedInReserve(*chain.upsBoard, ups);
            m_wire.mw(ups) = m_wire.mw(*chain.upsBoard) / std::int64_t(chain.ups.size());
            m_wire.designMw(ups) = m_wire.designMw(*chain.upsBoard) / std::int64_t(chain.ups.size());
            m_wire.feed(ups, chain.main());
        }
        if (chain.mainBoard)
            takeSize(std::array{*chain.mainBoard}, kSwitchboardSizes, m_o.switchboard, m_o.sizesSwitchboard,
                     [&](const std::string& slug) { return within(double(m_wire.mw(*chain.mainBoard)), slug) && hasWays(*chain.mainBoard, slug); });
        sizeTransformers(chain);
        sizeGenerators(chain);
        for (const DeviceId transformer : chain.transformers) {
            if (chain.mainBoard) m_wire.feedInReserve(*chain.mainBoard, transformer);
            if (chain.mainBoard) {
                m_wire.mw(transformer) = m_wire.mw(*chain.mainBoard) / std::int64_t(chain.transformers.size());
                m_wire.designMw(transformer) = m_wire.designMw(*chain.mainBoard) / std::int64_t(chain.transformers.size());
            }
            m_transformers.push_back({chain.hall, chain.side, transformer, chain.main()});
        }
        for (const DeviceId generator : chain.generators) m_wire.feedInReserve(*chain.mainBoard, generator);
    }

    /// The cell that a section stands in; none where it hangs over no row.
    [[nodiscard]] std::optional<std::int32_t> cellOf(const PlantSection& section) const
    {
        for (const auto& way : section.ways)
            if (way && m_out.devices.row[*way]) return m_out.rows.cell[*m_out.devices.row[*way]];
        return std::nullopt;
    }

    /// As many sections in a row as one board carries; a cell that one carries whole is not divided.
    [[nodiscard]] std::vector<SectionGroup> groupsInTurn() const
    {
        std::vector<SectionGroup> groups;
        const double before = m_o.redundancy == Redundancy::Block ? kBeforeSwitches : 1;
        const auto fits = [&](std::int64_t mw) { return carries(std::int64_t(double(mw) * before)); };
        for (std::size_t i = 0; i < m_sections.size(); ++i) {
            std::int64_t cell = 0;
            const bool first = i == 0 || !cellOf(m_sections[i]) || !(cellOf(m_sections[i]) == cellOf(m_sections[i - 1]));
            for (std::size_t n = i; first && n < m_sections.size() && cellOf(m_sections[n]) == cellOf(m_sections[i]); ++n) cell += m_sections[n].mw;
            const bool apart = first && !groups.empty() && fits(m_beside + cell) && !fits(groups.back().mw + cell);
            if (groups.empty() || apart || !fits(groups.back().mw + m_sections[i].mw)) groups.push_back({{}, {}, m_beside, m_beside});
            groups.back().add(m_sections[i]);
        }
        return groups;
    }

    void writeTwoN()
    {
        for (const SectionGroup& group : groupsInTurn()) {
            BoardPair main, output;
            for (std::size_t side = 0; side < 2; ++side) {
                const PlantChain& chain = addChain(m_mains.size() + 1, int(side), {group.mw, group.designMw}, true);
                main[side] = chain.main(), output[side] = chain.output();
                for (const PlantSection* section : group.sections)
                    if (const auto way = section->ways[side]) m_wire.feed(*way, chain.output());
            }
            m_mains.push_back(main), m_outputs.push_back(output);
        }
    }

    void writeNPlusOne()
    {
        if (m_o.switchboard == "none")
            throw refusal(m_o.where, i18n("redundancy n+1 requires a common switchboard for the transformers, but 'switchboard' is none"),
                          i18n("specify a switchboard"));
        for (const SectionGroup& group : groupsInTurn()) {
            const PlantChain& chain = addChain(m_mains.size() + 1, 0, {group.mw, group.designMw}, true);
            for (const PlantSection* section : group.sections) m_wire.feed(*section->ways[0], chain.output());
            m_mains.push_back({chain.main(), chain.main()}), m_outputs.push_back({chain.output(), chain.output()});
        }
    }

    /// Every section goes to the two systems that leaves the worst of them with least.
    [[nodiscard]] std::vector<SectionGroup> groupsOfSystems() const
    {
        const auto pairs = systemPairs(m_o.systems);
        std::vector<SectionGroup> groups;
        SystemLoads loads;
        for (const PlantSection& section : m_sections) {
            const auto best = [&](SystemLoads on) {
                std::array<int, 2> chosen = pairs.front();
                auto least = std::pair(INT64_MAX, 0.0);
                for (const auto& pair : pairs) {
                    SystemLoads with = on;
                    with.add(pair, section.mw);
                    if (const auto rank = with.rank(); rank < least) least = rank, chosen = pair;
                }
                return std::pair(chosen, least.first);
            };
            auto [pair, worst] = best(loads);
            if (groups.empty() || !carries(worst + m_beside)) {
                groups.emplace_back(), loads = {};
                pair = best(loads).first;
            }
            loads.add(pair, section.mw);
            groups.back().sections.push_back(&section), groups.back().systems.push_back(pair);
        }
        return groups;
    }

    void writeDistributed()
    {
        std::size_t number = 0;
        for (const SectionGroup& group : groupsOfSystems()) {
            ++number;
            SystemLoads loads, design;
            for (std::size_t i = 0; i < group.sections.size(); ++i)
                loads.add(group.systems[i], group.sections[i]->mw), design.add(group.systems[i], group.sections[i]->designMw);
            std::array<Maybe<DeviceId>, 4> main, output;
            std::vector<int> used;
            for (int system = 0; system < m_o.systems; ++system) {
                if (loads.worst(system) == 0) continue;
                const PlantChain& chain = addChain(number, system, {loads.worst(system) + m_beside, design.worst(system) + m_beside}, true);
                main[std::size_t(system)] = chain.main(), output[std::size_t(system)] = chain.output();
                used.push_back(system);
            }
            for (std::size_t i = 0; i < group.sections.size(); ++i)
                for (std::size_t way = 0; way < 2; ++way)
                    if (const auto id = group.sections[i]->ways[way]) {
                        const int system = group.systems[i][way];
                        m_out.devices.side.set(*id, PowerSide(1 + system));
                        m_restated.insert(*id);
                        m_wire.feedInReserve(*id, *output[std::size_t(system)]);
                    }
            for (const int system : used)
                m_wire.mw(*output[std::size_t(system)]) = loads.worst(system), m_wire.designMw(*output[std::size_t(system)]) = design.worst(system);
            for (std::size_t i = 0; i < used.size(); i += 2) { // cooling: on two systems each
                const auto a = std::size_t(used[i]), b = std::size_t(i + 1 < used.size() ? used[i + 1] : used.front());
                m_mains.push_back({*main[a], *main[b]}), m_outputs.push_back({*output[a], *output[b]});
            }
        }
        restateStrips();
    }

    /// Strips are of the side of their busway.
    void restateStrips()
    {
        m_out.links.forEach([&](LinkId link) {
            const DeviceId strip = m_out.ports.device[m_out.links.from[link]], busway = m_out.ports.device[m_out.links.to[link]];
            if (m_out.ports.medium[m_out.links.from[link]] == Medium::Power && m_restated.contains(busway) && m_bench.kind(strip) == TierKind::Power)
                m_out.devices.side.set(strip, m_out.devices.side[busway]);
        });
    }

    void writeBlocks()
    {
        const auto groups = groupsInTurn();
        for (std::size_t first = 0, last = 0, cluster = 1; first < groups.size(); first = last, ++cluster) {
            std::size_t used = 0;
            for (last = first; last < groups.size() && last < first + std::size_t(m_o.systems); ++last) {
                used += 2 * groups[last].sections.size();
                if (last > first && outletsOf(hasUps() ? m_o.upsBoard : m_o.switchboard) < used) break;
            }
            const auto before = [](std::int64_t mw) { return std::int64_t(double(mw) * kBeforeSwitches); };
            UpsLoad switched;
            for (std::size_t g = first; g < last; ++g)
                switched = {std::max(switched.mw, before(groups[g].mw)), std::max(switched.designMw, before(groups[g].designMw))};
            const PlantChain reserve = addChain(cluster, 1, switched, true, "-reserve");
            for (std::size_t g = first; g < last; ++g) {
                const UpsLoad load{before(groups[g].mw), before(groups[g].designMw)};
                const PlantChain block = addChain(g + 1, 0, load, true);
                for (const PlantSection* section : groups[g].sections) switchSection(*section, block.output(), reserve.output());
                m_wire.mw(block.output()) = load.mw, m_wire.designMw(block.output()) = load.designMw;
                m_mains.push_back({block.main(), reserve.main()}), m_outputs.push_back({block.output(), reserve.output()});
            }
            m_wire.mw(reserve.output()) = switched.mw, m_wire.designMw(reserve.output()) = switched.designMw;
        }
    }

    /// A static switch before each busway of the section.
    void switchSection(const PlantSection& section, DeviceId block, DeviceId reserve)
    {
        std::string slug = m_o.staticSwitch;
        const double powerFactor = m_o.staticSwitch.empty() ? powerFactorOf(m_out) : 1; // of its own choice, with what its rating in kVA leaves
        const auto carriesIt = [&](const std::string& part) {
            return m_bench.capacity(part) <= 0 || double(section.mw) <= powerFactor * double(m_bench.capacity(part));
        };
        for (const char* part : kStaticSwitches)
            if (m_o.staticSwitch.empty() && (slug.empty() || !carriesIt(slug))) slug = part;
        if (!carriesIt(slug))
            throw refusal(m_o.where,
                          i18n("'{}' is rated {:.0Lf} kW, but a busway carries {:.0Lf} kW", slug, double(m_bench.capacity(slug)) / 1e6,
                               double(section.mw) / 1e6),
                          i18n("specify a larger static_switch or a smaller busway"));
        for (const auto way : section.ways) {
            if (!way) continue;
            const std::string& key = m_out.devices.key[*way];
            const DeviceId id =
                m_wire.device(m_wire.tier("static_switch", TextId("Static transfer switch"), kStaticSwitchLevel), slug,
                              PlantBench::keyed(key, fmt::format("static_switch/auto/{}", key)), fmt::format("{}-sts", m_out.devices.name[*way]), -1);
            m_out.devices.side.set(id, m_out.devices.side[*way]);
            m_bench.rooms.inside(m_hall, id);
            m_wire.feed(*way, id);
            m_wire.feedInReserve(id, block);
            m_wire.feedInReserve(id, reserve);
        }
    }

    [[nodiscard]] bool airOnUps() const
    {
        if (!hasUps() || m_o.coolingUps == CoolingUps::No) return false;
        const auto most = m_bench.densest.find(m_hall);
        return m_o.coolingUps == CoolingUps::Yes || (most != m_bench.densest.end() && most->second > kDenseMw);
    }

    /// A path from either feed, the feeds preferred in turn: pumps of liquid loops on UPS, in dense halls air units and facility pumps, too;
    /// on dedicated transformers where those of the racks lack the capacity.
    void feedCooling()
    {
        if (m_mains.empty()) return;
        std::vector<DeviceId> pumps, vital, fans;
        std::int64_t mw = 0, largest = 0, vitalMw = 0, largestVital = 0;
        const bool onUps = airOnUps();
        m_out.devices.forEach([&](DeviceId id) {
            if (!hangsHere(id)) return;
            const std::int64_t own = m_bench.spec(id).nameplate.value.count();
            m_wire.mw(id) = own, m_wire.designMw(id) = m_bench.spec(id).design.value.count();
            if (own == 0) return;
            if (m_bench.isPump(id)) return pumps.push_back(id);
            largest = std::max(largest, own);
            if (onUps && m_bench.keepsAir(id))
                vital.push_back(id), vitalMw += own, largestVital = std::max(largestVital, own);
            else
                fans.push_back(id), mw += own, m_largestFan = std::max(m_largestFan, own);
        });
        feedFrom(m_outputs, pumps);
        const std::int64_t before = vital.empty() ? 0 : beforeUps(vitalMw);
        std::int64_t most = m_bench.capacity(m_o.transformer);
        if (m_o.switchboard != "none") most = std::min(most, m_bench.capacity(m_o.switchboard));
        const bool little = most <= 0 || (mw + before) * kCoolingBeside <= most * std::int64_t(m_mains.size());
        if ((little || mainsCarry(mw + before, largest, fans.size() + vital.size())) && outputsCarry(vitalMw, largestVital, vital.size())) {
            feedFrom(m_outputs, vital);
            return feedFrom(m_mains, fans);
        }
        feedApart(fans, mw, vital, vitalMw, largest, std::max<std::int64_t>(1, most));
    }

    /// Cooling on boards of its own, `vital` behind UPS of its own.
    void feedApart(const std::vector<DeviceId>& fans, std::int64_t mw, const std::vector<DeviceId>& vital, std::int64_t vitalMw, std::int64_t largest,
                   std::int64_t most)
    {
        const std::size_t number = m_mains.size(), each = outletsOf(m_o.switchboard), devices = fans.size() + vital.size(),
                          plugs = devices * (m_bench.ways() == 1 ? 2 : 1); // of one board
        const std::int64_t all = mw + (vital.empty() ? 0 : beforeUps(vitalMw));
        std::int64_t count = std::max((all + most - 1) / most, std::int64_t((plugs + each - 1) / each));
        while (most > 2 * largest && count < std::int64_t(devices) && withLoss(all / count + largest) > most) ++count;
        const std::int64_t shares = count > 1 ? count : 1, more = count > 1 ? largest : 0;
        std::vector<BoardPair> own, outputs;
        for (std::int64_t n = 0; n < count; ++n) {
            BoardPair main, output;
            for (int side = 0; side < m_bench.ways(); ++side) {
                const std::int64_t behind = vitalMw / shares + (vital.empty() ? 0 : more), beside = mw / shares + more;
                const PlantChain& chain = vital.empty() ? addChain(number + own.size() + 1, side, {beside, beside}, false)
                                                        : addChain(number + own.size() + 1, side, {behind, behind}, true, "", beside);
                main[std::size_t(side)] = chain.main(), output[std::size_t(side)] = chain.output();
            }
            if (m_bench.ways() == 1) main[1] = main[0], output[1] = output[0];
            own.push_back(main), outputs.push_back(output);
        }
        feedFrom(own, fans);
        feedFrom(outputs, vital);
    }

    /// True where the UPS of the racks, as many as they are, carry so much more, each side alone.
    [[nodiscard]] bool outputsCarry(std::int64_t mw, std::int64_t largest, std::size_t devices)
    {
        if (devices == 0 || !hasUps()) return true;
        const auto pairs = std::int64_t(m_outputs.size());
        const std::int64_t each = mw / pairs + (pairs > 1 ? largest : 0);
        return std::ranges::all_of(m_chains, [&](const PlantChain& chain) {
            if (!chain.upsBoard) return true;
            const UpsLoad load{m_wire.mw(*chain.upsBoard) + each, m_wire.designMw(*chain.upsBoard) + each};
            return upsCarry(load, std::ssize(chain.ups), m_o.ups) && within(double(load.mw), m_o.upsBoard) &&
                   m_wire.waysOf(*chain.upsBoard) + 2 * devices / std::size_t(pairs) + 2 <= outletsOf(m_o.upsBoard);
        });
    }

    /// True where the boards of the racks, each alone, carry the fans, too: a small hall needs no second pair of chains.
    [[nodiscard]] bool mainsCarry(std::int64_t mw, std::int64_t largest, std::size_t fans)
    {
        if (m_o.redundancy != Redundancy::TwoN || m_o.switchboard == "none") return false;
        const auto pairs = std::int64_t(m_mains.size());
        const std::int64_t each = mw / pairs + (pairs > 1 ? largest : 0);
        for (const BoardPair& output : m_outputs) {
            const std::int64_t own = m_wire.mw(output[0]), before = hasUps() ? beforeUps(own) : own;
            const auto ways = std::size_t(hasUps() ? upsFor(shared(own)) : std::int64_t(m_wire.waysOf(output[0])));
            const auto all = double(before + each);
            if (!within(all, m_o.switchboard) || !within(double(withLoss(before + each)), m_o.transformer)) return false;
            if (m_o.generator != "none" && m_o.generators == Generators::Board && !within(all, m_o.generator)) return false;
            if (ways + fans / std::size_t(pairs) + 1 > outletsOf(m_o.switchboard)) return false;
        }
        return true;
    }

    /// What a transformer takes for so much.
    [[nodiscard]] std::int64_t withLoss(std::int64_t mw) const { return mw + m_wire.lossAt(m_o.transformer, mw); }

    /// Outlets of a board that a device takes.
    [[nodiscard]] std::size_t plugsOn(const BoardPair& pair, DeviceId id) const
    {
        return pair[0] == pair[1] ? std::min<std::size_t>(2, m_bench.spec(id).inlets.size()) : 1;
    }
    /// By device the pair of boards that it hangs on: in their order, so that every pair gets about as much; where one has too few outlets for that,
    /// so that every pair gets as many of those that draw alike.
    [[nodiscard]] std::vector<std::size_t> spread(const std::vector<BoardPair>& boards, const std::vector<DeviceId>& devices) const
    {
        std::int64_t all = 0, before = 0;
        for (const DeviceId id : devices) all += m_wire.mw(id);
        std::vector<std::size_t> at, used(boards.size(), 0);
        for (std::size_t b = 0; b < boards.size(); ++b) used[b] = m_wire.waysOf(boards[b][0]);
        for (const DeviceId id : devices) {
            at.push_back(std::size_t(before * std::int64_t(boards.size()) / all));
            before += m_wire.mw(id), used[at.back()] += plugsOn(boards[at.back()], id);
        }
        if (std::ranges::max(used) <= outletsOf(m_o.switchboard)) return at;
        std::map<std::int64_t, std::pair<std::size_t, std::size_t>> alike; // of one draw: how many, and the next of them
        for (const DeviceId id : devices) ++alike[m_wire.mw(id)].first;
        for (std::size_t i = 0; i < devices.size(); ++i) {
            auto& [count, next] = alike[m_wire.mw(devices[i])];
            at[i] = next++ * boards.size() / count;
        }
        return at;
    }
    void feedFrom(const std::vector<BoardPair>& boards, const std::vector<DeviceId>& devices)
    {
        if (devices.empty()) return;
        const bool inTurn = m_o.redundancy != Redundancy::Block; // a reserve stays free
        const std::vector<std::size_t> at = spread(boards, devices);
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const BoardPair& pair = boards[at[i]];
            const std::size_t first = inTurn ? i % 2 : 0;
            m_wire.feed(devices[i], pair[first]);
            if (m_bench.spec(devices[i]).inlets.size() == 1) continue;
            if (pair[0] == pair[1])
                m_wire.feedInReserve(devices[i], pair[1]);
            else
                m_wire.feed(devices[i], pair[1 - first]);
        }
    }

    PlantBench& m_bench;
    Snapshot& m_out;
    const Options& m_o;
    Wirer& m_wire;
    HallId m_hall;
    const std::vector<PlantSection>& m_sections;
    std::string m_prefix;
    double m_stages = 1;           ///< steps in which what has no UPS starts again
    std::int64_t m_largestFan = 0; ///< of what has no UPS
    std::int64_t m_beside = 0;     ///< of each group, for pumps
    double m_designShare = 1;      ///< of the nameplate load of the sections
    double m_mostParallelVa = 0;   ///< of transformers on one board; 0: no limit
    std::vector<PlantChain> m_chains;
    std::vector<BoardPair> m_mains, m_outputs; ///< that cooling may depend on
    std::set<DeviceId> m_restated;             ///< busways whose side follows from their system
    std::vector<PlantTransformer> m_transformers;
};

} // namespace

std::string hallPrefix(const Snapshot& s, HallId hall)
{
    std::size_t halls = 0, here = 0;
    std::vector<char> used(s.halls.nextId(), 0);
    s.rows.forEach([&](RowId row) { used[s.rows.hall[row].value] = 1; });
    s.halls.forEach([&](HallId id) {
        halls += used[id.value] != 0;
        here += used[id.value] && s.halls.building[id] == s.halls.building[hall];
    });
    return halls <= 1 ? std::string() : (here == 1 ? s.buildings.name[s.halls.building[hall]] : s.halls.name[hall]) + "-";
}

std::vector<PlantTransformer> writeGroups(PlantBench& bench, const std::map<HallId, std::vector<PlantSection>>& sections)
{
    std::vector<PlantTransformer> all;
    for (const auto& [hall, ways] : sections) {
        const auto made = GroupWriter(bench, hall, ways).run();
        all.insert(all.end(), made.begin(), made.end());
    }
    return all;
}

} // namespace hw::layout
