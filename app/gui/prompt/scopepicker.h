// SPDX-License-Identifier: GPL-3.0-or-later
// "How long" and "for what" of an answer.
#pragma once

#include "base/scopechoice.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace Tacet {

class ScopePicker : public QWidget
{
    Q_OBJECT

public:
    explicit ScopePicker(QWidget *parent = nullptr);

    // Fills the lists for a question; the narrowest scope is chosen.
    void setQuestion(const Question &question);
    // After a question expired only rules for the future make sense; for a private session there are none.
    enum class Durations { All, Lasting, OfProcess };
    void setDurations(Durations durations);
    void setDuration(Duration duration);

    Duration duration() const;
    ScopeChoice choice() const;

Q_SIGNALS:
    void changed();

private:
    QComboBox *addCombo(const QString &name, const QString &accessibleName);
    void fillDurations();
    void fillSubjects(const Question &question);
    void fillApps(const Question &question);
    void fillHosts(const Question &question);
    void onDurationChanged();

    Durations m_durations = Durations::All;
    bool m_isChange = false;
    QComboBox *m_duration;
    QComboBox *m_subject;
    QComboBox *m_app;
    QComboBox *m_host;
    QLabel *m_hostTitle;
};

} // namespace Tacet
