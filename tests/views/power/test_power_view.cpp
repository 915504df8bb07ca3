// SPDX-License-Identifier: GPL-3.0-or-later
// Clicks and keys on the one-line diagram, and one picture that somebody has looked at (HALLWRIGHT_BASELINES=write makes it again).
#include "core/design/template/template.h"
#include "tests/oneline/chain_sample.h"
#include "tests/template/shipped_design.h"
#include "tests/views/picture_difference.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_texts.h"
#include "views/power/one_line_view.h"
#include "views/power/render.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace hw;
using namespace hw::views;

namespace {

constexpr double kTolerance = 6.0;

} // namespace

class TestPowerView : public QObject {
    Q_OBJECT

    static std::uint32_t foldOf(const OneLineCanvas& canvas)
    {
        const auto& boxes = canvas.model()->boxes;
        const auto at = std::ranges::find_if(boxes, &OneLineBox::folded);
        return at == boxes.end() ? OneLine::kNone : std::uint32_t(at - boxes.begin());
    }

private slots:
    void initTestCase() { applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), ThemeKind::Light); }

    void picture()
    {
        const auto line = test::twoSidedChain(3, 4);
        const auto page = makeOneLinePage(OneLineModel::make(line, OneLineOpen::readable(*line)));
        QImage image(900, 640, QImage::Format_RGB32);
        QPainter painter(&image);
        paintOneLinePage(painter, QRectF(image.rect()), page);
        painter.end();
        const QString file = HW_TEST_DATA "/../baselines/one-line.png";
        if (qEnvironmentVariable("HALLWRIGHT_BASELINES") == "write") QVERIFY(image.save(file));
        const QImage baseline(file);
        QVERIFY2(!baseline.isNull(), qPrintable("no baseline " + file));
        const double found = test::pictureDifference(image, baseline);
        if (found > kTolerance) image.save(QDir::tempPath() + "/one-line-now.png");
        QVERIFY2(found <= kTolerance, qPrintable(QString("differs by %1").arg(found)));
        QImage other(900, 640, QImage::Format_RGB32); // the comparison can fail
        other.fill(theme().canvas);
        QVERIFY(test::pictureDifference(other, baseline) > kTolerance);
    }

    /// Where a diagram is too wide for a sheet every element stands whole and readable in a part, and each part goes on from the one before.
    void partsOfASheet()
    {
        const auto line = test::twoSidedChain(12, 10);
        OneLineOpen open = OneLineOpen::readable(*line, 4000);
        const auto page = makeOneLinePage(OneLineModel::make(line, open));
        for (const QSizeF size : {QSizeF(674, 960), QSizeF(420, 960)}) {
            const OneLineParts parts = partsOf(page, size);
            QVERIFY(parts.spans.size() > 1);
            QVERIFY(parts.scale >= 0.55);
            for (std::size_t i = 1; i < parts.spans.size(); ++i) {
                QVERIFY(parts.spans[i].first <= parts.spans[i - 1].second);
                QVERIFY(parts.spans[i].first > parts.spans[i - 1].first);
            }
            QVERIFY(parts.spans.front().first <= 0 && parts.spans.back().second >= parts.layout.width);
            for (const auto& box : parts.layout.boxes)
                QVERIFY(std::ranges::any_of(
                    parts.spans, [&](const auto& span) { return span.first <= box.x && box.x + OneLineLayout::kBoxWidth <= span.second; }));
            OneLineCamera camera;
            camera.place(QRectF(QPointF(), size));
            for (const auto& [from, to] : parts.spans) QVERIFY((to - from) * parts.scale <= camera.area.width() + 1);
            // No more parts than it takes when each repeats what the one before cut, and none nearly empty while others are full.
            const double wide = camera.area.width() / parts.scale, own = wide - OneLineLayout::kBoxWidth - 40;
            QVERIFY(double(parts.spans.size()) <= std::ceil(parts.layout.width / own));
        }
        QCOMPARE(partsOf(page, QSizeF(6000, 1200)).spans.size(), std::size_t(1));
    }

    void loadsAreInTheUnitOfTheCapacity()
    {
        QCOMPARE(loadText(watts(905'300), watts(2'992'500)), QString("0.91 of 2.99 kW").replace("kW", "MW"));
        QCOMPARE(loadText(watts(12'340), watts(57'000)), QString("12.3 of 57.0 kW"));
    }

    void clickPicksAndDoubleClickOpens()
    {
        OneLineCanvas canvas;
        canvas.resize(1200, 700);
        canvas.show();
        canvas.setLine(test::twoSidedChain(8, 6), false);
        const std::uint32_t fold = foldOf(canvas);
        QVERIFY(fold != OneLine::kNone);
        const auto key = canvas.model()->boxes[fold].key;
        const auto members = canvas.model()->boxes[fold].members.size();
        const QPoint at = canvas.boxRect(fold).center().toPoint();
        QCOMPARE(canvas.boxAt(at), fold);
        QSignalSpy picked(&canvas, &OneLineCanvas::picked);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.front().front().value<std::vector<EntityRef>>().size(), members);
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, at);
        QVERIFY(canvas.open().has(key));
        QVERIFY(canvas.model()->find(key) == OneLine::kNone);
        const std::uint32_t inner = [&] {
            for (std::uint32_t b = 0; b < canvas.model()->boxes.size(); ++b)
                if (canvas.model()->boxes[b].around == key) return b;
            return OneLine::kNone;
        }();
        QVERIFY(inner != OneLine::kNone);
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.boxRect(inner).center().toPoint());
        QVERIFY(canvas.model()->find(key) != OneLine::kNone); // folded again
    }

    void plusOpensAFold()
    {
        OneLineCanvas canvas;
        canvas.resize(1200, 700);
        canvas.show();
        canvas.setLine(test::twoSidedChain(8, 6), false);
        const std::uint32_t fold = foldOf(canvas);
        const auto key = canvas.model()->boxes[fold].key;
        QSignalSpy picked(&canvas, &OneLineCanvas::picked);
        const QRectF rect = canvas.boxRect(fold);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPointF(rect.right() - 2, rect.center().y()).toPoint());
        QVERIFY(canvas.open().has(key));
        QCOMPARE(picked.count(), 0); // it opens and selects nothing
    }

    /// However large the chain and small the window, words can be read at first; "show everything" then shows everything.
    void wordsCanBeReadAtFirst()
    {
        for (const QSize size : {QSize(560, 300), QSize(860, 460), QSize(1400, 800)}) {
            OneLineCanvas canvas;
            canvas.resize(size);
            canvas.show();
            canvas.setLine(test::twoSidedChain(64, 4), false);
            QVERIFY(canvas.boxRect(0).width() >= OneLineCamera::kSmallest * OneLineLayout::kBoxWidth - 0.01);
            canvas.fit();
            for (std::uint32_t b = 0; b < canvas.model()->boxes.size(); ++b) QVERIFY(QRectF(canvas.rect()).contains(canvas.boxRect(b)));
        }
    }

    /// In little room with every panel open, no box is cut at either side; a chain of a campus is wider than its words want.
    void nothingIsCutAtTheSides()
    {
        for (const QSize size : {QSize(360, 300), QSize(728, 340), QSize(1000, 500)}) {
            OneLineCanvas canvas;
            canvas.resize(size);
            canvas.show();
            canvas.setLine(test::twoSidedChain(64, 12), false);
            QTest::qWait(1);
            for (std::uint32_t b = 0; b < canvas.model()->boxes.size(); ++b) {
                const QRectF rect = canvas.boxRect(b);
                QVERIFY2(rect.left() >= 0 && rect.right() <= size.width(), qPrintable(QString::number(size.width())));
            }
        }
    }

    /// Its whole width is in view at first, from the sources on top; and again when the window gets another size before anybody folds anything.
    void opensWithItsWholeWidth()
    {
        OneLineCanvas canvas;
        canvas.resize(1500, 900);
        canvas.show();
        canvas.setLine(test::twoSidedChain(6, 6), false);
        const auto wide = canvas.model()->boxes.size();
        const auto inView = [&] {
            double top = 1e9;
            for (std::uint32_t b = 0; b < canvas.model()->boxes.size(); ++b) {
                const QRectF rect = canvas.boxRect(b);
                if (rect.left() < 0 || rect.right() > canvas.width()) return false;
                top = std::min(top, rect.top());
            }
            return top >= 0;
        };
        QVERIFY(inView());
        canvas.resize(620, 420);
        QTest::qWait(1);
        QVERIFY(inView());
        const auto narrow = canvas.model()->boxes.size();
        QVERIFY2(narrow < wide, qPrintable(QString("%1 %2").arg(narrow).arg(wide)));
        canvas.resize(1500, 900);
        QTest::qWait(1);
        QCOMPARE(canvas.model()->boxes.size(), wide);
        canvas.toggle(foldOf(canvas)); // what somebody opened stays open
        const auto open = canvas.open();
        canvas.resize(620, 420);
        QTest::qWait(1);
        QVERIFY(canvas.open() == open);
    }

    void keysMoveAndOpen()
    {
        OneLineCanvas canvas;
        canvas.resize(1200, 700);
        canvas.show();
        canvas.setLine(test::twoSidedChain(8, 6), false);
        QSignalSpy picked(&canvas, &OneLineCanvas::picked);
        QTest::keyClick(&canvas, Qt::Key_Down); // the first box
        for (int level = 0; level < 5; ++level) QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(picked.count(), 6);
        const auto before = canvas.model()->boxes.size();
        QTest::keyClick(&canvas, Qt::Key_Return); // a fold of busways
        QVERIFY(canvas.model()->boxes.size() > before);
        canvas.foldAll();
        QCOMPARE(canvas.model()->boxes.size(), before);
    }

    /// Facility power and substations as the report and P12 have them.
    void summaryStatesTheSite()
    {
        const auto figures = *computeFigures(test::design("hpn-campus", {{"pods", 2}, {"segments", 1}, {"last_segments", 1}}));
        const auto line = OneLine::make(*figures, PowerBasis::Design);
        const Pue pue = pueOf(*figures, PowerBasis::Design);
        QVERIFY(pue.computed && line->pue.facility == pue.facility);
        const QString summary = powerSummary(*line);
        QVERIFY2(summary.contains("facility power, PUE " + QString::number(pue.value, 'f', 3)), qPrintable(summary));
        QVERIFY2(summary.contains("2 substations for 119.70 MW"), qPrintable(summary));
        QVERIFY2(summary.contains("1 required"), qPrintable(summary));
    }

    /// Errors and warnings of power are marked at their elements, of a device at its rack, waived ones last; those of other rules are not.
    void findingsAreMarked()
    {
        const auto line = test::twoSidedChain(8, 6);
        const std::uint32_t first = line->groups.front().first, last = std::uint32_t(line->elements.size() - 1);
        auto check = std::make_shared<CheckResult>();
        const auto add = [&](const char* rule, Severity severity, std::vector<EntityRef> entities, bool waived = false) {
            Finding one;
            one.rule = rule, one.severity = severity, one.entities = std::move(entities), one.waived = waived;
            one.message = verbatim(std::string(rule) + " <text>");
            check->findings.push_back(std::move(one));
        };
        add("P12", Severity::Warning, {line->elements[first].entity});
        add("P2", Severity::Error, {line->elements[first].entity, line->elements[last].entity});
        add("P3", Severity::Error, {line->elements[last].entity}, true);
        add("C7", Severity::Error, {line->elements[last].entity});
        add("P5", Severity::Info, {line->elements[last].entity});
        add("P12", Severity::Error, {EntityRef{EntityKind::Site, 0}});
        const auto findings = findingsOf(*line, check);
        QCOMPARE(findings->of[first], (std::vector<std::uint32_t>{1, 0})); // the gravest first
        QCOMPARE(findings->of[last], (std::vector<std::uint32_t>{1, 2}));
        QCOMPARE(findings->elsewhere, (std::vector<std::uint32_t>{5}));
        QCOMPARE(findings->worst({last}), &check->findings[1]);
        QVERIFY(!findingsOf(*line, nullptr)->worst({first}));
        OneLineCanvas canvas;
        canvas.resize(1000, 600);
        canvas.setLine(line, false);
        const QImage before = canvas.grab().toImage();
        canvas.setFindings(findings);
        QVERIFY(canvas.grab().toImage() != before);
        const auto& box = canvas.model()->boxes[canvas.model()->boxOf[first]];
        const QString tip = boxTip(*canvas.model(), box, findings.get());
        QVERIFY2(tip.contains("P12: P12 &lt;text&gt;") && tip.contains("P2: "), qPrintable(tip));
    }

    void revealBringsAnElementIntoView()
    {
        OneLineCanvas canvas;
        canvas.resize(1000, 600);
        canvas.show();
        const auto line = test::twoSidedChain(8, 6);
        canvas.setLine(line, false);
        const auto last = std::uint32_t(line->elements.size() - 1);
        canvas.reveal(line->elements[last].entity);
        const std::uint32_t box = canvas.model()->boxOf[last];
        QVERIFY(!canvas.model()->boxes[box].folded());
        QVERIFY(QRectF(canvas.rect()).contains(canvas.boxRect(box).center()));
    }

    /// The view over a document: the diagram follows on a worker, selection goes both ways.
    void viewFollowsTheDocument()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml").value();
        const auto snapshot = instantiate(design, design.complete(std::map<std::string, std::string>{{"segments", "1"}}).value(), catalog).value();
        DocumentBridge bridge;
        bridge.load(snapshot, computeFigures(snapshot).value());
        OneLineView view(bridge);
        view.resize(1200, 700);
        view.show();
        QTRY_VERIFY_WITH_TIMEOUT(view.canvas()->model() != nullptr, 20000);
        const OneLineCanvas& canvas = *view.canvas();
        const auto rect = canvas.boxRect(0);
        QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, rect.center().toPoint());
        QCOMPARE(bridge.selection().size(), canvas.model()->boxes[0].members.size());
        const RackId rack = snapshot->racks.ids().front();
        bridge.zoomTo(ref(rack));
        const auto element = canvas.model()->line->elementOf(ref(rack));
        QVERIFY(element != OneLine::kNone);
        QVERIFY(!canvas.model()->boxes[canvas.model()->boxOf[element]].folded());
    }
};

QTEST_MAIN(TestPowerView)
#include "test_power_view.moc"
