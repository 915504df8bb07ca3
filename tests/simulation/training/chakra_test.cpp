// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/chakra.h"
#include "tests/simulation/near.h"
#include "tests/simulation/training/designs.h"

#include <QFile>
#include <QTemporaryDir>

#include <zlib.h>

using namespace hw;
using namespace hw::sim;
using namespace hw::importers;

namespace {

std::string varint(std::uint64_t n)
{
    std::string out;
    for (; n >= 0x80; n >>= 7) out += char(n | 0x80);
    return out + char(n);
}
std::string number(int field, std::uint64_t n) { return varint(std::uint64_t(field) << 3) + varint(n); }
std::string block(int field, const std::string& bytes) { return varint(std::uint64_t(field) << 3 | 2) + varint(bytes.size()) + bytes; }
std::string attribute(const char* name, int field, std::uint64_t n) { return block(10, block(1, name) + number(field, n)); }

/// A trace as Chakra's converters write it.
struct Trace {
    std::string bytes;
    Trace()
    {
        const std::string metadata = block(1, "0.0.4");
        bytes = varint(metadata.size()) + metadata;
    }
    Trace& add(std::uint64_t id, int type, const std::vector<std::uint64_t>& deps, const std::string& rest)
    {
        std::string packed;
        for (const auto d : deps) packed += varint(d);
        const std::string node = number(1, id) + block(2, "node") + number(3, std::uint64_t(type)) + (packed.empty() ? "" : block(5, packed)) + rest;
        bytes += varint(node.size()) + node;
        return *this;
    }
    Trace& compute(std::uint64_t id, std::uint64_t micros, const std::vector<std::uint64_t>& deps = {})
    {
        return add(id, 4, deps, number(7, micros) + attribute("is_cpu_op", 27, 0));
    }
    Trace& collective(std::uint64_t id, int type, std::uint64_t size, const std::string& group, const std::vector<std::uint64_t>& deps = {})
    {
        return add(id, 7, deps,
                   attribute("comm_type", 9, std::uint64_t(type)) + attribute("comm_size", 9, size) +
                       (group.empty() ? "" : block(10, block(1, "pg_name") + block(29, group))));
    }
    Trace& message(std::uint64_t id, bool sends, std::uint64_t peer, std::uint64_t size, const std::vector<std::uint64_t>& deps = {})
    {
        return add(id, sends ? 5 : 6, deps,
                   attribute("comm_size", 9, size) + attribute(sends ? "comm_dst" : "comm_src", 7, peer) + attribute("comm_tag", 7, 4));
    }
};

ChakraTrace readTrace(const Trace& trace)
{
    const auto read = readChakra(trace.bytes, "own");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}
/// 16 servers of a segment: groups of one GPU of each.
ChakraGroups rails()
{
    ChakraGroups out;
    for (std::uint32_t rail = 0; rail < 8; ++rail)
        for (std::uint32_t host = 0; host < 16; ++host) out[std::to_string(rail)].push_back(host * 8 + rail);
    return out;
}
TrainingJob quick()
{
    TrainingJob job;
    job.latency = {0, 0, 0};
    return job;
}

} // namespace

