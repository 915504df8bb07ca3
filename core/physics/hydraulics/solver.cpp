// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/solver.h"

#include "core/foundation/base/disjoint_sets.h"
#include "core/physics/hydraulics/checks.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/SparseCholesky>

namespace hw::hydraulics {

namespace {

constexpr int kMostTrials = 200;         ///< per set of states
constexpr int kCalmRounds = 12;          ///< rounds after which only the worst contradiction is changed
constexpr double kHeadAccuracyM = 1e-10; ///< where the iteration stops
constexpr double kHeldHeadM = 1e-8;      ///< that lets a held link go
constexpr double kMassShare = 1e-9, kEnergyM = 1e-6, kEnergyShare = 1e-7;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Index kNone = std::numeric_limits<Index>::max();

bool oneWay(const Link& link) { return link.checkValve || link.kind == LinkKind::Pump; }

/// At least 1 m; heads that nothing determines do not count.
double largestHead(const std::vector<double>& heads)
{
    double most = 1;
    for (const double h : heads)
        if (std::abs(h) > most) most = std::abs(h);
    return most;
}

double energyLimit(double headM) { return std::max(kEnergyM, kEnergyShare * headM); }

double largestFlow(const Network& network, const std::vector<double>& flows)
{
    double most = 0;
    for (const double q : flows) most = std::max(most, std::abs(q));
    for (const auto& node : network.nodes)
        if (!node.fixed) most = std::max(most, std::abs(node.demandM3s));
    return most;
}

/// What every node gets too much, m³/s.
std::vector<double> imbalances(const Network& network, const std::vector<double>& flows)
{
    std::vector<double> out(network.nodes.size());
    for (Index n = 0; n < out.size(); ++n) out[n] = -network.nodes[n].demandM3s;
    for (std::size_t l = 0; l < flows.size(); ++l) out[network.links[l].from] -= flows[l], out[network.links[l].to] += flows[l];
    return out;
}

/// One network on its way to an answer.
class Search {
public:
    Search(const Network& network, const std::stop_token& stop);
    Result<Solution> run();

private:
    const Network& m_net;
    std::stop_token m_stop;
    std::vector<HeadLoss> m_loss;
    std::vector<double> m_flow, m_head;
    std::vector<LinkState> m_state;
    std::vector<Index> m_row;                 ///< of the equations; kNone for fixed and pinned nodes
    std::vector<Index> m_group;               ///< of every node over open links
    std::vector<char> m_floating;             ///< by group: no fixed head in it
    std::vector<std::vector<Index>> m_inside; ///< by group, only of floating ones: its nodes
    Index m_rows = 0;
    int m_trials = 0;

