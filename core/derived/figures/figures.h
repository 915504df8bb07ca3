// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/nodes.h"

#include <atomic>
#include <mutex>

namespace hw {

/// One derived part of some figures, used like a pointer to it: made when it is first looked at.
template <class Node>
class Derived {
public:
    using Value = typename Node::Value;
    explicit Derived(const Figures& figures) : m_figures(figures) {}
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;

    [[nodiscard]] const Value& operator*() const;
    [[nodiscard]] const Value* operator->() const { return &**this; }
    [[nodiscard]] std::shared_ptr<const Value> share() const;
    operator std::shared_ptr<const Value>() const { return share(); }
    explicit operator bool() const { return true; }
    /// The same object: nothing that it follows from changed in between.
    friend bool operator==(const Derived& a, const Derived& b) { return a.share() == b.share(); }

private:
    const Figures& m_figures;
};

/// Everything that follows from a snapshot and that the report, the rules, the bill of materials and the views share: the values of
/// all nodes (node.h) at one revision. A value is made when somebody asks for it, and kept while nothing changed that it follows from;
/// then the next figures share it. Any thread may ask; who asks for what another thread is making waits for that.
class Figures {
public:
    Figures(SnapshotPtr snapshot, std::shared_ptr<const ProjectParts> parts);
    /// After a change: what it does not reach is taken over, the rest made from what there was once it is asked for.
    Figures(const Figures& before, SnapshotPtr snapshot, std::shared_ptr<const ProjectParts> parts, const ChangeSet& changes);
    /// Of a part of a design: rows were left out of it. Cables and feeders of the part run as they do in the whole.
    Figures(SnapshotPtr part, const Figures& whole);
    Figures(const Figures&) = delete;
    Figures& operator=(const Figures&) = delete;
    ~Figures();

    const SnapshotPtr snapshot;

    template <class Node>
    [[nodiscard]] const typename Node::Value& get() const
    {
        return *static_cast<const typename Node::Value*>(value(nodeInfo<Node>()));
    }
    template <class Node>
    [[nodiscard]] std::shared_ptr<const typename Node::Value> share() const
    {
        return std::static_pointer_cast<const typename Node::Value>(shareValue(nodeInfo<Node>()));
    }
    /// Makes values beforehand. Error: Canceled.
    template <class... Node>
    [[nodiscard]] Result<void> prepare(const Progress& progress) const
    {
        const std::array<const NodeInfo*, sizeof...(Node)> nodes{&nodeInfo<Node>()...};
        return prepare(std::span<const NodeInfo* const>(nodes), progress);
    }
    [[nodiscard]] Result<void> prepare(std::span<const NodeInfo* const> nodes, const Progress& progress) const;
    /// Whether a value was asked for so far.
    template <class Node>
    [[nodiscard]] bool made() const
    {
        return made(nodeInfo<Node>());
    }
    [[nodiscard]] bool made(const NodeInfo& node) const { return m_slots[node.number].ready.load(std::memory_order_acquire) != nullptr; }
    [[nodiscard]] const void* value(const NodeInfo& node) const
    {
        const void* value = m_slots[node.number].ready.load(std::memory_order_acquire);
        return value ? value : make(node, {});
    }
    [[nodiscard]] ValuePtr shareValue(const NodeInfo& node) const;

private:
    struct Made {
        ValuePtr value;
        std::vector<ValuePtr> inputs; ///< of its node's `nodes`
    };
    /// What a value can be made from: the one of an earlier revision.
    struct Base {
        std::shared_ptr<const Made> made;
        SnapshotPtr snapshot;
        int age = 0; ///< figures since then that nobody asked for it
    };
    struct Slot {
        std::atomic<const void*> ready{nullptr};
        std::mutex making; ///< held while the value is being made
        std::mutex guard;  ///< of the two below, held for moments
        std::shared_ptr<const Made> made;
        std::shared_ptr<const Base> base;
    };
    static constexpr int kMostAge = 16; ///< a value that cannot be updated is not kept while nobody asks for it during so many changes

    [[nodiscard]] const void* make(const NodeInfo& node, const Progress& progress) const; ///< null: stopped
    [[nodiscard]] ValuePtr fromBase(const NodeInfo& node, const Base& base, const Sources& now) const;
    [[nodiscard]] std::shared_ptr<const ChangeSet> changesSince(const SnapshotPtr& before) const;
    void publish(Slot& slot, std::shared_ptr<const Made> made) const;
    [[nodiscard]] std::shared_ptr<const Base> baseOf(const NodeInfo& node) const;
    [[nodiscard]] std::shared_ptr<const Made> madeOf(std::size_t number) const;
    void takeOver(const NodeInfo& node, std::shared_ptr<const Base> base, const Figures& before, const ChangeSet& changes);
    template <class Node>
    void give(std::shared_ptr<const typename Node::Value> value);

    mutable std::array<Slot, kMostNodes> m_slots;
    mutable std::mutex m_changesGuard;
    mutable std::vector<std::pair<SnapshotPtr, std::shared_ptr<const ChangeSet>>> m_changes; ///< since earlier snapshots

public:
    const Derived<PartsNode> parts{*this};
    const Derived<PlacementNode> placement{*this};
    const Derived<RoutingNode> routing{*this};
    const Derived<CablingNode> cabling{*this};
    const Derived<PowerNode> power{*this};
    const Derived<FabricNode> fabric{*this};
};
using FiguresPtr = std::shared_ptr<const Figures>;

/// The figures of a snapshot, of which nothing is made yet. Fails where a part's definition cannot be read.
[[nodiscard]] Result<FiguresPtr> figuresOf(SnapshotPtr snapshot);
/// The same with placement, routes, cables, power and networks made, for who will look at all of them; from those of an earlier state
/// of the same design where there are some. Also fails with Canceled.
[[nodiscard]] Result<FiguresPtr> computeFigures(SnapshotPtr snapshot, const Progress& progress = {}, const FiguresPtr& before = nullptr);
/// The figures after a change: `changes` leads from the snapshot of `before` to `after`.
[[nodiscard]] Result<FiguresPtr> updateFigures(const FiguresPtr& before, SnapshotPtr after, const ChangeSet& changes);
/// How power flows on a basis, and the worst of it: the nodes of that basis.
[[nodiscard]] const PowerChain& powerChain(const Figures& figures, PowerBasis basis);
[[nodiscard]] const PowerWorst& worstPower(const Figures& figures, PowerBasis basis);

template <class Node>
const typename Node::Value& Derived<Node>::operator*() const
{
    return m_figures.template get<Node>();
}
template <class Node>
std::shared_ptr<const typename Node::Value> Derived<Node>::share() const
{
    return m_figures.template share<Node>();
}

} // namespace hw
