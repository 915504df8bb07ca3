// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/prompts.h"
#include "importers/captures/xml_elements.h"
#include "tests/asbuilt/captures.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace captures;

namespace {

using LinkSet = std::set<std::string>;
using Json = nlohmann::ordered_json;

/// DEVICE:PORT>DEVICE:PORT, in small letters.
LinkSet linksOf(const std::vector<Sighting>& all)
{
    LinkSet out;
    for (const auto& one : all)
        if (!one.toDevice.empty()) out.insert(lowerCase(one.fromDevice + ":" + one.fromPort + ">" + one.toDevice + ":" + one.toPort));
    return out;
}

std::string shownLinks(const LinkSet& links)
{
    std::string out;
    for (const auto& one : links) out += one + "\n";
    return out;
}

/// A sample, what is in it, and how its text is taken apart: a block begins where `begins` says, the rest begins where `behind` says.
struct Dialect {
    const char *format, *file, *device;
    LinkSet links;
    std::function<bool(const std::string&)> begins, behind;
    enum { Text, Json, Xml } kind = Text;
};

bool never(const std::string&) { return false; }
auto startsWith(std::initializer_list<const char*> starts)
{
    std::vector<std::string> all(starts.begin(), starts.end());
    return [all](const std::string& line) { return std::ranges::any_of(all, [&](const auto& one) { return line.starts_with(one); }); };
}

const std::vector<Dialect>& dialects()
{
    const LinkSet lldpd = {"gpu-r07-u03:eth0>oob-sw-7:swp11", "gpu-r07-u03:ens1f0np0>leaf01-r0:swp3s0"};
    const LinkSet netq = {"leaf01-r0:swp1s0>gpu-r09-u03:ens1f0np0", "leaf01-r0:swp33>spine01-r0:swp3", "spine01-r0:swp3>leaf01-r0:swp33"};
    static const std::vector<Dialect> all = {
        {"lldp",
         "nxos-detail.txt",
         "pod1-leaf-03",
         {"pod1-leaf-03:eth1/61>pod1-spine-01.fab.example:ethernet1/3", "pod1-leaf-03:eth1/5/1>gpu-r04-u11:ens5f0np0"},
         startsWith({"Chassis id"}),
         startsWith({"Total"})},
        {"lldp",
         "nxos-brief.txt",
         "pod1-leaf-03",
         {"pod1-leaf-03:eth1/61>pod1-spine-01.fab.example:ethernet1/3", "pod1-leaf-03:eth1/5/1>gpu-r04-u11:9c63.c0aa.3302"},
         startsWith({"pod1-spine", "gpu-"}),
         startsWith({"Total"})},
        {"lldp",
         "eos-detail.txt",
         "leaf07",
         {"leaf07:ethernet1/1>gpu-r05-u03:ens1f0np0", "leaf07:ethernet33/1>spine01.fab.example:ethernet7/1"},
         startsWith({"Interface Eth"}),
         never},
        {"lldp",
         "eos-brief.txt",
         "leaf07",
         {"leaf07:et1/1>gpu-r05-u03:ens1f0np0", "leaf07:et33/1>spine01.fab.example:ethernet7/1", "leaf07:ma1>oob-sw-5:47"},
         startsWith({"Et", "Ma"}),
         never},
        {"lldp",
         "junos-text.txt",
         "leaf3",
         {"leaf3:et-0/0/4>gpu-r06-u03:ens6f0np0", "leaf3:et-0/0/60>spine2.fab.example:et-0/0/12"},
         startsWith({"et-"}),
         startsWith({"{master"})},
        {"lldp",
         "junos-brief.xml",
         "leaf3",
         {"leaf3:et-0/0/4>gpu-r06-u03:ens6f0np0", "leaf3:et-0/0/60>spine2.fab.example:et-0/0/12"},
         startsWith({"        <lldp-neighbor-information"}),
         startsWith({"    </lldp-neighbors-information"}),
         Dialect::Xml},
        {"lldp", "lldpctl-xml.xml", "gpu-r07-u03", lldpd, startsWith({" <interface"}), startsWith({"</lldp"}), Dialect::Xml},
        {"lldp", "lldpctl-json0.json", "gpu-r07-u03", lldpd, never, never, Dialect::Json},
        {"lldp", "lldpctl-keyvalue.txt", "gpu-r07-u03", lldpd, [](const std::string& line) { return line.find(".via=") != line.npos; }, never},
        {"lldp", "lldpctl-plain.txt", "gpu-r07-u03", {"gpu-r07-u03:ens1f0np0>leaf01-r0:swp3s0"}, startsWith({"Interface:"}), never},
        {"lldp",
         "sonic-neighbors.txt",
         "leaf02",
         {"leaf02:ethernet0>gpu-r08-u03:ens1f0np0", "leaf02:ethernet256>spine01:etp3"},
         startsWith({"Interface:"}),
         never},
        {"lldp",
         "sonic-table.txt",
         "leaf02",
         {"leaf02:ethernet0>gpu-r08-u03:ens1f0np0", "leaf02:ethernet8>gpu-r08-u05:ens1f0np0", "leaf02:ethernet256>spine01:etp3",
          "leaf02:eth0>oob-sw-8:swp12"},
         startsWith({"Ethernet", "eth"}),
         [](const std::string& line) { return line.starts_with("------------------------"); }},
        {"lldp",
         "nvue.txt",
         "leaf01-r0",
         {"leaf01-r0:eth0>oob-sw-9:swp5", "leaf01-r0:swp1s0>gpu-r09-u03:ens1f0np0", "leaf01-r0:swp1s1>gpu-r09-u05:9c:63:c0:ff:10:01",
          "leaf01-r0:swp33>spine01-r0:swp3"},
         startsWith({"eth0", "swp"}),
         never},
        {"lldp", "netq-text.txt", "x", netq, startsWith({"leaf01-r0 ", "spine01-r0 "}), never},
        {"lldp", "netq.json", "x", netq, never, never, Dialect::Json},
        {"lldp", "suzieq.json", "x", {"leaf01-r0:swp33>spine01-r0:swp3"}, never, never, Dialect::Json},
        {"ibnetdiscover",
         "iblinkinfo-blocks.txt",
         "x",
         {"gpu-r10-u03:mlx5_0/1>leaf01-r0:1", "leaf01-r0:1>gpu-r10-u03:mlx5_0/1", "leaf01-r0:33>spine01-r0:1", "leaf01-r0:34>spine01-r0:2",
          "spine01-r0:1>leaf01-r0:33", "spine01-r0:2>leaf01-r0:34"},
         startsWith({"CA:", "Switch:"}),
         never},
        {"ibnetdiscover",
         "iblinkinfo-line.txt",
         "x",
         {"gpu-r10-u03:mlx5_0/1>leaf01-r0:1", "leaf01-r0:1>gpu-r10-u03:mlx5_0/1", "leaf01-r0:33>spine01-r0:1"},
         startsWith({"0x"}),
         never},
        // Without descriptions a node is its GUID.
        {"ibnetdiscover",
         "ufm-links.json",
         "x",
         {"0x9c63c00300ab0000:1>0xb83fd20300e10000:hca-1/1", "0xb83fd20300e10000:hca-1/1>0x9c63c00300ab0000:1",
          "0x9c63c00300ab0000:33>0x9c63c00300cd0000:1", "0x9c63c00300cd0000:1>0x9c63c00300ab0000:33"},
         never,
         never,
         Dialect::Json},
    };
    return all;
}

const Dialect& dialect(const std::string& file)
{
    return *std::ranges::find_if(dialects(), [&](const Dialect& one) { return file == one.file; });
}

ImportSource sourceOf(const Dialect& one, const std::string& text)
{
    return {"run/" + std::string(one.device) + std::filesystem::path(one.file).extension().string(), text, {}};
}
std::string textOf(const Dialect& one) { return exchange::readSource(std::string(HW_TEST_DATA "/asbuilt/dialects/") + one.file).value().content; }

std::vector<std::string> linesIn(const std::string& text)
{
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

/// Before the first block, the blocks, behind the last.
struct Parts {
    std::string before, behind;
    std::vector<std::string> blocks;
    [[nodiscard]] std::string text() const
    {
        std::string out = before;
        for (const auto& block : blocks) out += block;
        return out + behind;
    }
};
Parts partsOf(const Dialect& one, const std::string& text)
{
    Parts parts;
    std::string* at = &parts.before;
    for (const auto& line : linesIn(text)) {
        if (!parts.blocks.empty() && one.behind(line)) at = &parts.behind;
        if (at != &parts.behind && one.begins(line)) parts.blocks.emplace_back(), at = &parts.blocks.back();
        *at += line + "\n";
    }
    return parts;
}

/// One way in which a capture may differ from what the tool printed.
struct Mutant {
    std::string text, how;
    bool whole = true; ///< all links must be read
};

class Mutation {
public:
    Mutation(const Dialect& one, unsigned seed) : m_one(one), m_random(seed) {}

    Mutant made(int number)
    {
        Mutant out{textOf(m_one), {}, true};
        switch (number % 10) {
        case 0: order(out); break;
        case 1: blanks(out); break;
        case 2: letters(out); break;
        case 3: prompts(out); break;
        case 4: carriageReturns(out); break;
        case 5: cutEnd(out); break;
        case 6: cutStart(out); break;
        case 7: doubled(out); break;
        case 8: blanksInRows(out); break;
        default: order(out), doubled(out), blanks(out), prompts(out), carriageReturns(out), cutEnd(out);
        }
        return out;
    }

private:
    std::size_t upTo(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(m_random); }

    void eachList(Json& json, const std::function<void(Json&)>& f)
    {
        if (json.is_array()) f(json);
        if (json.is_structured())
            for (auto& one : json) eachList(one, f);
    }
    void order(Mutant& out)
    {
        out.how += "order ";
        if (m_one.kind == Dialect::Json) {
            Json json = Json::parse(out.text);
            eachList(json, [&](Json& list) { std::shuffle(list.begin(), list.end(), m_random); });
            out.text = json.dump(int(upTo(4))) + "\n";
            return;
        }
        Parts parts = partsOf(m_one, out.text);
        std::ranges::shuffle(parts.blocks, m_random);
        out.text = parts.text();
    }
    void doubled(Mutant& out)
    {
        out.how += "doubled ";
        if (m_one.kind == Dialect::Json) {
            Json json = Json::parse(out.text);
            Json& list = json.is_array() ? json : json["lldp"].front().contains("interface") ? json["lldp"].front()["interface"] : json["lldp"];
            list.push_back(list.front());
            out.text = json.dump(1) + "\n";
            return;
        }
        if (upTo(1) == 0 && m_one.kind == Dialect::Text) {
            out.text += out.text;
            return;
        }
        Parts parts = partsOf(m_one, out.text);
        parts.blocks.push_back(parts.blocks[upTo(parts.blocks.size() - 1)]);
        out.text = parts.text();
    }
    /// Lines of blanks, blanks behind lines, all of it moved to the right.
    void blanks(Mutant& out)
    {
        out.how += "blanks ";
        const std::string indent(upTo(3), ' ');
        std::string text;
        for (const auto& line : linesIn(out.text)) {
            text += indent + line + std::string(upTo(4), ' ') + "\n";
            if (upTo(3) == 0) text += std::string(upTo(2), ' ') + "\n";
        }
        out.text = text;
    }
    /// Within rows: what cannot be told from its place any more is not told.
    void blanksInRows(Mutant& out)
    {
        out.how += "blanks in rows ";
        std::string text;
        for (auto line : linesIn(out.text)) {
            if (const auto blank = line.find(' ', upTo(line.size())); blank != line.npos) line.insert(blank, 1 + upTo(14), ' ');
            text += line + "\n";
        }
        out.text = text, out.whole = false;
    }
    void letters(Mutant& out)
    {
        out.how += "letters ";
        const bool large = upTo(1) == 0;
        for (char& c : out.text) c = char(large ? std::toupper(static_cast<unsigned char>(c)) : std::tolower(static_cast<unsigned char>(c)));
        // Keys of JSON and XML, and what iblinkinfo prints, are exact.
        out.whole = m_one.kind == Dialect::Text && m_one.format == std::string("lldp");
    }
    void prompts(Mutant& out)
    {
        out.how += "prompts ";
        const std::string device = m_one.device;
        const std::vector<std::string> signs = {device + "#", "ops@" + device + "> ", "[root@" + device + " ~]# ", "admin@" + device + ":~$ "};
        const std::string& sign = signs[upTo(signs.size() - 1)];
        out.text = sign + "\n" + sign + "show lldp neighbors | no-more\n" + out.text + "\n" + sign + "\n" + sign + "exit\n";
    }
    void carriageReturns(Mutant& out)
    {
        out.how += "CRLF ";
        std::string text;
        for (const char c : out.text) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
        out.text = text;
    }
    void cutEnd(Mutant& out)
    {
        out.how += "cut end ";
        out.text.resize(upTo(out.text.size() - 1)), out.whole = false;
    }
    void cutStart(Mutant& out)
    {
        out.how += "cut start ";
        out.text.erase(0, std::max(out.text.find('\n') + 1, 1 + upTo(out.text.size() - 2))), out.whole = false;
    }

    const Dialect& m_one;
    std::mt19937 m_random;
};

using Neighbors = std::map<std::string, std::vector<std::array<std::string, 3>>>; ///< by device: port, far device, far port

std::string nxosDetail(const std::string& device, const auto& rows)
{
    std::string out = device + "# show lldp neighbors detail\n";
    for (const auto& [port, far, farPort] : rows)
        out += fmt::format(
            "Chassis id: 0200.0000.0001\nPort id: {}\nLocal Port id: {}\nPort Description: null\nSystem Name: {}\nVlan ID: not advertised\n\n\n",
            farPort, port, far);
    return out + fmt::format("Total entries displayed: {}\n", rows.size());
}
std::string eosDetail(const std::string& device, const auto& rows)
{
    std::string out = device + "#show lldp neighbors detail\n";
    for (const auto& [port, far, farPort] : rows)
        out += fmt::format("Interface {} detected 1 LLDP neighbors:\n\n  Neighbor 0200.0000.0001/\"{}\", age 7 seconds\n  - System Name: \"{}\"\n\n",
                           port, farPort, far);
    return out;
}
std::string lldpdText(const std::string&, const auto& rows)
{
    std::string out;
    for (const auto& [port, far, farPort] : rows)
        out += fmt::format(
            "Interface:    {}, via: LLDP, RID: 1, Time: 0 day\n  Chassis:\n    SysName:      {}\n  Port:\n    PortID:       ifname {}\n-----------\n",
            port, far, farPort);
    return out;
}
std::string junosXml(const std::string&, const auto& rows)
{
    std::string out = "<nc:rpc-reply xmlns:nc=\"x\"><nc:lldp-neighbors-information>";
    for (const auto& [port, far, farPort] : rows)
        out += fmt::format("<lldp-neighbor-information><lldp-local-interface>{}.0</lldp-local-interface><lldp-remote-port-id-subtype>Interface "
                           "name</lldp-remote-port-id-subtype><lldp-remote-port-id>{}</lldp-remote-port-id><lldp-remote-system-name>{}</"
                           "lldp-remote-system-name></lldp-neighbor-information>",
                           port, farPort, far);
    return out + "</nc:lldp-neighbors-information></nc:rpc-reply>\n";
}
std::string sonicTable(const std::string&, const auto& rows)
{
    std::string out = fmt::format("{:14}{:40}{:16}{}\n", "LocalPort", "RemoteDevice", "RemotePortID", "Capability");
    for (const auto& [port, far, farPort] : rows) out += fmt::format("{:14}{:40}{:16}B\n", port, far, farPort);
    return out + fmt::format("---\nTotal entries displayed:  {}\n", rows.size());
}

} // namespace

class TestDialects : public QObject {
    Q_OBJECT

private slots:
    /// Interfaces with a slash are written with a hyphen where there can be none: in topics and names of files. Of every template all ports are
    /// found by either name.
    void portsWithoutSlashes_data()
    {
        QTest::addColumn<QString>("design");
        QTest::addColumn<QString>("size");
        QTest::newRow("meta-24k") << "meta-24k"
                                  << "segments 4 pods 1";
        QTest::newRow("rail-optimized-3") << "rail-optimized-3"
                                          << "segments 2";
        QTest::newRow("hpn") << "hpn"
                             << "segments 1";
    }
    void portsWithoutSlashes()
    {
        QFETCH(QString, design);
        QFETCH(QString, size);
        std::map<std::string, std::string> values;
        const QStringList words = size.split(' ');
        for (int i = 0; i + 1 < words.size(); i += 2) values[words[i].toStdString()] = words[i + 1].toStdString();
        const BuiltHall built = BuiltHall::of(design.toUtf8(), values);
        PortNames names(built.s(), *built.figures->parts, {});
        std::size_t slashes = 0;
        built.s().ports.forEach([&](PortId id) {
            if (built.s().ports.medium[id] != Medium::Data) return;
            std::string name = built.port(id);
            slashes += name.find('/') != name.npos;
            std::ranges::replace(name, '/', '-');
            Text why;
            const auto found = names.find(built.s().ports.device[id], name, why);
            QVERIFY2(found && *found == id, (built.device(id) + ":" + name).c_str());
        });
        QCOMPARE(slashes > 0, design == "meta-24k");
    }