    [[nodiscard]] bool open(std::size_t l) const { return m_state[l] == LinkState::Open; }
    void group();
    std::optional<Error> feed(bool& changed);
    void number();
    void balance();
    void step(const std::vector<double>& change, bool search);
    [[nodiscard]] double along(const std::vector<double>& change, double share) const;
    void level();
    bool review(bool worstOnly);
    void hold(std::size_t l);
    void letGo(std::size_t l);
    [[nodiscard]] double held(std::size_t l) const; ///< head that pushes a held link open
    [[nodiscard]] Solution answer() const;
};

Search::Search(const Network& network, const std::stop_token& stop) : m_net(network), m_stop(stop)
{
    for (const auto& link : network.links) {
        m_loss.emplace_back(network, link);
        m_state.push_back(link.open ? LinkState::Open : LinkState::Shut);
        m_flow.push_back(link.open ? m_loss.back().firstGuess() : 0);
    }
    m_head.resize(network.nodes.size());
}

void Search::hold(std::size_t l) { m_state[l] = LinkState::Held, m_flow[l] = 0; }
void Search::letGo(std::size_t l) { m_state[l] = LinkState::Open, m_flow[l] = m_loss[l].firstGuess(); }

double Search::held(std::size_t l) const { return m_head[m_net.links[l].from] + m_loss[l].shutOffM() - m_head[m_net.links[l].to]; }

void Search::group()
{
    const std::size_t n = m_net.nodes.size();
    DisjointSets groups(n);
    for (std::size_t l = 0; l < m_state.size(); ++l)
        if (open(l)) groups.join(m_net.links[l].from, m_net.links[l].to);
    m_group.resize(n);
    m_floating.assign(n, 1);
    m_inside.assign(n, {});
    for (Index i = 0; i < n; ++i) {
        m_group[i] = groups.find(i);
        if (m_net.nodes[i].fixed) m_floating[m_group[i]] = 0;
    }
    for (Index i = 0; i < n; ++i)
        if (m_floating[m_group[i]]) m_inside[m_group[i]].push_back(i);
}

/// A floating group with a demand of its own needs a held link that could bring or take it.
std::optional<Error> Search::feed(bool& changed)
{
    for (Index g = 0; g < m_inside.size(); ++g) {
        if (m_inside[g].empty()) continue;
        double demand = 0, size = 0;
        std::vector<std::string> names;
        for (const Index n : m_inside[g]) {
            demand += m_net.nodes[n].demandM3s, size += std::abs(m_net.nodes[n].demandM3s);
            names.push_back(m_net.nodes[n].id);
        }
        if (std::abs(demand) <= 1e-12 * size) continue;
        bool found = false;
        for (std::size_t l = 0; l < m_state.size(); ++l) {
            const auto& link = m_net.links[l];
            const Index inner = demand > 0 ? link.to : link.from, outer = demand > 0 ? link.from : link.to;
            if (m_state[l] != LinkState::Held || m_group[inner] != g || m_group[outer] == g) continue;
            letGo(l);
            found = changed = true;
        }
        if (!found)
            return Error{ErrorCode::Refused, "links",
                         demand > 0 ? i18n("no open path supplies the demand of {}", someNames(names))
                                    : i18n("no open path carries away the inflow of {}", someNames(names)),
                         i18n("open a valve, or remove the demand")};
    }
    return {};
}

/// Rows of the equations: every junction but one of each floating group, whose head is put to 0 for now.
void Search::number()
{
    m_rows = 0;
    m_row.assign(m_net.nodes.size(), kNone);
    for (Index n = 0; n < m_row.size(); ++n) {
        const auto& node = m_net.nodes[n];
        const Index g = m_group[n];
        if (node.fixed)
            m_head[n] = node.headM;
        else if (m_floating[g] && m_inside[g].front() == n)
            m_head[n] = 0;
        else
            m_row[n] = m_rows++;
    }
}

/// Derivative of the energy of the flows `share` of the way along `change`; below 0 while the way goes down.
double Search::along(const std::vector<double>& change, double share) const
{
    double sum = 0;
    for (std::size_t l = 0; l < change.size(); ++l)
        if (open(l)) sum += change[l] * (m_loss[l].at(m_flow[l] + share * change[l]).head - m_head[m_net.links[l].from] + m_head[m_net.links[l].to]);
    return sum;
}

/// Takes the whole step, or less where that would overshoot: the energy of the flows is convex, so halving finds its least.
void Search::step(const std::vector<double>& change, bool search)
{
    double share = 1;
    if (search && along(change, 1) > 0) {
        double low = 0, high = 1;
        for (int i = 0; i < 20; ++i) {
            share = (low + high) / 2;
            (along(change, share) > 0 ? high : low) = share;
        }
    }
    for (std::size_t l = 0; l < change.size(); ++l) m_flow[l] += share * change[l];
}

void Search::balance()
{
    using Matrix = Eigen::SparseMatrix<double>;
    Eigen::SimplicialLDLT<Matrix> cholesky;
    std::vector<Eigen::Triplet<double>> entries;
    Matrix matrix(m_rows, m_rows);
    Eigen::VectorXd right(m_rows);
    std::vector<double> change(m_flow.size(), 0);
    std::vector<Loss> loss(m_flow.size());
    double best = std::numeric_limits<double>::infinity();
    int stalled = 0;
    for (int trial = 0; trial < kMostTrials && !m_stop.stop_requested(); ++trial, ++m_trials) {
        entries.clear();
        for (Index n = 0; n < m_row.size(); ++n)
            if (m_row[n] != kNone) right[m_row[n]] = -m_net.nodes[n].demandM3s;
        for (std::size_t l = 0; l < m_flow.size(); ++l) {
            if (!open(l)) continue;
            loss[l] = m_loss[l].at(m_flow[l]);
            const auto& link = m_net.links[l];
            const Index i = m_row[link.from], j = m_row[link.to];
            const double p = 1 / loss[l].slope, y = loss[l].head * p - m_flow[l];
            if (i != kNone) entries.emplace_back(i, i, p), right[i] += y + (j == kNone ? p * m_head[link.to] : 0);
            if (j != kNone) entries.emplace_back(j, j, p), right[j] -= y - (i == kNone ? p * m_head[link.from] : 0);
            if (i != kNone && j != kNone) entries.emplace_back(std::max(i, j), std::min(i, j), -p);
        }
        if (m_rows > 0) {
            matrix.setFromTriplets(entries.begin(), entries.end());
            if (trial == 0) cholesky.analyzePattern(matrix);
            cholesky.factorize(matrix);
            const Eigen::VectorXd heads = cholesky.solve(right);
            for (Index n = 0; n < m_row.size(); ++n)
                if (m_row[n] != kNone) m_head[n] = heads[m_row[n]];
        }
        double worst = 0;
        for (std::size_t l = 0; l < m_flow.size(); ++l) {
            if (!open(l)) continue;
            const double missing = m_head[m_net.links[l].from] - m_head[m_net.links[l].to] - loss[l].head;
            change[l] = missing / loss[l].slope;
            worst = std::max(worst, std::abs(missing));
        }
        step(change, trial > 0);
        stalled = worst < best / 2 ? 0 : stalled + 1;
        best = std::min(best, worst);
        // A last step after the accuracy is reached; without progress below it, rounding is all that is left.
        const double scale = largestHead(m_head);
        if (trial > 0 && (worst <= kHeadAccuracyM * scale || (stalled > 8 && worst <= energyLimit(scale) / 2))) break;
    }
    if (m_rows == 0 || m_stop.stop_requested()) return;
    // Heads of some meters leave flows through next to no resistance uncertain in the last digits; their imbalance is small
    // enough to be spread exactly.
    const std::vector<double> rest = imbalances(m_net, m_flow);
    for (Index n = 0; n < m_row.size(); ++n)
        if (m_row[n] != kNone) right[m_row[n]] = rest[n];
    const Eigen::VectorXd heads = cholesky.solve(right);
    const auto by = [&](Index n) { return m_row[n] == kNone ? 0.0 : heads[m_row[n]]; };
    for (std::size_t l = 0; l < m_flow.size(); ++l)
        if (open(l)) m_flow[l] += (by(m_net.links[l].from) - by(m_net.links[l].to)) / loss[l].slope;
}

/// Heads of floating groups follow from the held links at their border: a group is as high as what could flow in holds it.
void Search::level()
{
    std::vector<char> known(m_inside.size(), 1);
    for (Index g = 0; g < m_inside.size(); ++g) known[g] = m_inside[g].empty();
    std::vector<double> low(m_inside.size()), high(m_inside.size());
    for (bool more = true; more;) {
        more = false;
        std::ranges::fill(low, -std::numeric_limits<double>::infinity());
        std::ranges::fill(high, std::numeric_limits<double>::infinity());
        for (std::size_t l = 0; l < m_state.size(); ++l) {
            if (m_state[l] != LinkState::Held) continue;
            const Index from = m_group[m_net.links[l].from], to = m_group[m_net.links[l].to];
            if (known[from] && !known[to]) low[to] = std::max(low[to], held(l));
            if (known[to] && !known[from]) high[from] = std::min(high[from], -held(l));
        }
        for (Index g = 0; g < m_inside.size(); ++g) {
            const double by = std::isfinite(low[g]) ? low[g] : high[g];
            if (known[g] || !std::isfinite(by)) continue;
            for (const Index n : m_inside[g]) m_head[n] += by;
            known[g] = more = true;
        }
    }
    for (Index g = 0; g < m_inside.size(); ++g)
        if (!known[g])
            for (const Index n : m_inside[g]) m_head[n] = kUnknown;
}

/// Holds what flows backward, lets go what is pushed open. True when a state changed.
bool Search::review(bool worstOnly)
{
    const double backward = 1e-10 * largestFlow(m_net, m_flow) + 1e-15;
    double worst = 0;
    std::size_t at = kNone;
    bool changed = false;
    for (std::size_t l = 0; l < m_state.size(); ++l) {
        if (!oneWay(m_net.links[l]) || m_state[l] == LinkState::Shut) continue;
        // The head with which it contradicts its state; not a number where a head is unknown.
        const double wrong = open(l) ? (m_flow[l] < -backward ? m_loss[l].at(0).head - m_loss[l].at(m_flow[l]).head : 0) : held(l);
        if (!(wrong > (open(l) ? 0 : kHeldHeadM))) continue;
        changed = true;
        if (!worstOnly)
            open(l) ? hold(l) : letGo(l);
        else if (wrong > worst)
            worst = wrong, at = l;
    }
    if (at != kNone) open(at) ? hold(at) : letGo(at);
    return changed;
}

Solution Search::answer() const
{
    Solution out{m_head, m_flow, m_state, {}, m_trials, {}};
    for (Index n = 0; n < m_head.size(); ++n)
        if (std::isnan(m_head[n])) out.cutOff.push_back(n);
    out.certificate = certify(m_net, out);
    return out;
}

Result<Solution> Search::run()
{
    const int most = 2 * kCalmRounds + 4 * int(std::ranges::count_if(m_net.links, oneWay));
    for (int round = 0; round <= most; ++round) {
        group();
        bool changed = false;
        if (auto error = feed(changed)) return tl::unexpected(std::move(*error));
        if (changed) continue;
        number();
        balance();
        if (m_stop.stop_requested()) return fail(ErrorCode::Canceled, "network", i18n("stopped"), i18n("no result was written"));
        level();
        if (review(round >= kCalmRounds)) continue;
        Solution out = answer();
        if (out.certificate.ok()) return out;
        break;
    }
    return fail(ErrorCode::Fault, "network", i18n("the flow calculation did not converge"), i18n("please report it and attach the network file"));
}

} // namespace

bool Certificate::ok() const
{
    const double heads = energyLimit(headM);
    return massM3s <= kMassShare * flowM3s + 1e-14 && energyM <= heads && backwardM <= heads;
}

Certificate certify(const Network& network, const Solution& solution)
{
    Certificate out;
    out.flowM3s = largestFlow(network, solution.flowM3s);
    out.headM = largestHead(solution.headM);
    const std::vector<double> rest = imbalances(network, solution.flowM3s);
    for (std::size_t l = 0; l < network.links.size(); ++l) {
        const auto& link = network.links[l];
        const HeadLoss loss(network, link);
        const double across = solution.headM[link.from] - solution.headM[link.to];
        if (std::isnan(across)) continue; // both ends are cut off, or one is and the link is shut
        if (solution.state[l] == LinkState::Open) out.energyM = std::max(out.energyM, std::abs(across - loss.at(solution.flowM3s[l]).head));
        if (solution.state[l] == LinkState::Held) out.backwardM = std::max(out.backwardM, across + loss.shutOffM());
    }
    for (Index n = 0; n < rest.size(); ++n)
        if (!network.nodes[n].fixed) out.massM3s = std::max(out.massM3s, std::abs(rest[n]));
    return out;
}

Result<Solution> solve(const Network& network, const std::stop_token& stop)
{
    if (const auto fine = check(network); !fine) return tl::unexpected(fine.error());
    return Search(network, stop).run();
}

} // namespace hw::hydraulics
