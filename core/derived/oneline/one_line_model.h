// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line.h"

#include <set>

namespace hw {

/// A box of the diagram, by what it gathers: elements of a group on a side in buildings that are alike, then in one building, then of a block,
/// then of a row, then one.
struct OneLineKey {
    static constexpr std::uint32_t kAny = OneLine::kNone; ///< not told apart
    std::uint32_t group = 0;
    char side = 0;
    std::uint32_t alike = 0, building = kAny, block = kAny, row = kAny, element = kAny;
    friend auto operator<=>(const OneLineKey&, const OneLineKey&) = default;
};

/// What can be read on a page of 1,600 pixels, in units of the layout.
inline constexpr double kOneLinePageWidth = 1750;

/// Which folds are open. What is not open stays one box, however much it holds.
struct OneLineOpen {
    std::set<OneLineKey> keys;
    std::set<OneLineKey> apart; ///< parts of folds that stand beside them: buildings, rows, elements
    /// So much that every level can be read: groups of few elements whole, others by row, by block, by building or by like buildings.
    /// `width`: of the layout, at most, as far as folding can make it so narrow.
    [[nodiscard]] static OneLineOpen readable(const OneLine& line, double width = kOneLinePageWidth);
    /// Takes an element out of the folds that hide it; the rest of them stays folded.
    void reveal(const OneLine& line, std::uint32_t element);
    /// Tells an entity apart: a device or a rack from its like, a row or hall and a building from others, those of a tier from each other.
    /// False where the diagram has nothing of it.
    [[nodiscard]] bool open(const OneLine& line, EntityRef entity);
    void fold(const OneLineKey& key); ///< and what is open in it
    [[nodiscard]] bool has(const OneLineKey& key) const { return keys.contains(key); }
    friend bool operator==(const OneLineOpen&, const OneLineOpen&) = default;
};

/// One element, or several that are folded.
struct OneLineBox {
    OneLineKey key;
    std::optional<OneLineKey> around; ///< the open fold that it came out of
    std::uint32_t group = 0;
    std::int32_t level = 0;
    char side = 0;
    std::vector<std::uint32_t> members{};
    Milliwatts load{}, capacity{};        ///< sums; capacity 0: a member states none
    double share = 0;                     ///< of its capacity, of the worst member at worst
    std::uint32_t worst = OneLine::kNone; ///< that member
    std::uint32_t dark = 0;               ///< members without power
    [[nodiscard]] bool folded() const { return members.size() > 1; }
    [[nodiscard]] bool over() const { return share > 1; }
    friend bool operator==(const OneLineBox&, const OneLineBox&) = default;
};

struct OneLineEdge {
    std::uint32_t from = 0, to = 0; ///< boxes; `from` feeds
    std::uint32_t ways = 0;
    bool reserve = false; ///< all of them
    friend bool operator==(const OneLineEdge&, const OneLineEdge&) = default;
};

/// A diagram as far as it is open: every element in one box.
struct OneLineModel {
    OneLinePtr line;
    std::vector<OneLineBox> boxes; ///< by group, building, side, block, row
    std::vector<OneLineEdge> edges;
    std::vector<std::uint32_t> boxOf; ///< by element

    [[nodiscard]] static std::shared_ptr<const OneLineModel> make(OneLinePtr line, const OneLineOpen& open);
    /// "pod1-busway3", "18 busways".
    [[nodiscard]] Text title(const OneLineBox& box) const;
    /// "Busway 1600 A 400 V": what the members are, by their part; nothing where they are of several.
    [[nodiscard]] std::string part(const OneLineBox& box) const;
    /// Where the members of a fold are: the building, the row, or nothing to say.
    [[nodiscard]] Text place(const OneLineBox& box) const;
    /// Name without the building's, which is said elsewhere.
    [[nodiscard]] std::string shortName(const OneLineElement& element) const;
    [[nodiscard]] std::uint32_t find(const OneLineKey& key) const; ///< kNone
};
using OneLineModelPtr = std::shared_ptr<const OneLineModel>;

} // namespace hw