    void everySample_data()
    {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < dialects().size(); ++i) QTest::newRow(dialects()[i].file) << int(i);
    }
    void everySample()
    {
        QFETCH(int, number);
        const Dialect& one = dialects()[std::size_t(number)];
        const auto source = sourceOf(one, textOf(one));
        QVERIFY(importer(one.format).probe(source));
        const LinkSet found = linksOf(read(one.format, {source}));
        QVERIFY2(found == one.links, shownLinks(found).c_str());
    }

    /// Twenty ways in which each may come: never a link that is not in it, all of them where nothing is missing.
    void mutations_data() { everySample_data(); }
    void mutations()
    {
        QFETCH(int, number);
        const Dialect& one = dialects()[std::size_t(number)];
        std::size_t links = 0;
        for (int i = 0; i < 20; ++i) {
            const Mutant mutant = Mutation(one, unsigned(1000 * number + i)).made(i);
            const auto plan = importer(one.format).plan(sourceOf(one, mutant.text), std::make_shared<const Snapshot>(), {});
            const std::string told = mutant.how + std::to_string(i) + "\n" + mutant.text;
            if (!plan) {
                QVERIFY2(!mutant.whole && plan.error().code == ErrorCode::Unreadable, (plan.error().text() + "\n" + told).c_str());
                continue;
            }
            const LinkSet found = linksOf(sightingsOf(*plan->after));
            links += found.size();
            QVERIFY2(std::ranges::includes(one.links, found), (shownLinks(found) + told).c_str());
            if (mutant.whole) QVERIFY2(found == one.links, (shownLinks(found) + told).c_str());
        }
        QVERIFY(links > 8 * one.links.size()); // they are not all refused
    }

