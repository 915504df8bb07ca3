// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

#include <map>
#include <span>

namespace hw {

/// One end of a cable: the cages that it plugs into, all of one kind.
struct CableEnd {
    std::uint32_t slug = 0;       ///< of the cage, numbered by CableChoice::slugNumber
    std::uint8_t cages = 1;       ///< that share the cable at this end
    std::uint8_t split = 1;       ///< logical ports per cage
    Maybe<PartTypeId> module;     ///< chosen by hand
    friend bool operator==(const CableEnd&, const CableEnd&) = default;
};

/// What the choice of cable and transceivers depends on, apart from the length.
struct CableClass {
    CableEnd from, to;
    std::int32_t rateGbps = 0;    ///< of one logical port
    Maybe<PartTypeId> type;       ///< cable type chosen by hand
    friend bool operator==(const CableClass&, const CableClass&) = default;
};

/// Chooses cable type, bought length and transceivers for a needed length: the cheapest set in which
/// the modules fit the cages, talk to each other (`interoperate`), share the cable's connector, and both
/// reach the bought length on its medium; or a copper cable that plugs straight into both sockets. Ties go to the slugs' order. Where no stocked length is long
/// enough the cable is cut to the next metre; where no set reaches, the one that reaches furthest is
/// taken and flagged. Answers come from a table per class, filled when the class is first named.
class CableChoice {
public:
    struct Decision {
        Maybe<PartTypeId> type, moduleFrom, moduleTo;
        std::int32_t lengthMm = 0;
        bool reachExceeded = false;
    };

    CableChoice(const PartTypes& table, const ProjectParts& parts);
    [[nodiscard]] std::uint32_t slugNumber(const std::string& slug);
    [[nodiscard]] std::uint32_t classNumber(const CableClass& key); ///< makes its table
    [[nodiscard]] Decision decide(std::uint32_t cableClass, std::int32_t neededMm) const;
    /// The same with a length set by hand.
    [[nodiscard]] Decision decideFixed(std::uint32_t cableClass, std::int32_t lengthMm) const;

private:
    struct Option {
        Maybe<PartTypeId> type, moduleFrom, moduleTo;
        std::int32_t reachMm = 0;
        std::vector<Millimetres> stocked;
        Money fixed, perMetre; ///< with all modules; per metre of cable
    };
    struct Table {
        CableClass key;
        std::vector<Option> options;    ///< by slugs of cable, lower module, upper module
        std::vector<std::int32_t> upTo; ///< needed lengths at which the decision changes, ascending
        std::vector<Decision> decisions;
    };

    [[nodiscard]] std::vector<PartTypeId> modulesFor(const CableEnd& end, std::int32_t rateGbps, bool strict) const;
    void addOptions(Table& table, bool strict) const;
    void addDirect(Table& table, PartTypeId cable, bool strict) const;
    [[nodiscard]] static Decision evaluate(const Table& table, std::int32_t neededMm, std::optional<std::int32_t> fixedMm);

    const ProjectParts& m_parts; ///< used only while classes are being named
    std::vector<PartTypeId> m_cables, m_modules; ///< by slug
    std::vector<std::string> m_slugs;
    std::vector<Table> m_tables;
};

} // namespace hw
