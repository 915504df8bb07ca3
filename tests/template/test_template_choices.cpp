// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/count.h"
#include "core/design/template/template.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>

#include <fmt/format.h>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// Two tiers of switches; the parameter `part` chooses what they are, by the facts of its choices.
std::string twoTiers(const std::string& parameter, const std::string& rest = {})
{
    return "template: t\nparameters:\n  part: " + parameter +
           "\nnetworks: {n: {planes: 1}}\n"
           "tiers:\n"
           "  leaf: {network: n, level: 1, each: {x: 4}, name: \"leaf{x}\", type: part.type, ports: {up: {cages: \"div(part.cages, 32)\"}}}\n"
           "  spine: {network: n, level: 2, each: {y: 2}, name: \"spine{y}\", type: part.type, ports: {down: {cages: 16}}}\n"
           "links:\n  up: {from: leaf.up, to: spine.down, spread: true}\n" +
           rest;
}

const std::string kParts =
    "{default: small, choices: {small: {type: switch-25t-64x400g, cages: 64}, large: {type: switch-51t-128x400g, cages: 128}}}";

std::string errorOf(const std::string& yaml, const ParameterValues& values = {})
{
    const auto design = Template::parse(yaml, "t.yaml");
    if (!design) return design.error().text();
    const auto made = instantiate(*design, values, catalog());
    return made ? std::string("no error") : made.error().text();
}

std::map<std::string, int> typesOf(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[s.partTypes.slug[s.devices.type[id]]]; });
    return count;
}

int dataLinks(const Snapshot& s)
{
    int count = 0;
    s.links.forEach([&](LinkId id) { count += s.ports.medium[s.links.from[id]] == Medium::Data; });
    return count;
}

} // namespace

class TemplateChoices : public QObject {
    Q_OBJECT
private slots:
    /// Types and numbers follow from the choice, in the design and in its count.
    void factsOfAChoice()
    {
        const auto design = Template::parse(twoTiers(kParts), "t.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        QCOMPARE(design->parameters().front().choices, (std::vector<std::string>{"small", "large"}));
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        for (const int which : {0, 1}) {
            const auto made = instantiate(*design, {{"part", which}}, catalog());
            QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
            QCOMPARE(dataLinks(**made), which ? 16 : 8);
            auto types = typesOf(**made);
            QCOMPARE(types["switch-51t-128x400g"], which ? 6 : 0);
            QCOMPARE(types["switch-25t-64x400g"], which ? 0 : 6);
            const auto counted = counter->count({{"part", which}});
            QVERIFY2(counted.has_value(), counted ? "" : counted.error().text().c_str());
            QCOMPARE(counted->dataLinks(), std::int64_t(dataLinks(**made)));
        }
    }

    void errors_data()
    {
        QTest::addColumn<std::string>("yaml");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const std::string& yaml, const char* says) { QTest::newRow(name) << yaml << std::string(says); };
        row("a fact less", twoTiers("{default: a, choices: {a: {type: switch-25t-64x400g, cages: 64}, b: {type: switch-51t-128x400g}}}"),
            "t.yaml:3: parameters.part.choices.b: 'cages' is missing");
        row("a fact more", twoTiers("{default: a, choices: {a: {type: switch-25t-64x400g}, b: {type: switch-51t-128x400g, cages: 64}}}"),
            "parameters.part.choices.b.cages: preceding choices lack this attribute");
        row("no such fact", twoTiers("{default: a, choices: {a: {cages: 64}}}"), "tiers.leaf.type: the choices of 'part' have no attribute 'type'");
        row("no such choice", twoTiers("{default: c, choices: {a: {type: switch-25t-64x400g, cages: 64}}}"),
            "parameters.part.default: 'c' is not one of the choices");
        row("fixed at none", twoTiers("{fixed: c, choices: {a: {type: switch-25t-64x400g, cages: 64}}}"),
            "parameters.part.fixed: 'c' is not one of the choices");
        row("no default", twoTiers("{choices: {a: {type: switch-25t-64x400g, cages: 64}}}"), "parameters.part: 'default' is missing");
        row("default outside", "template: t\nparameters:\n  a: {default: 5, min: 1, max: 2}\n", "out of order");
        // A comma without quotes, as people forget them
        row("comma in a mapping", twoTiers(kParts, "values: {a: div(7, 2)}\n"),
            "t.yaml:10: div(7: an unquoted comma in {…} ends the text 'div(7'; quote the entire text: \"div(7, 2)\"");
        row("comma in a nested call", twoTiers(kParts, "values: {a: 1 + max(2, min(3, 4))}\n"), "quote the entire text: \"1 + max(2, min(3, 4))\"");
        row("comma in a list", "template: t\nbuildings: {b: {at: [max(1, 2), 0]}}\n", "an unquoted comma in […] ends the text 'max(1'");
        row("comma in a text", "template: t\nnetworks: {n: {label: Back end, scale-out, planes: 1}}\n",
            "unknown key 'scale-out' without a value: an unquoted comma in {…} ends a text");
        row("comma among coordinates",
            "template: t\nnetworks: {n: {planes: 1}}\ntiers:\n  s: {network: n, each: {x: 2, y}, type: switch-25t-64x400g}\n",
            "tiers.s.each.y: has no value");
        row("quoted commas are fine", twoTiers(kParts, "values: {a: \"div(7, 2)\"}\nsettings: {note: \"a (b, c\"}\n"), "no error");
        row("count of the target", twoTiers(kParts, "").replace(twoTiers(kParts).find("spread: true"), 12, "spread: true, count: y"),
            "'y' is a coordinate of the target tier");
        row("count of the target by name", twoTiers(kParts, "").replace(twoTiers(kParts).find("spread: true"), 12, "spread: true, count: to.y"),
            "'to.y' is a coordinate of the target tier");
    }
    void errors()
    {
        QFETCH(std::string, yaml);
        QFETCH(std::string, says);
        const auto text = errorOf(yaml);
        QVERIFY2(text.find(says) != std::string::npos, text.c_str());
    }

