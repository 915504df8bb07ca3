// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/properties.h"
#include "views/style/format.h"
#include "views/style/units.h"

namespace hw::views {

QString lengthText(Millimeters length) { return exactLength(length.count()); }

namespace {

/// A catalog value with its trust and source; nothing for a value that the catalog does not give.
template <class T>
void add(PropertySection& section, const QString& label, const Fact<T>& fact, const QString& value)
{
    if (fact.value == T{} && fact.source.empty()) return;
    section.rows.push_back({label, value, text(fact.source), char(fact.confidence), {}});
}

void describe(PropertySection& section, const DeviceSpec& d)
{
    if (d.accelerators) section.rows.push_back({QObject::tr("Accelerators"), QString::number(d.accelerators), {}, 0, {}});
    if (d.halfUnits) section.rows.push_back({QObject::tr("Height"), QString("%1 U").arg(d.halfUnits / 2.0, 0, 'g', 3), {}, 0, {}});
    add(section, QObject::tr("Typical power"), d.typical, power(d.typical.value));
    add(section, QObject::tr("Design power"), d.design, power(d.design.value));
    add(section, QObject::tr("Nameplate"), d.nameplate, power(d.nameplate.value));
    add(section, QObject::tr("Heat to liquid"), d.liquidPermille, percent(d.liquidPermille.value / 1000.0, 0));
    add(section, QObject::tr("Weight"), d.weight, weight(d.weight.value));
    add(section, QObject::tr("Depth"), d.depth, lengthText(d.depth.value));
    add(section, QObject::tr("Switching"), d.switching, rate(d.switching.value.count()));
    add(section, QObject::tr("Capacity"), d.capacity, power(d.capacity.value));
    for (const auto& [precision, fact] : d.teraflops)
        add(section, QObject::tr("%1 per accelerator").arg(text(precision).toUpper()), fact, QString("%1 TFLOPS").arg(fact.value, 0, 'f', 0));
    add(section, QObject::tr("Price"), d.price, money(d.price.value));
}

void describe(PropertySection& section, const RackSpec& r)
{
    section.rows.push_back({QObject::tr("Units"), QString("%1 U").arg(r.heightU), {}, 0, {}});
    add(section, QObject::tr("Width"), r.width, lengthText(r.width.value));
    add(section, QObject::tr("Depth"), r.depth, lengthText(r.depth.value));
    add(section, QObject::tr("Load rating"), r.maxWeight, weight(r.maxWeight.value));
    add(section, QObject::tr("Cooling limit"), r.powerLimit, power(r.powerLimit.value));
    add(section, QObject::tr("Price"), r.price, money(r.price.value));
}

void describe(PropertySection& section, const TransceiverSpec& t)
{
    section.rows.push_back({QObject::tr("Standard"), text(t.standard), {}, 0, {}});
    for (const auto& [medium, fact] : t.reach) add(section, QObject::tr("Reach on %1").arg(mediumName(medium)), fact, lengthText(fact.value));
    add(section, QObject::tr("Power"), t.typical, power(t.typical.value));
    add(section, QObject::tr("Price"), t.price, money(t.price.value));
}

void describe(PropertySection& section, const CableSpec& c)
{
    section.rows.push_back({QObject::tr("Medium"), mediumName(c.medium), {}, 0, {}});
    section.rows.push_back({QObject::tr("Connector"), text(c.connector), {}, 0, {}});
    add(section, QObject::tr("Diameter"), c.diameter, QString("%1 mm").arg(c.diameter.value.count()));
    add(section, QObject::tr("Price"), c.priceFixed, money(c.priceFixed.value));
    add(section, QObject::tr("Price per meter"), c.pricePerMeter, moneyExact(c.pricePerMeter.value));
}

void describe(PropertySection& section, const TraySpec& t)
{
    add(section, QObject::tr("Width"), t.width, lengthText(t.width.value));
    add(section, QObject::tr("Depth"), t.height, lengthText(t.height.value));
    add(section, QObject::tr("Price per meter"), t.pricePerMeter, moneyExact(t.pricePerMeter.value));
}

} // namespace

QString mediumName(const std::string& slug)
{
    const QString name = text(slug);
    return name.startsWith("mmf-") || name.startsWith("smf-") ? name.mid(4).toUpper() : name;
}

QString rateText(Gbps r) { return rate(r.count()); }

PropertySection partSection(const ProjectParts& parts, PartTypeId type)
{
    const Part& part = parts[type];
    PropertySection section{QObject::tr("Catalog part"), {}};
    section.rows.push_back({QObject::tr("Model"), text(part.model.empty() ? part.slug : part.model), text(part.description), 0, {}});
    std::visit([&](const auto& spec) { describe(section, spec); }, part.spec);
    return section;
}

} // namespace hw::views
