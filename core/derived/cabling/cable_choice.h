// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/fiber_loss.h"
#include "core/foundation/catalog/catalog.h"

#include <map>
#include <optional>
#include <span>

namespace hw {

/// What the two sides of a cable look like: connectors of one kind of socket on either side.
struct CableEnd {
    std::uint32_t kind = 0;      ///< of the socket, numbered by CableChoice::kindNumber
    std::uint16_t jacks = 1;     ///< connectors that the cable is plugged into
    std::uint8_t ports = 1;      ///< logical ports of one connector
    std::uint8_t connectors = 1; ///< of the module in the socket
    Maybe<PartTypeId> module;    ///< chosen by hand
    friend bool operator==(const CableEnd&, const CableEnd&) = default;
};

/// How many connectors an assembly must have on either side so that every connector of one side reaches every one
/// of the other: 1:1 a straight cord, 1:n a breakout, n:m a shuffle. 0:0: no assembly can.
struct CableShape {
    std::uint8_t from = 1, to = 1;
    friend bool operator==(const CableShape&, const CableShape&) = default;
    /// The smallest for connectors with so many ports, of which at most `parallel` links join any two.
    [[nodiscard]] static CableShape of(const CableEnd& from, const CableEnd& to, int parallel);
};

/// What the choice of cable and transceivers depends on, apart from the length.
struct CableClass {
    CableEnd from, to;
    CableShape shape;
    std::int32_t rateGbps = 0;  ///< of one logical port
    Maybe<PartTypeId> type;     ///< cable type chosen by hand
    Maybe<PartTypeId> trunk;    ///< of links over panels: the cable between two, whose medium all runs have
    Maybe<PartTypeId> panel;    ///< that their cords plug into
    std::uint8_t panels = 0;    ///< that the links go over
    std::int32_t jointsMdb = 0; ///< what mated pairs in the panels and splices take, 1/1000 dB
    friend bool operator==(const CableClass&, const CableClass&) = default;
};

/// Why a class of links has neither cable nor modules, and what would do.
struct NoCableReason {
    enum class Cause : std::uint8_t { None, Module, Pair, Assembly, Reach };
    Cause cause = Cause::None;
    Text what, todo;
    friend bool operator==(const NoCableReason&, const NoCableReason&) = default;
};

/// Chooses cable type, bought length and transceivers for a needed length: the cheapest set in which
/// the modules fit the sockets, talk to each other (`interoperate`), share the cable's connectors and fibers, and
/// both reach the bought length on its medium, within the loss that they bear; or a copper cable that plugs straight into both sockets. The cable
/// has exactly the connectors that are needed: straight, breakout, shuffle. Ties go to the slugs' order. Where no
/// stocked length is long enough the cable is cut to the next meter; where no set reaches, the one that reaches
/// furthest is taken and flagged. Answers come from a table per class, filled when the class is first named.
class CableChoice {
public:
    struct Decision {
        Maybe<PartTypeId> type, moduleFrom, moduleTo;
        std::int32_t lengthMm = 0;
        bool reachExceeded = false;
    };
    /// Both modules of an option; cables that share a module's socket must agree in them.
    struct Modules {
        Maybe<PartTypeId> from, to;
        friend bool operator==(const Modules&, const Modules&) = default;
    };
    /// A cable whose length is wanted, for `together`.
    struct Wanted {
        std::uint32_t cableClass = 0;
        std::int32_t neededMm = 0;
        bool fixed = false;
    };

