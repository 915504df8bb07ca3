// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// How power flows from sources to loads: who feeds whom, what each carries and loses, what survives a loss. Knows nothing of designs.
namespace hw::power {

using Index = std::uint32_t;

/// Power on the three phases. Whole milliwatts, so that a parent is the sum of its children and its own loss exactly.
struct Phases {
    std::array<std::int64_t, 3> mw{};

    [[nodiscard]] Milliwatts total() const { return Milliwatts(mw[0] + mw[1] + mw[2]); }
    /// Evenly on all three; what does not divide goes to the first ones.
    [[nodiscard]] static Phases even(Milliwatts power);
    /// All of it on one phase, 1 to 3; on all three for 0.
    [[nodiscard]] static Phases on(std::uint8_t phase, Milliwatts power);
    Phases& operator+=(const Phases& other);
    Phases& operator-=(const Phases& other);
    friend bool operator==(const Phases&, const Phases&) = default;
};

/// How an element that has several ways in uses them.
enum class Intake : std::uint8_t {
    Shared,   ///< evenly over all that live: power supplies
    Transfer, ///< the first that lives: transfer switches, boards with a reserve feed
    Parallel  ///< evenly over those of the first group that live: transformers on one bus with generators behind them
};

/// What an element loses while it passes power on: a fixed part, and either one that grows with the square of the load (transformers,
/// busways) or what an efficiency curve says (UPS).
struct Loss {
    struct Point {
        double load = 0;       ///< of the rating, 0 to 1
        double efficiency = 1; ///< 0 to 1
        friend bool operator==(const Point&, const Point&) = default;
    };
    Milliwatts fixed;           ///< while it is live, at any load
    Milliwatts atRating;        ///< on top of it, at the rating
    Milliwatts rating;          ///< that `atRating` and the curve are meant for
    std::vector<Point> curve{}; ///< ascending by load; between them a straight line of the loss

    [[nodiscard]] Milliwatts at(Milliwatts load) const;
    friend bool operator==(const Loss&, const Loss&) = default;
};

/// One way in of an element.
struct Feed {
    Index from = 0;
    std::uint8_t phase = 0; ///< that it is plugged to, 1 to 3; 0 = all three
    Milliwatts capacity{};  ///< of this way alone, such as a power supply; 0 = not limited
    std::uint8_t group = 0; ///< of ways that work together; a parallel intake prefers the lowest
    friend bool operator==(const Feed&, const Feed&) = default;
};

struct Element {
    Milliwatts draw{}; ///< that ends here
    Intake intake = Intake::Shared;
    bool source = false; ///< holds by itself: a utility, a generator
    Loss loss{};
    Milliwatts least{}; ///< that the ways which live must be able to carry, else it is given up: a block whose loads have another one
    friend bool operator==(const Element&, const Element&) = default;
};

/// Elements and their ways in. What feeds itself is named and gets nothing.
class Network {
public:
    /// A consumer of an element: its own `feed` leads here.
    struct Use {
        Index consumer = 0;
        std::uint32_t feed = 0; ///< number in `feeds(consumer)`
        friend bool operator==(const Use&, const Use&) = default;
    };

    /// `feeds[i]`: the ways into element i, in the order in which a transfer prefers them.
    Network(std::vector<Element> elements, const std::vector<std::vector<Feed>>& feeds);

    [[nodiscard]] std::size_t size() const { return m_elements.size(); }
    [[nodiscard]] const Element& operator[](Index i) const { return m_elements[i]; }
    [[nodiscard]] std::span<const Feed> feeds(Index i) const { return {m_feeds.data() + m_feedOffset[i], m_feeds.data() + m_feedOffset[i + 1]}; }
    [[nodiscard]] std::span<const Use> uses(Index i) const { return {m_uses.data() + m_useOffset[i], m_uses.data() + m_useOffset[i + 1]}; }
    [[nodiscard]] std::uint32_t firstFeed(Index i) const { return m_feedOffset[i]; } ///< its place among all feeds
    [[nodiscard]] std::size_t feedCount() const { return m_feeds.size(); }
    [[nodiscard]] std::span<const Index> order() const { return m_order; }      ///< consumers before what feeds them
    [[nodiscard]] std::uint32_t rank(Index i) const { return m_rank[i]; }       ///< place in the order
    [[nodiscard]] const std::vector<Index>& looped() const { return m_looped; } ///< feed themselves; ascending
    friend bool operator==(const Network&, const Network&) = default;

private:
    /// Of the elements whose consumers never all came (`open`: how many are left), those that something left feeds: loops, and what stands between
    /// two.
    [[nodiscard]] std::vector<Index> loopsAmong(const std::vector<std::uint32_t>& open) const;

    std::vector<Element> m_elements;
    std::vector<Feed> m_feeds;
    std::vector<Use> m_uses;
    std::vector<std::uint32_t> m_feedOffset, m_useOffset, m_rank;
    std::vector<Index> m_order, m_looped;
};

/// What every element carries in one state of the network.
struct Flow {
    std::vector<char> live;      ///< by element: gets power. A load whose live ways in cannot carry its draw does not
    std::vector<Phases> through; ///< what it passes on and draws itself, without its loss
    std::vector<Phases> intake;  ///< what it takes: `through` and its loss
    std::vector<Phases> shares;  ///< by feed of the network: what comes this way
    friend bool operator==(const Flow&, const Flow&) = default;
};

/// The flow with some elements lost.
[[nodiscard]] Flow flowOf(const Network& network, std::span<const Index> lost = {});

/// What an element takes over its ways in: `live` by way, of those that have power. Empty ways get nothing.
void shareIntake(const Network& network, Index element, const Phases& intake, std::span<const char> live, std::span<Phases> shares);

/// True when an element with these live ways in gets its power.
[[nodiscard]] bool isFed(const Network& network, Index element, std::span<const char> live);

} // namespace hw::power
