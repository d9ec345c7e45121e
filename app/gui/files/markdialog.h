// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what kind of sensitive data some files hold.
#pragma once

#include <QDialog>

class QComboBox;

namespace Tacet {

class MarkDialog : public QDialog
{
    Q_OBJECT

public:
    explicit MarkDialog(const QStringList &paths, QWidget *parent = nullptr);

    QString category() const;

private:
    QComboBox *m_category;
};

} // namespace Tacet