    CableChoice(const PartTypes& table, const ProjectParts& parts, const FiberLoss& loss);
    [[nodiscard]] std::uint32_t kindNumber(const Interface& interface);
    [[nodiscard]] std::uint32_t classNumber(const CableClass& key); ///< makes its table
    [[nodiscard]] Decision decide(std::uint32_t cableClass, std::int32_t neededMm) const;
    /// The same with a length set by hand.
    [[nodiscard]] Decision decideFixed(std::uint32_t cableClass, std::int32_t lengthMm) const;
    /// Cables whose modules share sockets: the modules that all of them can use, the cheapest for the longest of
    /// them, and then the cheapest cable for each.
    [[nodiscard]] std::vector<Decision> together(std::span<const Wanted> cables) const;
    /// Copper that fills a socket of several connectors: from the cables' class, the side of that socket, and how many
    /// sockets are at the other side (1: straight, n: one to n). Makes its table; kNone where no such cable exists.
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    [[nodiscard]] std::uint32_t copperNumber(const CableClass& key, bool trunkFrom, int legs);
    /// What one such assembly in place of all the cables would be; nothing where it does not reach or is not cheaper
    /// than these decisions.
    [[nodiscard]] std::optional<Decision> copperInstead(std::uint32_t copper, std::span<const Wanted> cables,
                                                        std::span<const Decision> decisions) const;
    [[nodiscard]] const CableClass& keyOf(std::uint32_t cableClass) const { return m_tables[cableClass].key; }
    [[nodiscard]] bool possible(std::uint32_t cableClass) const { return !m_tables[cableClass].options.empty(); }
    /// How far a decision of a class carries: the modules' reach, or what their loss budget leaves; 0 without an option.
    [[nodiscard]] std::int32_t limitOf(std::uint32_t cableClass, const Decision& decision) const;
    /// A length of a type that is at least `neededMm`: stocked, or cut to the next meter.
    [[nodiscard]] std::int32_t boughtLength(Maybe<PartTypeId> type, std::int32_t neededMm) const;
    /// The longest that such a need may be bought as, whichever cord of the class is chosen.
    [[nodiscard]] std::int32_t longestBought(std::uint32_t cableClass, std::int32_t neededMm) const;
    [[nodiscard]] bool crosses(PartTypeId type) const; ///< its pairs change sides
    /// The cord that differs from this one in that alone; nothing where the project has none.
    [[nodiscard]] Maybe<PartTypeId> otherPolarity(PartTypeId type) const;
    /// The undivided cord that goes on from a panel where this breakout ends; of a cord with one leg itself, nothing where the project has none.
    [[nodiscard]] Maybe<PartTypeId> undivided(PartTypeId type) const;
    /// What else a cable could be, and why not: every set of the class with its cost and limits, cheapest first.
    struct Candidate {
        Maybe<PartTypeId> type, moduleFrom, moduleTo;
        std::int32_t lengthMm = 0, limitMm = 0;
        Money cost;
        bool reached = false, stocked = false;
    };
    [[nodiscard]] std::vector<Candidate> candidates(std::uint32_t cableClass, std::int32_t neededMm) const;
    [[nodiscard]] const NoCableReason& reason(std::uint32_t cableClass) const { return m_tables[cableClass].reason; }

private:
    struct Kind {
        Interface interface;
    };
    struct Option {
        Maybe<PartTypeId> type;
        Modules modules;
        std::int32_t reachMm = 0;
        std::vector<Millimeters> stocked;
        Money fixed, perMeter; ///< with the connectors' share of all modules; per meter of cable
        std::string signal;    ///< of the modules; empty: direct copper
    };
    struct Steps {
        std::vector<std::int32_t> upTo; ///< needed lengths at which the decision changes, ascending
        std::vector<Decision> decisions;
    };
    struct Table {
        CableClass key;
        std::vector<Option> options; ///< by slugs of cable, lower module, upper module
        Steps steps;                 ///< over all options
        std::vector<std::pair<Modules, Steps>> byModules;
        NoCableReason reason;
    };
    struct Copper {
        CableClass key;
        bool trunkFrom = true;
        int legs = 1;
        Table table; ///< without options: none exists
    };

    [[nodiscard]] std::int64_t costOf(const Wanted& cable, const Decision& decision) const;
    [[nodiscard]] std::vector<PartTypeId> modulesFor(const CableEnd& end, bool strict) const;
    void learnCords();
    /// Trunks are for panels, straight cords (method A) for links over panels, whose runs have one medium.
    [[nodiscard]] bool suits(const CableClass& key, PartTypeId cable) const;
    void addOptions(Table& table, bool strict) const;
    void addDirect(Table& table, PartTypeId cable, bool strict) const;
    template <class W>
    [[nodiscard]] static Steps stepsOf(const Table& table, W&& wanted); ///< of the options for which wanted(option)
    [[nodiscard]] static Decision lookUp(const Table& table, const Steps& steps, std::int32_t neededMm);
    template <class W>
    [[nodiscard]] static Decision evaluate(const Table& table, std::int32_t neededMm, std::optional<std::int32_t> fixedMm, W&& wanted,
                                           std::int64_t* cost = nullptr);
    [[nodiscard]] Decision withModules(const Table& table, const Modules& modules, const Wanted& wanted) const;
    [[nodiscard]] std::vector<Decision> oneSignal(std::span<const Wanted> cables, std::int32_t longestMm) const;

    /// The reach of modules over a cable as their loss budget leaves it.
    [[nodiscard]] std::int32_t withinLoss(const CableClass& key, const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b,
                                          std::int32_t reachMm) const;

    /// What is asked of a cable type after the classes have been named.
    struct Cord {
        PartTypeId type;
        Maybe<PartTypeId> other, undivided;
        bool crosses = true;
        std::vector<Millimeters> stocked;
    };
    [[nodiscard]] const Cord* cord(PartTypeId type) const;

    FiberLoss m_loss;
    std::vector<Cord> m_cords;                   ///< by id
    const ProjectParts& m_parts;                 ///< used only while classes are being named
    std::vector<PartTypeId> m_cables, m_modules; ///< by slug
    std::vector<Kind> m_kinds;
    std::vector<Table> m_tables;
    std::vector<Copper> m_copper;
};

} // namespace hw
