// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/rank_grid.h"

#include <algorithm>
#include <limits>

namespace hw::sim {
inline namespace training {

namespace {

constexpr std::size_t at(Dimension d) { return std::size_t(d); }

/// Strides of axes laid out in this order, innermost first.
std::array<GroupSet::Axis, kDimensions> layOut(const std::array<std::uint32_t, kDimensions>& sizes, const RankOrder& order)
{
    std::array<GroupSet::Axis, kDimensions> axes;
    std::uint32_t stride = 1;
    for (const Dimension d : order) {
        axes[at(d)] = {sizes[at(d)], stride};
        stride *= sizes[at(d)];
    }
    return axes;
}

} // namespace

const char* shortName(Dimension d)
{
    switch (d) {
    case Dimension::Tensor: return "tp";
    case Dimension::Context: return "cp";
    case Dimension::Expert: return "ep";
    case Dimension::Data: return "dp";
    case Dimension::Pipeline: return "pp";
    }
    return "";
}

const char* name(Communicator c)
{
    switch (c) {
    case Communicator::Tensor: return "tensor";
    case Communicator::Context: return "context";
    case Communicator::Expert: return "expert";
    case Communicator::Gradient: return "gradient";
    case Communicator::ExpertGradient: return "expert gradient"; // no text
    case Communicator::Pipeline: return "pipeline";
    }
    return "";
}

Result<RankOrder> parseRankOrder(std::string_view given)
{
    const auto refuse = [&](Text what) {
        return fail(ErrorCode::Unreadable, "rank order", std::move(what), i18n("for example: tp-cp-ep-dp-pp")); // no text
    };
    RankOrder order{};
    std::size_t known = 0;
    std::array<bool, kDimensions> seen{};
    for (std::string_view rest = given; !rest.empty();) {
        const std::size_t end = std::min(rest.find('-'), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto* found = std::ranges::find_if(kMegatronOrder, [&](Dimension d) { return word == shortName(d); });
        if (found == kMegatronOrder.end()) return refuse(i18n("\"{}\" is not a dimension", word));
        if (seen[at(*found)]) return refuse(i18n("{} is given twice", word));
        seen[at(*found)] = true;
        order[known++] = *found;
    }
    if (known == 0) return refuse(i18n("empty"));
    for (const Dimension d : kMegatronOrder)
        if (!seen[at(d)]) order[known++] = d;
    return order;
}

std::string text(const RankOrder& order)
{
    std::string out;
    for (const Dimension d : order) out += (out.empty() ? "" : "-") + std::string(shortName(d));
    return out;
}

GroupSet::GroupSet(std::vector<Axis> inside, std::vector<Axis> outside) : m_inside(std::move(inside)), m_outside(std::move(outside))
{
    const auto byStride = [](const Axis& a, const Axis& b) { return a.stride < b.stride; };
    const auto trivial = [](const Axis& a) { return a.size == 1; };
    for (auto* axes : {&m_inside, &m_outside}) {
        std::erase_if(*axes, trivial);
        std::ranges::sort(*axes, byStride);
    }
    for (const Axis& a : m_inside) m_size *= a.size;
    for (const Axis& a : m_outside) m_groups *= a.size;
}

Result<RankGrid> RankGrid::make(const Parallelism& cut, const RankOrder& order)
{
    const auto refuse = [](const char* where, Text what, Text todo) { return fail(ErrorCode::Refused, where, std::move(what), std::move(todo)); };
    for (const int n : {cut.tensor, cut.context, cut.expert, cut.data, cut.pipeline})
        if (n < 1) return refuse("parallelism", i18n("every degree must be at least 1"), i18n("correct the values"));
    if (cut.gpus() > std::numeric_limits<std::int32_t>::max())
        return refuse("parallelism", i18n("the job has too many ranks"), i18n("use smaller degrees"));
    const std::int64_t replicas = std::int64_t(cut.data) * cut.context;
    if (replicas % cut.expert != 0)
        return refuse("expert parallelism", i18n("{} does not divide the {} ranks of dp x cp", cut.expert, replicas), // no text
                      i18n("choose a divisor"));
    const auto u = [](auto n) { return std::uint32_t(n); };
    RankGrid grid;
    grid.m_ranks = u(cut.gpus());
    grid.m_dense = layOut({u(cut.tensor), u(cut.context), 1, u(cut.data), u(cut.pipeline)}, order);
    grid.m_expert = layOut({u(cut.tensor), 1, u(cut.expert), u(replicas / cut.expert), u(cut.pipeline)}, order);
    for (const Dimension d : {Dimension::Tensor, Dimension::Pipeline})
        if (grid.m_dense[at(d)].size > 1 && grid.m_dense[at(d)].stride != grid.m_expert[at(d)].stride)
            return refuse("rank order", i18n("{} assigns different {} ranks to dense and expert layers", text(order), shortName(d)), // no text
                          i18n("do not place tp or pp between cp, ep and dp"));
    return grid;
}

GroupSet RankGrid::split(const std::array<GroupSet::Axis, kDimensions>& axes, std::initializer_list<Dimension> chosen) const
{
    std::vector<GroupSet::Axis> inside, outside;
    for (std::size_t d = 0; d < kDimensions; ++d) (std::ranges::find(chosen, Dimension(d)) != chosen.end() ? inside : outside).push_back(axes[d]);
    return {std::move(inside), std::move(outside)};
}

GroupSet RankGrid::groups(Communicator c) const
{
    switch (c) {
    case Communicator::Tensor: return split(m_dense, {Dimension::Tensor});
    case Communicator::Context: return split(m_dense, {Dimension::Context});
    case Communicator::Expert: return split(m_expert, {Dimension::Expert});
    case Communicator::Gradient: return split(m_dense, {Dimension::Data, Dimension::Context});
    case Communicator::ExpertGradient: return split(m_expert, {Dimension::Data});
    case Communicator::Pipeline: return split(m_dense, {Dimension::Pipeline});
    }
    return split(m_dense, {});
}

} // namespace training
} // namespace hw::sim