class ChakraTest : public QObject {
    Q_OBJECT
private slots:
    void reads()
    {
        const Trace made =
            Trace().compute(1, 1200).collective(2, 7, 1'000'000'000'000, "3", {1}).message(3, true, 5, 77, {1, 2}).message(4, false, 6, 78);
        const ChakraTrace read = readTrace(made);
        QCOMPARE(read.version, std::string("0.0.4"));
        QCOMPARE(read.nodes.size(), std::size_t(4));
        QVERIFY(read.nodes[0].kind == ChakraKind::Compute && read.nodes[0].durationMicros == 1200 && !read.nodes[0].onCpu);
        QVERIFY(read.nodes[1].kind == ChakraKind::Collective && read.nodes[1].collective == ChakraCollective::ReduceScatter);
        QCOMPARE(read.nodes[1].bytes, std::uint64_t(1'000'000'000'000));
        QCOMPARE(read.nodes[1].group, std::string("3"));
        QVERIFY(read.nodes[1].waitsFor == std::vector<std::uint64_t>{1});
        QVERIFY(read.nodes[2].kind == ChakraKind::Send && read.nodes[2].destination == 5 && read.nodes[2].tag == 4);
        QVERIFY(read.nodes[3].kind == ChakraKind::Receive && read.nodes[3].source == 6);
        QVERIFY((read.nodes[2].waitsFor == std::vector<std::uint64_t>{1, 2}));
        // Packed by gzip: the same.
        std::string packed(made.bytes.size() + 200, '\0');
        z_stream stream{};
        QCOMPARE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        std::string input = made.bytes;
        stream.next_in = reinterpret_cast<Bytef*>(input.data()), stream.avail_in = uInt(input.size());
        stream.next_out = reinterpret_cast<Bytef*>(packed.data()), stream.avail_out = uInt(packed.size());
        QCOMPARE(deflate(&stream, Z_FINISH), Z_STREAM_END);
        packed.resize(stream.total_out);
        deflateEnd(&stream);
        const auto again = readChakra(packed, "packed");
        QRUN(again);
        QCOMPARE(again->nodes.size(), std::size_t(4));
        QVERIFY(!readChakra(packed.substr(0, packed.size() / 2), "cut").has_value());
        // Cut inside a node is damaged, between nodes a shorter trace.
        std::size_t whole = 0;
        for (std::size_t cut = 0; cut < made.bytes.size(); ++cut) whole += readChakra(made.bytes.substr(0, cut), "cut").has_value();
        QCOMPARE(whole, std::size_t(3));
        QVERIFY(looksLikeChakra(made.bytes) && !looksLikeChakra("[TITLE]\n") && !looksLikeChakra(""));
    }

    void groups()
    {
        const auto read = readChakraGroups(R"({"1": [0, 1], "2": [3]})", "g");
        QRUN(read);
        QVERIFY((read->at("1") == std::vector<std::uint32_t>{0, 1}));
        for (const char* bad : {"", "[]", R"({"1": 3})", R"({"1": []})", R"({"1": [-1]})", R"({"1": [0, 0]})", R"({"1": ["a"]})"})
            QVERIFY(!readChakraGroups(bad, "g"));
    }

    /// Compute, all-gather of 16 ranks on each rail, compute. By hand: 15/16 of 1.6 GB at 50 GB/s.
    void iteration()
    {
        const auto f = hpn(1, 1);
        ChakraWorkload w;
        w.groups = rails();
        for (std::uint32_t r = 0; r < 128; ++r)
            w.ranks.push_back(
                readTrace(Trace().compute(1, r == 5 ? 3000 : 1000).collective(2, 2, 100'000'000, std::to_string(r % 8), {1}).compute(3, 500, {2})));
        const auto run = runChakra(f, w, quick());
        QRUN(run);
        const double gather = 15 / 16.0 * 1.6e9 / 50e9;
        QNEAR(run->iterationS, 0.003 + gather + 0.0005, 1e-9); // the rail of the slow rank
        QCOMPARE(run->lastRank % 8, 5u);
        QNEAR(run->computeS, run->lastRank == 5 ? 0.0035 : 0.0015, 1e-12);
        QCOMPARE(run->kinds.size(), std::size_t(1));
        QCOMPARE(run->kinds[0].name, std::string("all-gather of 16"));
        QCOMPARE(run->kinds[0].operations, std::uint64_t(8));
        QVERIFY(run->certified);
        // Without groups the collective is of all ranks.
        w.groups.clear();
        for (auto& rank : w.ranks) rank.nodes[1].group.clear();
        const auto all = runChakra(f, w, quick());
        QRUN(all);
        QCOMPARE(all->kinds[0].name, std::string("all-gather of 128"));
        QCOMPARE(all->kinds[0].operations, std::uint64_t(1));
    }

