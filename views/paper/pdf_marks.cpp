// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/pdf_marks.h"

#include <QDateTime>
#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace hw::views::paper {
namespace {

/// A text string as UTF-16 with its mark, in hexadecimal digits.
QByteArray textString(const QString& text)
{
    QByteArray bytes("\xfe\xff", 2);
    for (const QChar c : text) bytes.append(char(c.unicode() >> 8)).append(char(c.unicode() & 0xFF));
    return "<" + bytes.toHex() + ">";
}

QByteArray number(double value) { return QByteArray::number(value, 'f', 2); }

/// What the end of a file says.
struct Tail {
    int size = 0, info = 0, root = 0;
    qint64 xref = -1;
};

int numberAfter(const QByteArray& pdf, const char* key, qint64 from)
{
    const qint64 at = pdf.indexOf(key, from);
    if (at < 0) return 0;
    const qint64 start = at + qint64(qstrlen(key));
    return QByteArray(pdf.mid(start, 16)).trimmed().split(' ').first().split('\n').first().toInt();
}

Tail readTail(const QByteArray& pdf)
{
    Tail tail;
    const qint64 trailer = pdf.lastIndexOf("trailer");
    if (trailer < 0) return tail;
    tail.size = numberAfter(pdf, "/Size ", trailer);
    tail.info = numberAfter(pdf, "/Info ", trailer);
    tail.root = numberAfter(pdf, "/Root ", trailer);
    tail.xref = numberAfter(pdf, "startxref\n", trailer);
    return tail;
}

/// "/Annots 15 0 R" of an object that begins at `at`.
int annotsOf(const QByteArray& pdf, int object)
{
    const qint64 at = pdf.indexOf("\n" + QByteArray::number(object) + " 0 obj");
    const qint64 end = at < 0 ? -1 : pdf.indexOf("endobj", at);
    const qint64 annots = at < 0 ? -1 : pdf.indexOf("/Annots ", at);
    return annots < 0 || annots > end ? 0 : numberAfter(pdf, "/Annots ", annots);
}

/// The page objects in the order of pages, and the object that lists them.
std::vector<int> readPages(const QByteArray& pdf, int& pages)
{
    std::vector<int> result;
    const qint64 list = pdf.lastIndexOf("/Type /Pages");
    const qint64 kids = list < 0 ? -1 : pdf.indexOf("/Kids", list), open = pdf.indexOf('[', kids), close = pdf.indexOf(']', kids);
    if (kids < 0 || open < 0 || close < 0) return result;
    const QByteArray head = pdf.mid(std::max<qint64>(0, list - 32), std::min<qint64>(32, list));
    static const QRegularExpression object("(\\d+) 0 obj\\s*<<\\s*$");
    pages = object.match(QString::fromLatin1(head)).captured(1).toInt();
    for (const QByteArray& entry : pdf.mid(open + 1, close - open - 1).split('\n'))
        if (entry.endsWith(" 0 R")) result.push_back(entry.left(entry.indexOf(' ')).toInt());
    return result;
}

QByteArray destination(int page, double y) { return "[" + QByteArray::number(page) + " 0 R /XYZ null " + number(y) + " null]"; } // no text

/// Objects that are added or replaced, each once, and the table of where they are.
class Update {
public:
    Update(QByteArray& pdf, const Tail& tail) : m_pdf(pdf), m_tail(tail), m_next(tail.size) {}
    [[nodiscard]] int reserve() { return m_next++; }
    void write(int object, const QByteArray& content)
    {
        m_places[object] = m_pdf.size();
        m_pdf += QByteArray::number(object) + " 0 obj\n" + content + "\nendobj\n";
    }
    void finish()
    {
        const qint64 xref = m_pdf.size();
        m_pdf += "xref\n0 1\n0000000000 65535 f \n";
        for (auto place = m_places.cbegin(); place != m_places.cend(); ++place)
            m_pdf += QByteArray::number(place.key()) + " 1\n" + QByteArray::number(place.value()).rightJustified(10, '0') + " 00000 n \n";
        m_pdf += "trailer\n<<\n/Size " + QByteArray::number(m_next) + "\n/Info " + QByteArray::number(m_tail.info) + " 0 R\n/Root " +
                 QByteArray::number(m_tail.root) + " 0 R\n/Prev " + QByteArray::number(m_tail.xref) + "\n>>\nstartxref\n" + QByteArray::number(xref) +
                 "\n%%EOF\n";
    }

private:
    QByteArray& m_pdf;
    const Tail& m_tail;
    int m_next;
    QMap<int, qint64> m_places;
};

/// The tree of bookmarks; gives its root.
int writeOutline(Update& update, const std::vector<PdfMark>& marks, const std::vector<int>& pages)
{
    const int root = update.reserve();
    std::vector<int> objects, parents(marks.size(), -1);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        objects.push_back(update.reserve());
        for (std::size_t up = i; marks[i].level > 1 && up-- > 0;)
            if (marks[up].level == 1) {
                parents[i] = int(up);
                break;
            }
    }
    const auto children = [&](int parent) {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < marks.size(); ++i)
            if (parents[i] == parent) list.push_back(i);
        return list;
    };
    const auto ref = [&](std::size_t i) { return QByteArray::number(objects[i]) + " 0 R"; };
    const auto ends = [&](const std::vector<std::size_t>& list, bool open) {
        if (list.empty()) return QByteArray();
        return QByteArray(" /First " + ref(list.front()) + " /Last " + ref(list.back()) + " /Count " +
                          QByteArray::number((open ? 1 : -1) * int(list.size())));
    };
    const auto top = children(-1);
    update.write(root, "<< /Type /Outlines" + ends(top, true) + " >>");
    const auto writeAll = [&](const std::vector<std::size_t>& list, const QByteArray& parent) {
        for (std::size_t n = 0; n < list.size(); ++n) {
            const std::size_t i = list[n];
            QByteArray entry = "<< /Title " + textString(marks[i].title) + " /Parent " + parent + " /Dest " +
                               destination(pages[std::size_t(marks[i].page)], marks[i].y) + ends(children(int(i)), false);
            if (n > 0) entry += " /Prev " + ref(list[n - 1]);
            if (n + 1 < list.size()) entry += " /Next " + ref(list[n + 1]);
            update.write(objects[i], entry + " >>");
        }
    };
    writeAll(top, QByteArray::number(root) + " 0 R");
    for (const std::size_t i : top) writeAll(children(int(i)), ref(i));
    return root;
}

