// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"

#include "core/derived/figures/supply.h"

#include <fmt/format.h>

namespace hw {

Figures::Figures(SnapshotPtr design, std::shared_ptr<const ProjectParts> parts) : snapshot(std::move(design)) { give<PartsNode>(std::move(parts)); }

Figures::Figures(const Figures& before, SnapshotPtr design, std::shared_ptr<const ProjectParts> parts, const ChangeSet& changes)
    : snapshot(std::move(design))
{
    give<PartsNode>(std::move(parts));
    for (const NodeInfo* node : knownNodes()) // inputs come first
        if (auto base = before.baseOf(*node); base && !made(*node)) takeOver(*node, std::move(base), before, changes);
}

Figures::Figures(SnapshotPtr part, const Figures& whole) : snapshot(std::move(part))
{
    give<PartsNode>(whole.share<PartsNode>());
    give<RoutingNode>(Routing::ofPart(whole.get<RoutingNode>(), *snapshot, whole.get<PartsNode>()));
    give<SupplyNode>(Supply::ofPart(whole.get<SupplyNode>(), *snapshot));
}

Figures::~Figures() = default;

/// A value from elsewhere, as if it were made from what it follows from.
template <class Node>
void Figures::give(std::shared_ptr<const typename Node::Value> value)
{
    const NodeInfo& node = nodeInfo<Node>();
    auto given = std::make_shared<Made>();
    given->value = std::move(value);
    for (const NodeInfo* input : node.nodes) given->inputs.push_back(shareValue(*input));
    publish(m_slots[node.number], std::move(given));
}

/// What there is to go on from for the figures after these: the value, or what it would have been made from.
std::shared_ptr<const Figures::Base> Figures::baseOf(const NodeInfo& node) const
{
    Slot& slot = m_slots[node.number];
    const std::scoped_lock lock(slot.guard);
    if (slot.made) return std::make_shared<const Base>(Base{slot.made, snapshot, 0});
    if (!slot.base || (slot.base->age >= kMostAge && !node.update)) return nullptr;
    return std::make_shared<const Base>(Base{slot.base->made, slot.base->snapshot, slot.base->age + 1});
}

std::shared_ptr<const Figures::Made> Figures::madeOf(std::size_t number) const
{
    Slot& slot = m_slots[number];
    const std::scoped_lock lock(slot.guard);
    return slot.made;
}

/// Keeps a value that stands, and otherwise what it can be made from; a value that can only be computed again is let go at once.
void Figures::takeOver(const NodeInfo& node, std::shared_ptr<const Base> base, const Figures& before, const ChangeSet& changes)
{
    const bool fresh = base->snapshot == before.snapshot;
    const bool touched = fresh && node.touched(changes, *before.snapshot, *snapshot);
    bool stands = fresh && !touched;
    for (std::size_t i = 0; stands && i < node.nodes.size(); ++i) {
        const auto input = madeOf(node.nodes[i]->number);
        stands = input && input->value == base->made->inputs[i];
    }
    if (stands) return publish(m_slots[node.number], base->made);
    if (!touched || node.update) m_slots[node.number].base = std::move(base);
}

void Figures::publish(Slot& slot, std::shared_ptr<const Made> made) const
{
    const std::scoped_lock lock(slot.guard);
    const void* value = made->value.get();
    slot.made = std::move(made);
    slot.base.reset();
    slot.ready.store(value, std::memory_order_release);
}

std::shared_ptr<const ChangeSet> Figures::changesSince(const SnapshotPtr& before) const
{
    const std::scoped_lock lock(m_changesGuard);
    for (const auto& [snapshotBefore, changes] : m_changes)
        if (snapshotBefore == before) return changes;
    m_changes.emplace_back(before, std::make_shared<const ChangeSet>(difference(*before, *snapshot, {})));
    return m_changes.back().second;
}

ValuePtr Figures::fromBase(const NodeInfo& node, const Base& base, const Sources& now) const
{
    const auto changes = changesSince(base.snapshot);
    const auto& inputs = base.made->inputs;
    if (!node.touched(*changes, *base.snapshot, *snapshot) && std::ranges::equal(inputs, now.inputs)) return base.made->value;
    return node.update ? node.update(base.made->value, *base.snapshot, inputs, now, *changes) : nullptr;
}

/// Inputs are made before the lock is taken, so that nobody ever holds two.
const void* Figures::make(const NodeInfo& node, const Progress& progress) const
{
    Slot& slot = m_slots[node.number];
    auto made = std::make_shared<Made>();
    for (const NodeInfo* input : node.nodes) {
        if (!this->made(*input) && !make(*input, progress)) return nullptr;
        made->inputs.push_back(madeOf(input->number)->value);
    }
    const std::scoped_lock making(slot.making);
    if (const void* value = slot.ready.load(std::memory_order_acquire)) return value;
    if (progress.stopRequested()) return nullptr;
    const Sources now{*this, *snapshot, made->inputs, progress};
    if (slot.base) made->value = fromBase(node, *slot.base, now);
    if (!made->value) made->value = node.compute(now);
    if (!made->value) return nullptr;
    const void* value = made->value.get();
    publish(slot, std::move(made));
    return value;
}

ValuePtr Figures::shareValue(const NodeInfo& node) const
{
    (void)value(node);
    return madeOf(node.number)->value;
}

Result<void> Figures::prepare(std::span<const NodeInfo* const> nodes, const Progress& progress) const
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        progress.report(double(i) / double(nodes.size()), words(i18n("Calculating {}", nodes[i]->name)));
        if (!made(*nodes[i]) && !make(*nodes[i], progress)) return fail(ErrorCode::Canceled, "figures", i18n("stopped"));
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "figures", i18n("stopped"));
    }
    progress.report(1.0, words(i18n("Figures")));
    return {};
}

Result<FiguresPtr> figuresOf(SnapshotPtr snapshot)
{
    auto parts = ProjectParts::of(snapshot->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    return std::make_shared<const Figures>(std::move(snapshot), std::move(*parts));
}

Result<FiguresPtr> computeFigures(SnapshotPtr snapshot, const Progress& progress, const FiguresPtr& before)
{
    auto figures = before ? updateFigures(before, snapshot, difference(*before->snapshot, *snapshot, {})) : figuresOf(snapshot);
    if (!figures) return figures;
    if (auto made = (*figures)->prepare(MainNodes::infos(), progress); !made) return tl::unexpected(made.error());
    return figures;
}

Result<FiguresPtr> updateFigures(const FiguresPtr& before, SnapshotPtr after, const ChangeSet& changes)
{
    std::shared_ptr<const ProjectParts> parts = before->parts;
    if (changes.touches<PartTypes>()) {
        auto read = ProjectParts::of(after->partTypes);
        if (!read) return tl::unexpected(read.error());
        parts = std::move(*read);
    }
    return std::make_shared<const Figures>(*before, std::move(after), std::move(parts), changes);
}

namespace {

template <template <PowerBasis> class Node>
const auto& onBasis(const Figures& figures, PowerBasis basis)
{
    switch (basis) {
    case PowerBasis::Typical: return figures.get<Node<PowerBasis::Typical>>();
    case PowerBasis::Design: break;
    case PowerBasis::Nameplate: return figures.get<Node<PowerBasis::Nameplate>>();
    }
    return figures.get<Node<PowerBasis::Design>>();
}

} // namespace

const PowerChain& powerChain(const Figures& figures, PowerBasis basis) { return onBasis<PowerChainNode>(figures, basis); }
const PowerWorst& worstPower(const Figures& figures, PowerBasis basis) { return onBasis<PowerWorstNode>(figures, basis); }

} // namespace hw
