// SPDX-License-Identifier: GPL-3.0-or-later
// The page in place of an empty list: it tells what the list is for, and the first step.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace Tacet {

class EmptyPage : public QWidget
{
    Q_OBJECT

public:
    // step is the text of the button for the first step; empty: none.
    EmptyPage(const QString &title, const QString &text, const QString &step, QWidget *parent = nullptr);

    // Why nothing is known of the list; empty: it is known to be empty.
    void setUnknown(const QString &why);

Q_SIGNALS:
    void stepRequested();

private:
    QString m_title;
    QString m_text;
    QLabel *m_heading;
    QLabel *m_explanation;
    QPushButton *m_step;
};

} // namespace Tacet
