// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/model/changeset.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

/// Derived parts as nodes. A node is a struct without state that says what follows from a design:
///
///     struct FabricNode {
///         using Value = FabricFigures;                         // immutable, compares with ==
///         static constexpr TextId kName = TextId("fabric");
///         using Inputs = Reads<Nodes<PartsNode>, Alive<Links>, Columns<&Ports::rate>, SettingKeys<"site.pue">>;
///         static std::shared_ptr<const Value> compute(const Now<FabricNode>& now);
///         static std::shared_ptr<const Value> update(const Was<FabricNode>& was, const Now<FabricNode>& now, const ChangeSet&);
///     };
///
/// `Figures` makes values when they are asked for and keeps them while no input changed. `update` is optional: it makes the value from
/// the one before (which it may return as it is, so that what depends on it stands as well), or returns null for "compute it".
/// What `compute` takes from other nodes is checked when it is compiled; that it reads no other column, by the oracle test.
namespace hw {

class Figures;
using ValuePtr = std::shared_ptr<const void>;

struct NodeInfo;
/// Made in one source, beside the node's `compute`: `template const NodeInfo& nodeInfo<FabricNode>();` after node_info.h.
template <class Node>
[[nodiscard]] const NodeInfo& nodeInfo();

/// Rows came or went in these tables.
template <class... Tables>
struct Alive {
    static bool touched(const ChangeSet& changes, const Snapshot& before, const Snapshot& after)
    {
        return ((changes.touchesAlive<Tables>() || before.of<Tables>().nextId() != after.of<Tables>().nextId()) || ...);
    }
};

/// Columns, by member: `Columns<&Racks::row, &Rows::hall>`.
template <auto... Members>
struct Columns {
    static bool touched(const ChangeSet& changes, const Snapshot&, const Snapshot&) { return (changes.touches(Members) || ...); }
};

/// Everything in these tables.
template <class... Tables>
struct Whole {
    static bool touched(const ChangeSet& changes, const Snapshot& before, const Snapshot& after)
    {
        return changes.touchesAny<Tables...>() || Alive<Tables...>::touched(changes, before, after);
    }
};

/// The key of a setting as a template argument.
struct SettingKey {
    std::array<char, 48> text{};
    template <std::size_t N>
    constexpr SettingKey(const char (&key)[N]) // NOLINT: written as a plain string
    {
        static_assert(N <= 48);
        std::copy_n(key, N, text.begin());
    }
    [[nodiscard]] constexpr std::string_view view() const { return text.data(); }
};

/// Settings, by key.
template <SettingKey... Keys>
struct SettingKeys {
    static bool touched(const ChangeSet& changes, const Snapshot& before, const Snapshot& after)
    {
        return changes.touches<Settings>() && ((before.setting(Keys.view()) != after.setting(Keys.view())) || ...);
    }
};

/// Inputs that several nodes share, under one name.
template <class... Inputs>
struct Group {
    static bool touched(const ChangeSet& changes, const Snapshot& before, const Snapshot& after)
    {
        return (Inputs::touched(changes, before, after) || ...);
    }
};

/// Other nodes.
template <class... Other>
struct Nodes {
    [[nodiscard]] static std::vector<const NodeInfo*> infos() { return {&nodeInfo<Other>()...}; }
    template <class One>
    static constexpr bool kHas = (std::is_same_v<One, Other> || ...);
    template <class One>
    [[nodiscard]] static constexpr std::size_t place()
    {
        std::size_t at = 0;
        bool found = false;
        ((std::is_same_v<One, Other> ? found = true : found || ++at), ...);
        return at;
    }
};

/// All inputs of a node: other nodes, then tables, columns and settings.
template <class OtherNodes, class... Tables>
struct Reads {
    using NodeList = OtherNodes;
    static bool touched([[maybe_unused]] const ChangeSet& changes, [[maybe_unused]] const Snapshot& before, [[maybe_unused]] const Snapshot& after)
    {
        return (Tables::touched(changes, before, after) || ...);
    }
};

/// What a node is made from, without its type.
struct Sources {
    const Figures& figures; ///< of `snapshot` where it is the new one
    const Snapshot& snapshot;
    std::span<const ValuePtr> inputs; ///< of the nodes among its inputs, in their order
    const Progress& progress;
};

/// The same with the node's type: `now.get<PartsNode>()` compiles for stated inputs only.
template <class Node>
class Now {
public:
    explicit Now(const Sources& sources) : m_sources(sources) {}
    [[nodiscard]] const Snapshot& snapshot() const { return m_sources.snapshot; }
    [[nodiscard]] const Progress& progress() const { return m_sources.progress; } ///< a stopped `compute` returns null
    template <class Other>
    [[nodiscard]] std::shared_ptr<const typename Other::Value> share() const
    {
        static_assert(Node::Inputs::NodeList::template kHas<Other>, "state this node among the inputs");
        return std::static_pointer_cast<const typename Other::Value>(m_sources.inputs[Node::Inputs::NodeList::template place<Other>()]);
    }
    template <class Other>
    [[nodiscard]] const typename Other::Value& get() const
    {
        return *share<Other>();
    }
    /// For a node over functions that take `Figures`: its inputs are proven by the oracle test alone.
    [[nodiscard]] const Figures& figures() const { return m_sources.figures; }
    [[nodiscard]] std::span<const ValuePtr> inputs() const { return m_sources.inputs; }

protected:
    const Sources& m_sources;
};

/// What a node was made from, and the value itself.
template <class Node>
class Was {
public:
    Was(ValuePtr value, const Snapshot& snapshot, std::span<const ValuePtr> inputs)
        : m_value(std::static_pointer_cast<const typename Node::Value>(std::move(value))), m_snapshot(snapshot), m_inputs(inputs)
    {
    }
    [[nodiscard]] const std::shared_ptr<const typename Node::Value>& value() const { return m_value; }
    [[nodiscard]] const Snapshot& snapshot() const { return m_snapshot; }
    template <class Other>
    [[nodiscard]] const typename Other::Value& get() const
    {
        static_assert(Node::Inputs::NodeList::template kHas<Other>, "state this node among the inputs");
        return *static_cast<const typename Other::Value*>(m_inputs[Node::Inputs::NodeList::template place<Other>()].get());
    }
    [[nodiscard]] std::span<const ValuePtr> inputs() const { return m_inputs; }

private:
    std::shared_ptr<const typename Node::Value> m_value;
    const Snapshot& m_snapshot;
    std::span<const ValuePtr> m_inputs;
};

/// A node without its type, as `Figures` works with it.
struct NodeInfo {
    TextId name;
    std::vector<const NodeInfo*> nodes; ///< among the inputs; they have lower numbers
    bool (*touched)(const ChangeSet&, const Snapshot& before, const Snapshot& after) = nullptr;
    ValuePtr (*compute)(const Sources& now) = nullptr;
    /// Null: there is none.
    ValuePtr (*update)(const ValuePtr& value, const Snapshot& before, std::span<const ValuePtr> inputs, const Sources& now,
                       const ChangeSet&) = nullptr;
    bool (*same)(const void* a, const void* b) = nullptr; ///< bit for bit
    std::size_t number = 0;                               ///< in the order in which nodes became known
};

inline constexpr std::size_t kMostNodes = 64;
/// Every node that the program can ask for, in the order of their numbers.
[[nodiscard]] const std::vector<const NodeInfo*>& knownNodes();

} // namespace hw