    /// What extends a shipped template adds a switch and a server to its choices, and the sizes follow.
    void extendsLengthensChoices()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("xdr.yaml").toStdString();
        std::ofstream(file) << "template: xdr\nextends: rail-optimized-2\n"
                               "parameters:\n"
                               "  switch:\n    default: xdr-144x800g\n    choices: {xdr-144x800g: {type: switch-ib-xdr-144x800g, gbps: 800, cages: "
                               "144, split: 2, lane_gbps: 200, osfp: 1}}\n"
                               "  server:\n    choices: {hgx-h20: {type: hgx-h20-8gpu, gpus: 8, nics: 8, nic_gbps: 400, cages: 1, lane_gbps: 100, "
                               "split: 2, slots: 1, trays: 0, shelves: 0, head: 0, fe_gbps: 200, nvlink_gbps: 3600}}\n"
                               "  networks: {default: backend}\n";
        const auto design = Template::load(file);
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto make = [&](const std::map<std::string, std::string>& texts) { return instantiate(*design, *design->complete(texts), catalog()); };
        const auto large = make({{"segments", "4"}, {"server", "hgx-b300"}}); // 72 servers under a leaf of 144 sockets
        QVERIFY2(large.has_value(), large ? "" : large.error().text().c_str());
        QCOMPARE(typesOf(**large).at("hgx-b300-8gpu"), 4 * 72);
        QCOMPARE(typesOf(**large).at("switch-ib-xdr-144x800g"), 32 + 18); // 32 x 72 uplinks need 16 spines, 18 divide them
        const auto old = make({{"switch", "51t-64x800g"}});
        QVERIFY2(old.has_value(), old ? "" : old.error().text().c_str());
        QCOMPARE(typesOf(**old).count("switch-ib-xdr-144x800g"), std::size_t(0));
        const auto h20 = make({{"segments", "1"}, {"server", "hgx-h20"}, {"switch", "ib-ndr-64x400g"}});
        QVERIFY2(h20.has_value(), h20 ? "" : h20.error().text().c_str());
        QCOMPARE(typesOf(**h20).at("hgx-h20-8gpu"), 32);
    }

    /// A parameter that an extending template fixes is asked for no more and keeps its facts; the text that a project keeps does so too.
    void fixedParameter()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("ours.yaml").toStdString();
        std::ofstream(file) << "template: ours\nextends: fat-tree-2\nparameters: {switch: {fixed: 51t-128x400g}, radix: {fixed: 32}, networks: "
                               "{fixed: backend}, segments: {default: 2}}\n";
        const auto design = Template::load(file);
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto kept = Template::parse(design->text(), "kept.yaml");
        QVERIFY2(kept.has_value(), kept ? "" : kept.error().text().c_str());
        for (const auto& p : kept->parameters()) QVERIFY2(p.name != "switch" && p.name != "radix" && p.name != "networks", p.name.c_str());
        const auto made = instantiate(*kept, *kept->complete(ParameterValues{}), catalog());
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        QCOMPARE(typesOf(**made).at("hgx-h100-8gpu"), 4); // a leaf with 16 ports down takes two servers of 8 NICs
        QCOMPARE(typesOf(**made).at("switch-51t-128x400g"), 2 + 1);
    }
};

QTEST_APPLESS_MAIN(TemplateChoices)
#include "test_template_choices.moc"