    /// Every place at which a capture may end.
    void everyCut_data() { everySample_data(); }
    void everyCut()
    {
        QFETCH(int, number);
        const Dialect& one = dialects()[std::size_t(number)];
        const std::string text = textOf(one);
        for (std::size_t end = 0; end < text.size(); ++end)
            for (const bool start : {false, true}) {
                if (start && end > 0 && end < text.find_first_of("#>\n")) continue; // within a prompt: half a name is a name
                const auto part = start ? text.substr(end) : text.substr(0, end);
                const auto plan = importer(one.format).plan(sourceOf(one, part), std::make_shared<const Snapshot>(), {});
                if (!plan) continue;
                const LinkSet found = linksOf(sightingsOf(*plan->after));
                QVERIFY2(std::ranges::includes(one.links, found), (shownLinks(found) + part).c_str());
            }
    }

    /// All devices of a design in one folder, in the words of each dialect, with other files beside them.
    void aFolderOfTheDesign_data()
    {
        QTest::addColumn<int>("number");
        const char* names[] = {"NX-OS", "EOS", "lldpd text", "Junos XML", "SONiC"};
        for (int i = 0; i < 5; ++i) QTest::newRow(names[i]) << i;
    }
    void aFolderOfTheDesign()
    {
        QFETCH(int, number);
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        Neighbors all;
        for (const auto& p : built.plugs)
            for (const auto& [near, far] : {std::pair(p.a, p.b), std::pair(p.b, p.a)})
                all[built.device(near)].push_back({built.port(near), built.device(far), built.port(far)});
        std::vector<ImportSource> files{{"run/README.txt", "what is in here\n", {}}, {"run/show-version.json", "{\"version\": 3}", {}}};
        for (const auto& [device, rows] : all) {
            const std::string text = number == 0   ? nxosDetail(device, rows)
                                     : number == 1 ? eosDetail(device, rows)
                                     : number == 2 ? lldpdText(device, rows)
                                     : number == 3 ? junosXml(device, rows)
                                                   : sonicTable(device, rows);
            files.push_back({number < 2 ? "run/capture-" + std::to_string(files.size()) + ".txt" : "run/" + device + ".txt", text, {}});
        }
        const auto plan = importer("lldp").planTogether(files, built.figures->snapshot, {}).value();
        QVERIFY(plan.left == 2 && plan.issues.size() >= 2 && plan.issues[0].where == "run/README.txt");
        const auto c = compareStored(figuresOf(plan.after).value()).value();
        QVERIFY2(c.clean(), shown(built, c).c_str());
        std::int64_t seen = 0;
        for (const auto& n : c.networks) seen += n.asDesigned;
        QCOMPARE(seen, std::int64_t(built.plugs.size()));
        QCOMPARE(int(importer("lldp").planTogether(std::span(files).first(2), built.figures->snapshot, {}).error().code), int(ErrorCode::Unreadable));
    }

