// SPDX-License-Identifier: GPL-3.0-or-later
// Which box a private session uses: its name and its passphrase, twice for a new one.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace Tacet {

class BoxFields : public QWidget
{
    Q_OBJECT

public:
    explicit BoxFields(QWidget *parent = nullptr);

    // The boxes that the person has.
    void setBoxes(const QStringList &names);
    QString name() const;
    QByteArray passphrase() const;
    // Returns what is still wrong; empty: all is there.
    QString problem() const;

Q_SIGNALS:
    void changed();

private:
    bool isNew() const;
    void refresh();

    QStringList m_boxes;
    QComboBox *m_name;
    QLineEdit *m_passphrase;
    QLabel *m_againLabel;
    QLineEdit *m_again;
    QLabel *m_problem;
};

} // namespace Tacet
