// SPDX-License-Identifier: GPL-3.0-or-later
#include "scopepicker.h"

#include "base/questionwords.h"
#include "base/untrusted.h"
#include "base/words.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr int categoryRole = Qt::UserRole + 1;

} // namespace

ScopePicker::ScopePicker(QWidget *parent)
    : QWidget(parent), m_duration(addCombo(u"durationCombo"_s, tr("How long the answer holds"))),
      m_subject(addCombo(u"subjectCombo"_s, tr("Which data the answer is for"))),
      m_app(addCombo(u"appCombo"_s, tr("Which app the answer is for"))),
      m_host(addCombo(u"hostCombo"_s, tr("Which destination the answer is for"))), m_hostTitle(new QLabel(this))
{
    auto *layout = new QFormLayout(this);
    layout->setContentsMargins({});
    layout->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    layout->addRow(tr("How &long:"), m_duration);
    layout->addRow(tr("For &data:"), m_subject);
    layout->addRow(tr("For a&pp:"), m_app);
    layout->addRow(m_hostTitle, m_host);
    m_hostTitle->setBuddy(m_host);
    fillDurations();

    connect(m_duration, &QComboBox::currentIndexChanged, this, &ScopePicker::onDurationChanged);
    for (QComboBox *combo : {m_subject, m_app, m_host})
        connect(combo, &QComboBox::currentIndexChanged, this, &ScopePicker::changed);
}

QComboBox *ScopePicker::addCombo(const QString &name, const QString &accessibleName)
{
    auto *combo = new QComboBox(this);
    combo->setObjectName(name);
    combo->setAccessibleName(accessibleName);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    // A long path must not widen the window.
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(20);
    return combo;
}

void ScopePicker::fillDurations()
{
    const QSignalBlocker blocker(m_duration);
    m_duration->clear();
    for (const Duration duration :
         {Duration::Once, Duration::Process, Duration::Minutes15, Duration::Hour, Duration::Reboot, Duration::Always}) {
        const bool aboutThisProcess = duration == Duration::Once || duration == Duration::Process;
        if (m_durations == Durations::All || aboutThisProcess == (m_durations == Durations::OfProcess))
            m_duration->addItem(Words::duration(duration), QVariant::fromValue(duration));
    }
}

void ScopePicker::setDurations(Durations durations)
{
    m_durations = durations;
    fillDurations();
    if (durations == Durations::Lasting)
        setDuration(Duration::Always);
    onDurationChanged();
}

void ScopePicker::setDuration(Duration duration)
{
    const int index = m_duration->findData(QVariant::fromValue(duration));
    if (index >= 0)
        m_duration->setCurrentIndex(index);
    onDurationChanged();
}

void ScopePicker::setQuestion(const Question &question)
{
    const QSignalBlocker blocker(this);
    m_isChange = question.isChange();
    fillSubjects(question);
    fillApps(question);
    fillHosts(question);
}

void ScopePicker::fillSubjects(const Question &question)
{
    m_subject->clear();
    const auto add = [this](SubjectKind kind, const QString &text, const QString &category = {}) {
        m_subject->addItem(text, QVariant::fromValue(kind));
        m_subject->setItemData(m_subject->count() - 1, category, categoryRole);
    };
    if (!question.file.isEmpty()) {
        add(SubjectKind::File, tr("This file: %1").arg(shown(question.file.section(u'/', -1), 50)));
        add(SubjectKind::Folder, tr("This folder: %1").arg(shownPath(question.file.section(u'/', 0, -2), 50)));
    }
    for (const QString &category : question.categories)
        add(SubjectKind::Label, tr("Everything of the category “%1”").arg(Words::category(category)), category);
    add(SubjectKind::Any, question.isChange() ? tr("Any sensitive file") : tr("Any sensitive data"));
}

void ScopePicker::fillApps(const Question &question)
{
    m_app->clear();
    m_app->addItem(tr("This app: %1").arg(shown(question.appName(), 50)), false);
    m_app->addItem(tr("Any app"), true);
}

void ScopePicker::fillHosts(const Question &question)
{
    m_host->clear();
    const auto add = [this](ScopeChoice::Host host, const QString &text) { m_host->addItem(text, QVariant::fromValue(host)); };
    m_hostTitle->setText(question.sink == Sink::Network ? tr("For &host:") : tr("F&or destination:"));
    switch (question.sink) {
    case Sink::Network:
        if (!question.host.isEmpty() && question.port != 0)
            add(ScopeChoice::Host::HostAndPort, tr("This host and port: %1").arg(shown(QuestionWords::destination(question), 50)));
        if (!question.host.isEmpty())
            add(ScopeChoice::Host::HostOnly, tr("This host: %1").arg(shown(question.host, 50)));
        add(ScopeChoice::Host::Any, tr("Any host"));
        break;
    case Sink::Device:
        add(ScopeChoice::Host::Target, tr("This device: %1").arg(shownPath(question.target, 50)));
        break;
    case Sink::File:
        add(ScopeChoice::Host::Target, tr("This file: %1").arg(shownPath(question.target, 50)));
        add(ScopeChoice::Host::Folder, tr("This folder: %1").arg(shownPath(question.target.section(u'/', 0, -2), 50)));
        break;
    case Sink::Other:
        add(ScopeChoice::Host::Target, tr("Any connection that cannot be followed"));
        break;
    case Sink::Marked:
        break;
    }
}

Duration ScopePicker::duration() const
{
    return m_duration->currentData().value<Duration>();
}

ScopeChoice ScopePicker::choice() const
{
    return {
        .subjectKind = m_subject->currentData().value<SubjectKind>(),
        .category = m_subject->currentData(categoryRole).toString(),
        .anyApp = m_app->currentData().toBool(),
        .host = m_host->currentData().value<ScopeChoice::Host>(),
    };
}

// An answer for once is about this question and nothing else, and one for a private session makes no rule: the rest of the form
// would say something untrue.
void ScopePicker::onDurationChanged()
{
    auto *form = qobject_cast<QFormLayout *>(layout());
    const bool makesRule = duration() != Duration::Once && m_durations != Durations::OfProcess;
    for (QComboBox *combo : {m_subject, m_app})
        form->setRowVisible(combo, makesRule);
    form->setRowVisible(m_host, makesRule && !m_isChange);
    Q_EMIT changed();
}

} // namespace Tacet