    void whoseCaptureItIs()
    {
        const std::string body = "Interface:    eth1, via: LLDP, RID: 1\n  SysName:      b\n  PortID:       ifname x\n---------\n";
        const auto device = [&](const char* file, const std::string& text, std::map<std::string, std::string> options = {}) {
            return read("lldp", {ImportSource{file, text, std::move(options)}}).front().fromDevice;
        };
        QCOMPARE(device("run/leaf1.txt", body), std::string("leaf1"));
        QCOMPARE(device("run/capture.txt", "admin@leaf2:~$ show lldp neighbors\n" + body), std::string("leaf2"));
        QCOMPARE(device("run/capture.txt", "leaf2#show lldp neighbors detail\n" + body), std::string("leaf2"));
        QCOMPARE(device("run/capture.txt", "RP/0/RP0/CPU0:leaf2#show lldp neighbors\n" + body), std::string("leaf2"));
        QCOMPARE(device("run/leaf1.txt", "root@jump:~# ssh leaf2 lldpctl\n" + body), std::string("leaf1")); // not of the jump host
        QCOMPARE(device("run/leaf1.txt", "bash-5.1$ lldpctl\n" + body), std::string("leaf1"));
        QCOMPARE(device("run/leaf1.txt", "admin@leaf2:~$ lldpctl\n" + body, {{"local", "leaf3"}}), std::string("leaf3"));
        // Two switches in one recorded terminal
        const auto two = read("lldp", {ImportSource{"run/session.log", "leaf1# lldpctl\n" + body + "leaf1# exit\nleaf2# lldpctl\n" + body, {}}});
        QVERIFY(two.size() == 2 && two[0].fromDevice == "leaf1" && two[1].fromDevice == "leaf2");
        // The prompt says one device of the design, the file name another
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const std::string a = built.device(built.plugs[0].a), b = built.device(built.plugs[0].b);
        const ImportSource crossed{"run/" + a + ".txt", b + "# lldpctl\n" + body, {}};
        QCOMPARE(int(importer("lldp").plan(crossed, built.figures->snapshot, {}).error().code), int(ErrorCode::Unreadable));
    }