    /// Two collectives of one group follow each other; computing goes on beside them; messages end together.
    void orderAndMessages()
    {
        const auto f = hpn(1, 1);
        ChakraWorkload w;
        for (std::uint32_t r = 0; r < 16; ++r) {
            Trace trace;
            trace.collective(1, 0, 1'000'000'000, "").collective(2, 0, 1'000'000'000, "").compute(3, 100);
            w.ranks.push_back(readTrace(trace));
        }
        const auto two = runChakra(f, w, quick());
        QRUN(two);
        for (auto& rank : w.ranks) rank.nodes.erase(rank.nodes.begin() + 1);
        const auto one = runChakra(f, w, quick());
        QRUN(one);
        QNEAR(two->iterationS, 2 * one->iterationS, 1e-9);
        ChakraWorkload pair;
        for (std::uint32_t r = 0; r < 16; ++r) {
            Trace trace;
            trace.compute(1, 1000);
            if (r == 0) trace.message(2, true, 8, 500'000'000, {1}).message(3, false, 8, 500'000'000);
            if (r == 8) trace.message(2, true, 0, 500'000'000, {1}).message(3, false, 0, 500'000'000);
            pair.ranks.push_back(readTrace(trace));
        }
        const auto sent = runChakra(f, pair, quick());
        QRUN(sent);
        QNEAR(sent->iterationS, 0.001 + 5e8 / 50e9, 1e-9);
        QCOMPARE(sent->kinds[0].operations, std::uint64_t(2));
    }

    void refuses()
    {
        const auto f = hpn(1, 1);
        const auto refused = [&](const ChakraWorkload& w, const char* what) {
            const auto run = runChakra(f, w, quick());
            return !run && run.error().code == ErrorCode::Refused && run.error().text().find(what) != std::string::npos;
        };
        ChakraWorkload w;
        for (int r = 0; r < 8; ++r) w.ranks.push_back(readTrace(Trace().collective(1, 0, 100, "")));
        QVERIFY(runChakra(f, w, quick()).has_value());
        w.ranks[3] = readTrace(Trace().compute(1, 5));
        QVERIFY(refused(w, "waits for ranks that never reach"));
        w.ranks[3] = readTrace(Trace().collective(1, 2, 100, ""));
        QVERIFY(refused(w, "all-gather"));
        w.ranks[3] = readTrace(Trace().compute(1, 5, {2}).compute(2, 5, {1}));
        QVERIFY(refused(w, "waits for"));
        w.ranks[3] = readTrace(Trace().compute(1, 5, {9}));
        QVERIFY(refused(w, "waits for node 9"));
        w.ranks[3] = readTrace(Trace().message(1, true, 99, 5));
        QVERIFY(refused(w, "its peer 99 has no trace"));
        w.groups["1"] = {0, 1};
        for (auto& rank : w.ranks) rank = readTrace(Trace().collective(1, 0, 100, "2"));
        QVERIFY(refused(w, "unknown process group"));
        QVERIFY(refused({}, "contains no traces"));
    }

    void files()
    {
        QTemporaryDir folder;
        for (int r = 0; r < 3; ++r) {
            QFile file(folder.filePath(QString("run.%1.et").arg(r)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            const auto trace = Trace().compute(1, std::uint64_t(r + 1));
            file.write(trace.bytes.data(), qint64(trace.bytes.size()));
        }
        const auto read = readChakraFiles(folder.filePath("run.0.et").toStdString());
        QRUN(read);
        QCOMPARE(read->ranks.size(), std::size_t(3));
        QCOMPARE(read->ranks[2].nodes[0].durationMicros, std::uint64_t(3));
        QVERIFY(!readChakraFiles(folder.filePath("run.et").toStdString()));
        QVERIFY(!readChakraFiles(folder.filePath("none.0.et").toStdString()));
        QFile groups(folder.filePath("groups.json"));
        QVERIFY(groups.open(QIODevice::WriteOnly));
        groups.write(R"({"1": [0, 7]})");
        groups.close();
        const auto far = readChakraFiles(folder.filePath("run.0.et").toStdString(), groups.fileName().toStdString());
        QVERIFY(!far && far.error().text().find("rank 7 has no trace") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ChakraTest)
#include "chakra_test.moc"
