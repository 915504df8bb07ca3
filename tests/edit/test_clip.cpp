// SPDX-License-Identifier: GPL-3.0-or-later
// Copy and paste within a design and between two: known places, never over another thing, nothing of the other design left behind.
#include "core/derived/geometry/placement.h"
#include "core/design/edit/clip.h"
#include "core/design/edit/lookup.h"
#include "tests/edit/desk.h"

using namespace hw;
using test::Desk;
using test::json;

class TestClip : public QObject {
    Q_OBJECT

    static Box boxOf(const Desk& desk, EntityRef e)
    {
        return edit::boxOf(desk.now(), *desk.parts(), *Placement::compute(desk.now(), *desk.parts()), e).value();
    }
    static void run(Desk& desk, std::initializer_list<const char*> edits)
    {
        for (const char* edit : edits)
            if (const auto done = desk.run(json(edit)); !done) qFatal("%s: %s", edit, done.error().text().c_str());
    }
    /// Two halls of 30 x 20 m side by side; in the first a row of two racks with a server each, joined by a cable, and a column.
    static Desk& furnish(Desk& desk)
    {
        run(desk, {
                      "{'do': 'add', 'what': 'building', 'name': 'b1', 'size_x_mm': 80000, 'size_y_mm': 30000}",
                      "{'do': 'add', 'what': 'hall', 'name': 'h1', 'in': 'b1', 'x_mm': 1000, 'y_mm': 1000, 'size_x_mm': 30000, 'size_y_mm': 20000}",
                      "{'do': 'add', 'what': 'hall', 'name': 'h2', 'in': 'b1', 'x_mm': 40000, 'y_mm': 1000, 'size_x_mm': 30000, 'size_y_mm': 20000}",
                      "{'do': 'add', 'what': 'row', 'name': 'r1', 'in': 'h1', 'x_mm': 2000, 'y_mm': 2000}",
                      "{'do': 'add', 'what': 'rack', 'name': 'a1', 'in': 'r1', 'type': 'rack-48u-600x1200', 'count': 2}",
                      "{'do': 'add', 'what': 'network', 'name': 'net'}",
                      "{'do': 'add', 'what': 'tier', 'name': 'leaf', 'in': 'net'}",
                      "{'do': 'add', 'what': 'device', 'name': 'sw1', 'in': 'a1', 'type': 'switch-51t-128x400g', 'tier': 'leaf'}",
                      "{'do': 'add', 'what': 'device', 'name': 'sw2', 'in': 'a2', 'type': 'switch-51t-128x400g', 'tier': 'leaf'}",
                      "{'do': 'add', 'what': 'structure', 'name': 'column', 'in': 'h1', 'kind': 'column', 'x1_mm': 20000, 'y1_mm': 10000, "
                      "'x2_mm': 20600, 'y2_mm': 10000, 'width_mm': 600}",
                  });
        return desk;
    }
    static Result<edit::Clip> clip(const Desk& desk, std::initializer_list<const char*> names)
    {
        std::vector<EntityRef> things;
        for (const char* name : names) things.push_back(desk.find(name));
        return edit::clipOf(desk.document.snapshot(), things);
    }
    static Result<edit::Copied> paste(Desk& desk, const edit::Clip& clip, const edit::PasteTarget& target)
    {
        auto t = desk.document.begin("paste");
        edit::Lookup lookup(desk.document.snapshot());
        auto done = edit::paste(t, lookup, clip, target);
        if (done) t.commit();
        return done;
    }
    static edit::Clip carried(const edit::Clip& clip)
    {
        const auto bytes = edit::clipBytes(clip);
        if (!bytes) qFatal("%s", bytes.error().text().c_str());
        auto read = edit::readClip(*bytes);
        if (!read) qFatal("%s", read.error().text().c_str());
        return *read;
    }

private slots:
    /// The middle of a row comes to the point; with racks, switches and what connects them.
    void aRowGoesToAnotherHall()
    {
        Desk desk;
        furnish(desk);
        const auto copied = clip(desk, {"r1"});
        QVERIFY2(copied.has_value(), copied ? "" : copied.error().text().c_str());
        const auto done = paste(desk, carried(*copied), {.at = edit::PlanPoint{55'000, 11'000}});
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const Snapshot& s = desk.now();
        const RowId row(done->copies.front().id);
        QCOMPARE(s.halls.name[s.rows.hall[row]], std::string("h2"));
        const Box box = boxOf(desk, done->copies.front());
        QCOMPARE((box.low.x + box.high.x) / 2, 55'000);
        QCOMPARE((box.low.y + box.high.y) / 2, 11'000);
        QCOMPARE(box.high.x - box.low.x, 1200);
        QCOMPARE(s.racks.size(), 4U);
        QCOMPARE(s.devices.size(), 4U);
        QCOMPARE(s.tiers.size(), 1U); // the design has it
        QCOMPARE(test::dangling(s), std::string());
        QVERIFY(desk.document.undo());
        QCOMPARE(desk.now().racks.size(), 2U);
    }

    /// Where something stands it goes as near as it can, also to the walls.
    void nothingIsPastedOverAnother()
    {
        Desk desk;
        furnish(desk);
        const Box row = boxOf(desk, desk.find("r1"));
        const auto copied = clip(desk, {"r1"});
        QVERIFY(copied.has_value());
        std::vector<EntityRef> rows{desk.find("r1")};
        for (int i = 0; i < 3; ++i) {
            const auto done = paste(desk, *copied, {.at = edit::PlanPoint{(row.low.x + row.high.x) / 2, (row.low.y + row.high.y) / 2}});
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
            rows.push_back(done->copies.front());
        }
        const Box hall = boxOf(desk, desk.find("h1"));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Box a = boxOf(desk, rows[i]);
            QVERIFY(a.low.x >= hall.low.x && a.high.x <= hall.high.x && a.low.y >= hall.low.y && a.high.y <= hall.high.y);
            for (std::size_t k = 0; k < i; ++k) {
                const Box b = boxOf(desk, rows[k]);
                QVERIFY(a.high.x <= b.low.x || b.high.x <= a.low.x || a.high.y <= b.low.y || b.high.y <= a.low.y);
            }
        }
        const auto outside = paste(desk, *copied, {.at = edit::PlanPoint{30'900, 20'900}}); // in the corner of the hall
        QVERIFY(outside.has_value());
        QCOMPARE(boxOf(desk, outside->copies.front()).high.x, 31'000);
        QCOMPARE(boxOf(desk, outside->copies.front()).high.y, 21'000);
    }

    void racksKeepTheirOrderInARow()
    {
        Desk desk;
        furnish(desk);
        run(desk, {"{'do': 'add', 'what': 'row', 'name': 'r2', 'in': 'h2', 'x_mm': 2000, 'y_mm': 2000}"});
        const auto copied = clip(desk, {"a1", "a2"});
        QVERIFY(copied.has_value());
        const auto done = paste(desk, *copied, {.into = desk.find("r2")});
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const Snapshot& s = desk.now();
        QCOMPARE(s.racks.along[RackId(done->copies[0].id)].count(), 0);
        QCOMPARE(s.racks.along[RackId(done->copies[1].id)].count(), 600);
        const auto again = paste(desk, *copied, {.at = edit::PlanPoint{42'000, 3'000}, .into = done->copies[0]}); // a rack of the row is in it
        QVERIFY(again.has_value());
        QCOMPARE(desk.now().rows.name[desk.now().racks.row[RackId(again->copies[0].id)]], std::string("r2"));
        QCOMPARE(desk.now().racks.along[RackId(again->copies[0].id)].count(), 1200);        // behind them
        QVERIFY(!paste(desk, *copied, {.at = edit::PlanPoint{50'000, 9'000}}).has_value()); // no row there: it must be selected
    }

    /// A device finds free units; a third of 24 U does not.
    void devicesFindUnits()
    {
        Desk desk;
        furnish(desk);
        const auto copied = clip(desk, {"sw1"});
        QVERIFY(copied.has_value());
        const auto u = [&](EntityRef e) { return int(desk.now().devices.u[DeviceId(e.id)]); };
        const auto first = paste(desk, *copied, {.into = desk.find("a1")});
        QVERIFY2(first.has_value(), first ? "" : first.error().text().c_str());
        QVERIFY(u(first->copies.front()) > u(desk.find("sw1")));
        QCOMPARE(desk.now().ports.size() % 3, 0U); // three devices of one type, each with its ports
        std::size_t made = 1;
        while (made < 100 && paste(desk, *copied, {.into = desk.find("a1")})) ++made;
        QVERIFY(made < 48); // the rack is full
    }

    /// Into a design that has none of its types, tiers and networks; they come along, once.
    void thingsGoToAnotherDesign()
    {
        Desk desk, other;
        furnish(desk);
        run(other,
            {
                "{'do': 'add', 'what': 'building', 'name': 'dc', 'size_x_mm': 40000, 'size_y_mm': 30000}",
                "{'do': 'add', 'what': 'hall', 'name': 'room', 'in': 'dc', 'x_mm': 1000, 'y_mm': 1000, 'size_x_mm': 30000, 'size_y_mm': 20000}",
            });
        const auto copied = clip(desk, {"r1", "column"});
        QVERIFY(copied.has_value());
        QCOMPARE(copied->design->racks.size(), 2U); // and nothing else of the design
        QCOMPARE(copied->design->halls.size(), 1U);
        const edit::Clip brought = carried(*copied);
        for (int i = 0; i < 2; ++i) {
            const auto done = paste(other, brought, {.at = edit::PlanPoint{15'000, 11'000}});
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
            const Box row = boxOf(other, done->copies[0]), column = boxOf(other, done->copies[1]);
            QCOMPARE(column.low.x - row.low.x, 18'000); // as they stood
            QCOMPARE(column.low.y - row.low.y, 8'000 - 300);
        }
        const Snapshot& s = other.now();
        QCOMPARE(s.tiers.size(), 1U);
        QCOMPARE(s.networks.size(), 1U);
        QCOMPARE(s.partTypes.size(), 2U); // rack and switch
        QCOMPARE(s.racks.size(), 4U);
        QCOMPARE(s.sites.size(), 0U); // what held the row stays behind
        QCOMPARE(test::dangling(s), std::string());
        QVERIFY(other.document.undo() && other.document.undo());
        QCOMPARE(other.now().partTypes.size(), 0U);
    }

    void whatIsNoClipIsRefused()
    {
        Desk desk;
        furnish(desk);
        QVERIFY(!clip(desk, {"net"}).has_value());
        const auto copied = clip(desk, {"r1", "a1"}); // the rack goes with its row
        QVERIFY(copied.has_value());
        QCOMPARE(copied->things.size(), std::size_t(1));
        const auto bytes = edit::clipBytes(*copied);
        QVERIFY(bytes.has_value());
        for (const std::string& bad :
             {std::string(), std::string("hallwright.clip/1"), std::string("hallwright.clip/1\n[[1,2]]\nrubbish"),
              std::string("hallwright.clip/1\n[[250,4000000000]]\n") + bytes->substr(bytes->find("\n", 20) + 1), bytes->substr(0, bytes->size() / 2)})
            QVERIFY(!edit::readClip(bad).has_value());
        const auto mixed = clip(desk, {"a1", "column"});
        QVERIFY(mixed.has_value());
        QVERIFY(!paste(desk, *mixed, {.at = edit::PlanPoint{5000, 5000}, .into = desk.find("r1")}).has_value());
        QVERIFY(!paste(desk, {}, {}).has_value());
    }
};

QTEST_GUILESS_MAIN(TestClip)
#include "test_clip.moc"