    /// What each dialect is known for, one by one.
    void traps()
    {
        const auto links = [](const std::string& text) { return linksOf(read("lldp", {ImportSource{"leaf1.txt", text, {}}})); };
        // NX-OS: a description of several lines with words of the format in it; no name; two agents on a port
        QCOMPARE(links("Chassis id: 0200.0000.0001\nPort id: Ethernet1\nLocal Port id: Eth1/1\nPort Description: a\nb\nSystem Name: not advertised\n"
                       "System Description: x\nSystem Name: evil\nPort id: 7\nVlan ID: 1\n\n\nChassis id: 0200.0000.0002\nPort id: 0200.0000.0003\n"
                       "Local Port id: Eth1/1\nSystem Name: h\nVlan ID: 1\n"),
                 (LinkSet{"leaf1:eth1/1>02:00:00:00:00:01:ethernet1", "leaf1:eth1/1>h:0200.0000.0003"}));
        // EOS: no name, MAC without quotes
        QCOMPARE(
            links("Interface Ethernet2 detected 1 LLDP neighbors:\n  Neighbor 0200.0000.0001/0200.0000.0002, age 1 seconds\n  - System Name: \"\"\n"),
            (LinkSet{"leaf1:ethernet2>02:00:00:00:00:01:0200.0000.0002"}));
        // Junos: a port with a blank, an empty name, a unit; rows that stand otherwise are not guessed at
        const std::string junos = "Local Interface    Parent Interface    Chassis Id          Port info          System Name\n";
        QCOMPARE(links(junos + "et-0/0/4.0         -                   02:00:00:00:00:01   Interface 27\n"),
                 (LinkSet{"leaf1:et-0/0/4>02:00:00:00:00:01:interface 27"}));
        QVERIFY(importer("lldp")
                    .plan({"leaf1.txt", junos + "et-0/0/4      02:00:00:00:00:01   Interface 27   h\n", {}}, std::make_shared<const Snapshot>(), {})
                    .error()
                    .where == "leaf1.txt:2");
        // lldpd: points in interface names, several neighbors of one port, one by CDP
        QCOMPARE(links("lldp.eth0.100.via=LLDP\nlldp.eth0.100.chassis.name=a\nlldp.eth0.100.port.local=5\nlldp.eth0.100.port.descr=ge5\n"
                       "lldp.eth0.100.via=LLDP\nlldp.eth0.100.chassis.name=b\nlldp.eth0.100.port.ifname=x\nlldp.eth1.via=CDPv2\n"
                       "lldp.eth1.chassis.name=c\nlldp.eth1.port.ifname=y\n"),
                 (LinkSet{"leaf1:eth0.100>a:ge5", "leaf1:eth0.100>b:x"}));
        // SONiC: an empty device, a port ID with a blank
        QCOMPARE(links("LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n-----------  --------------  --------------  "
                       "------------  -----------------------\nEthernet0                    port 7          O\nTotal entries displayed:  1\n"),
                 (LinkSet{"leaf1:ethernet0>(unnamed):port 7"}));
        // Junos in detail: the local ID is a number; locally assigned far ports are no numbers of sockets
        const auto info = [](const char* inner) {
            return std::string("<multi-routing-engine-results><lldp-neighbors-information><lldp-neighbor-information>") + inner +
                   "</lldp-neighbor-information></lldp-neighbors-information></multi-routing-engine-results>\n";
        };
        QCOMPARE(
            links(info("<lldp-local-port-id>541</lldp-local-port-id><lldp-local-interface>et-0/0/1</lldp-local-interface><lldp-remote-system-name>s</"
                       "lldp-remote-system-name>"
                       "<lldp-remote-port-id-subtype>Locally assigned</lldp-remote-port-id-subtype><lldp-remote-port-id>7</lldp-remote-port-id>")),
            (LinkSet{"leaf1:et-0/0/1>s:ifindex 7"}));
        QVERIFY(importer("lldp")
                    .plan({"leaf1.xml", info("<lldp-local-port-id>541</lldp-local-port-id>"), {}}, std::make_shared<const Snapshot>(), {})
                    .error()
                    .where.starts_with("leaf1.xml"));
        QCOMPARE(int(importer("lldp")
                         .plan({"leaf1.xml", "<lldp label=\"x\"><interface></lldp>\n", {}}, std::make_shared<const Snapshot>(), {})
                         .error()
                         .code),
                 int(ErrorCode::Unreadable));
        // A neighbor whose port ID got lost: its description is not taken for it
        const std::string lldpd = "Interface:    swp1, via: LLDP, RID: 1\n  ChassisID:    mac 02:00:00:00:00:01\n  SysName:      s\n";
        const std::string rest =
            "  PortDescr:    swp9\n-------\nInterface:    swp2, via: LLDP, RID: 2\n  SysName:      t\n  PortID:       ifname x\n-------\n";
        QCOMPARE(links(lldpd + rest), (LinkSet{"leaf1:swp2>t:x"}));
        QCOMPARE(links("lldp.a.via=LLDP\nlldp.a.chassis.name=s\nlldp.a.port.descr=swp9\nlldp.a.port.ttl=120\nlldp.b.via=LLDP\nlldp.b.chassis.name=t\n"
                       "lldp.b.port.ifname=x\n"),
                 (LinkSet{"leaf1:b>t:x"}));
        QCOMPARE(
            links(
                R"({"lldp": {"interface": {"a": {"via": "LLDP", "chassis": {"s": {"id": {"type": "local", "value": "1"}}}, "port": {"descr": "swp9"}},
                       "b": {"via": "LLDP", "chassis": {"t": {"id": {"type": "local", "value": "2"}}}, "port": {"id": {"type": "ifname", "value": "x"}}}}}})"),
            (LinkSet{"leaf1:b>t:x"}));
        QCOMPARE(
            links("<lldp label=\"n\"><interface name=\"a\" via=\"LLDP\"><chassis><name>s</name></chassis><port><descr>swp9</descr></port></interface>"
                  "<interface name=\"b\" via=\"LLDP\"><chassis><name>t</name></chassis><port><id type=\"ifname\">x</id></port></interface></lldp>\n"),
            (LinkSet{"leaf1:b>t:x"}));
        // Rows of many devices, of which the first lost its device: the file is not that device's
        QCOMPARE(
            links(R"([{"ifname": "swp9", "peerHostname": "s"}, {"hostname": "l", "ifname": "swp1", "peerHostname": "s", "peerIfname": "swp2"}])"),
            (LinkSet{"l:swp1>s:swp2"}));
        // NetQ: the other spelling, a bare list; a device for all of them makes no sense
        const std::string rows = R"([{"hostname": "l", "ifname": "swp1", "peer_hostname": "s", "peer_ifname": "swp2"}])";
        QCOMPARE(links(rows), (LinkSet{"l:swp1>s:swp2"}));
        QCOMPARE(int(importer("lldp").plan({"x.json", rows, {{"local", "l"}}}, std::make_shared<const Snapshot>(), {}).error().code),
                 int(ErrorCode::Usage));
    }

    /// Ports that are disabled, half up or below what they could be stay, as what a person has to look at.
    void portsInTrouble()
    {
        const auto told = [](const std::string& text) {
            const auto plan = importer("ibnetdiscover").plan({"x", text, {}}, std::make_shared<const Snapshot>(), {}).value();
            std::string out;
            for (const auto& issue : plan.issues) out += words(issue.what) + "\n";
            return std::pair(out, linksOf(sightingsOf(*plan.after)));
        };
        const auto sample = told(textOf(dialect("iblinkinfo-blocks.txt"))).first;
        QVERIFY2(sample.find("leaf01-r0 port 34: below its capability (Could be 106.25 Gbps)") != sample.npos, sample.c_str());
        const std::string head = "Switch: 0x9c63c00300ab0000 leaf: 1 :\n", end = "\"MF0;s1:MQM/U1\" ( )\n";
        const auto [issues, links] = told(head + "  5    1[  ] ==( 4X 106.25 Gbps Initialize/  LinkUp)==>       3    7[  ] " + end +
                                          "  5    2[  ] ==(                Down/Disabled)==>             [  ] \"\" ( )\n"
                                          "  5    3[ 1] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    8[ 2] " +
                                          end +
                                          "  5    4[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    9[  ] \"cut\n"
                                          "  5    5[  ] ==(                Down/ Polling)==>  \"Port not available\"\n");
        QCOMPARE(links, (LinkSet{"leaf: 1:1>s1:7", "leaf: 1:3>s1:8"}));
        for (const char* part : {"leaf: 1 port 1: state Initialize / LinkUp, not active", "leaf: 1 port 2: disabled", "incomplete: skipped"})
            QVERIFY2(issues.find(part) != issues.npos, issues.c_str());
        // Rows of two LIDs below one switch: which of them lies in the wrong block cannot be told. A recorded terminal has colors and a pager.
        const std::string row = "  5    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    7[  ] " + end;
        const std::string other = "Switch: 0x9c63c00300ab0002 other:\n  6    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    8[  ] " + end;
        QCOMPARE(told(head + row + "  3    7[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       5    1[  ] \"leaf: 1\" ( )\n" + other).second,
                 (LinkSet{"other:1>s1:8"}));
        QCOMPARE(told(head + "\x1b[0m" + row.substr(0, row.size() - 1) + "\x1b[K\n--More--\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\b" + other).second,
                 (LinkSet{"leaf: 1:1>s1:7", "other:1>s1:8"}));
        // A head that is not understood ends the block before
        QCOMPARE(told(head + "  5    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    7[  ] " + end +
                      "Swich: 0x9c63c00300ab0001 other:\n  6    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>       3    8[  ] " + end)
                     .second,
                 (LinkSet{"leaf: 1:1>s1:7"}));
    }

    /// UFM's links have names in newer releases; else a node-name-map beside them, or what the design has learned.
    void namesOfUfm()
    {
        const ImportSource links{"run/links.json", textOf(dialect("ufm-links.json")), {}};
        const ImportSource map{"run/names.map", "# made by hand\n0x9c63c00300ab0000 \"leaf01-r0\"\n0xb83fd20300e10000 \"gpu-r10-u03 HCA-1\"\n", {}};
        const auto found = linksOf(read("ibnetdiscover", {links, map}));
        QVERIFY2(found.contains("leaf01-r0:1>gpu-r10-u03:hca-1/1") && found.contains("leaf01-r0:33>0x9c63c00300cd0000:1"), shownLinks(found).c_str());
        auto json = Json::parse(links.content);
        json[0]["source_port_node_description"] = "MF0;leaf1:MQM9700/U1", json[0]["destination_port_node_description"] = "host1 mlx5_0";
        json[0]["severity"] = "Critical", json[1].erase("source_port");
        const auto plan = importer("ibnetdiscover").plan({"x", json.dump(), {}}, std::make_shared<const Snapshot>(), {}).value();
        QCOMPARE(linksOf(sightingsOf(*plan.after)), (LinkSet{"leaf1:1>host1:hca-1/1", "host1:hca-1/1>leaf1:1"}));
        QVERIFY(plan.read == 1 && plan.left == 1 && plan.issues.size() == 2);
    }
};

QTEST_APPLESS_MAIN(TestDialects)
#include "test_dialects.moc"
