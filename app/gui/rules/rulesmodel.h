// SPDX-License-Identifier: GPL-3.0-or-later
// The rules as sentences.
#pragma once

#include "base/rule.h"

#include <QAbstractListModel>

namespace Tacet {

class RulesModel : public QAbstractListModel
{
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

    void setRules(const QList<Rule> &rules);
    const Rule &rule(int row) const { return m_rules.at(row); }

private:
    QString text(const Rule &rule) const;

    QList<Rule> m_rules;
};

} // namespace Tacet