void writeLinks(Update& update, const QByteArray& pdf, const std::vector<PdfLink>& links, const std::vector<int>& pages)
{
    QMap<int, QByteArray> ofPage;
    for (const PdfLink& link : links) {
        const int object = update.reserve();
        const QRectF& r = link.rect;
        update.write(object, "<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [" + number(r.left()) + " " + number(r.top()) + " " +
                                 number(r.right()) + " " + number(r.bottom()) + "] /Dest " + destination(pages[std::size_t(link.target)], link.y) +
                                 " >>");
        ofPage[link.page] += QByteArray::number(object) + " 0 R\n";
    }
    for (auto entry = ofPage.cbegin(); entry != ofPage.cend(); ++entry)
        if (const int annots = annotsOf(pdf, pages[std::size_t(entry.key())])) update.write(annots, "[\n" + entry.value() + "]");
}

/// In place, so that nothing moves.
void setDate(QByteArray& pdf, std::int64_t seconds)
{
    const qint64 at = pdf.indexOf("/CreationDate ("), open = at + qint64(qstrlen("/CreationDate (")), close = pdf.indexOf(')', open);
    if (at < 0 || close < 0) return;
    const QByteArray date = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString("'D:'yyyyMMddhhmmss'Z'").toLatin1() + ")";
    const qint64 room = close + 1 - open;
    if (date.size() <= room) pdf.replace(open, room, date.leftJustified(room, ' '));
}

} // namespace

QByteArray withMarks(QByteArray pdf, const std::vector<PdfMark>& marks, const std::vector<PdfLink>& links, std::int64_t seconds)
{
    setDate(pdf, seconds);
    const Tail tail = readTail(pdf);
    int list = 0;
    const std::vector<int> pages = readPages(pdf, list);
    const auto within = [&](int page) { return page >= 0 && std::size_t(page) < pages.size(); };
    const bool known = tail.size > 0 && tail.root > 0 && tail.xref > 0 && list > 0 &&
                       std::ranges::all_of(marks, [&](const PdfMark& mark) { return within(mark.page); }) &&
                       std::ranges::all_of(links, [&](const PdfLink& link) { return within(link.page) && within(link.target); });
    if (!known || marks.empty()) return pdf;
    const QByteArray before = pdf;
    Update update(pdf, tail);
    const int outline = writeOutline(update, marks, pages);
    writeLinks(update, before, links, pages);
    update.write(tail.root, "<< /Type /Catalog /Pages " + QByteArray::number(list) + " 0 R /Outlines " + QByteArray::number(outline) +
                                " 0 R /PageMode /UseOutlines >>");
    update.finish();
    return pdf;
}

} // namespace hw::views::paper
