// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"

#include <string>
#include <vector>

/// Hosts that no job should be put on: written for schedulers on request, never sent.
namespace hw::isolation {

/// Why, by which evidence, since when.
struct Reason {
    std::string what;                  ///< for people: "host003:nic1 runs on 1 of 4 lanes"
    std::string kind;                  ///< of the alarm or deviation: "cause", "packet-loss"; "gate-2" of acceptance; "job-gpu" of a slow job
    std::vector<std::string> evidence; ///< what was seen
    std::int64_t sinceMs = 0;          ///< 0: not known
};
struct Node {
    DeviceId host{};
    std::string name;
    std::vector<Reason> reasons; ///< oldest first
    [[nodiscard]] std::int64_t sinceMs() const;
};

/// What a scheduler has set aside already.
struct Cordoned {
    std::string node, scheduler, reason, since; ///< scheduler: "slurm", "kubernetes"; since: as it writes it
};

struct List {
    std::int64_t atMs = 0;                                                 ///< to which ages are counted
    std::vector<Node> nodes;                                               ///< in the order of the design
    std::vector<std::pair<std::string, Cordoned>> both;                    ///< host and what its scheduler says, of those in `nodes`
    std::vector<Cordoned> onlyCordoned;                                    ///< hosts that nothing speaks against here
    std::vector<Cordoned> unknown;                                         ///< names that the design does not have
    [[nodiscard]] const Cordoned* cordoned(const std::string& host) const; ///< null: not
};

/// Hosts with accelerators that an alarm or deviation of `frame` is about: itself, a port, link or cable of it; and hosts whose GPUs are lost by
/// the fault of something else. Failed gates of acceptance count for the hosts that their evidence names. `frame` may be null: gates alone.
[[nodiscard]] List nodesToIsolate(const Figures& design, const monitoring::Frame* frame, std::int64_t atMs);
/// One more reason for a host, which joins the list if it is not there.
void addReason(List& list, const Figures& design, DeviceId host, Reason reason);
/// Puts beside the list what schedulers say. Names as in captures (docs/asbuilt.md).
void compareWith(List& list, const Figures& design, const std::vector<Cordoned>& cordoned);

/// hallwright.isolation/1.
[[nodiscard]] std::string isolationJson(const List& list);
[[nodiscard]] std::string isolationCsv(const List& list);
/// `scontrol update` lines; nodes that are cordoned already are comments.
[[nodiscard]] std::string isolationSlurm(const List& list);
/// Nodes with a taint, for `kubectl apply --server-side`.
[[nodiscard]] std::string isolationKubernetes(const List& list);

} // namespace hw::isolation
