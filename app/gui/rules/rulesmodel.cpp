// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulesmodel.h"

#include "base/rulewords.h"
#include "base/words.h"

#include <QIcon>

#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QIcon verdictIcon(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Block:
    case Verdict::Quit:
        return QIcon(u":/icons/verdict-block.svg"_s);
    case Verdict::Allow:
        return QIcon(u":/icons/verdict-allow.svg"_s);
    case Verdict::Scrub:
    case Verdict::Takeover:
        return QIcon(u":/icons/verdict-scrub.svg"_s);
    }
    Q_UNREACHABLE_RETURN(QIcon());
}

} // namespace

int RulesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rules.size());
}

QString RulesModel::text(const Rule &rule) const
{
    const QString used = rule.hits == 0 ? tr("not used yet") : tr("used %n time(s)", nullptr, int(qMin<quint64>(rule.hits, 1'000'000'000)));
    const bool administrators = rule.uid == 0 && getuid() != 0;
    const QString form = administrators ? tr("made %1 by the administrator, %2") : tr("made %1, %2");
    const QString made = rule.created.isValid() ? form.arg(Words::dateAndTime(rule.created), used) : used;
    return RuleWords::sentence(rule, RuleWords::Plain) + u'\n' + made;
}

QVariant RulesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rules.size())
        return {};
    const Rule &rule = m_rules.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(rule);
    case Qt::DecorationRole:
        return verdictIcon(rule.draft.verdict);
    case Qt::ToolTipRole:
        return RuleWords::sentence(rule, RuleWords::Plain);
    default:
        return {};
    }
}

void RulesModel::setRules(const QList<Rule> &rules)
{
    if (rules == m_rules)
        return;
    // A rule that was only used keeps its place and selection.
    if (std::ranges::equal(rules, m_rules, {}, &Rule::id, &Rule::id)) {
        m_rules = rules;
        Q_EMIT dataChanged(index(0), index(int(rules.size()) - 1));
        return;
    }
    beginResetModel();
    m_rules = rules;
    endResetModel();
}

} // namespace Tacet
