// SPDX-License-Identifier: GPL-3.0-or-later
// "Keep files": what a private session wrote, and copying out what the person picks.
#pragma once

#include "base/keeper.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QRadioButton;
class QTreeView;

namespace Tacet {

class ChangesModel;

class KeepDialog : public QDialog
{
    Q_OBJECT

public:
    explicit KeepDialog(const PrivateSession &session, QWidget *parent = nullptr);

    void setSession(const PrivateSession &session);
    // It is over, or the daemon is gone: the window goes too, unless it has a result to tell.
    void sessionGone(const QString &why);
    void takeChanges(quint64 id, const QList<SessionChange> &changes);
    void changesFailed(quint64 id, const DaemonError &error);
    void onCopied(quint64 id, const QByteArray &path);
    void onNotCopied(quint64 id, const QByteArray &path, const DaemonError &error);
    quint64 id() const { return m_session.id; }

public Q_SLOTS:
    void reject() override;

Q_SIGNALS:
    void copyWanted(quint64 id, const QByteArray &path, int file);
    void endRequested(quint64 id);

private:
    void buildTree();
    QWidget *buildPlace();
    QWidget *buildButtons();
    void onFilterChanged();
    void onClicked(const QModelIndex &index);
    void refresh();
    void describe();
    void chooseFolder();
    void keep();
    void askToReplace(const QList<QByteArray> &taken);
    void startKeeper(Keeper::Existing existing);
    void onFinished();
    void end();

    PrivateSession m_session;
    ChangesModel *m_model;
    Keeper *m_keeper = nullptr;
    QLabel *m_text;
    QLineEdit *m_filter;
    QCheckBox *m_hidden;
    QTreeView *m_tree;
    QLabel *m_count;
    QRadioButton *m_original;
    QRadioButton *m_elsewhere;
    QPushButton *m_folder;
    QProgressBar *m_progress;
    QLabel *m_result;
    QPushButton *m_keep = nullptr;
    QPushButton *m_end = nullptr;
    QPushButton *m_close = nullptr;
    QString m_path;     // of the chosen folder
    QVariant m_pressed; // the tick of the row that the button was pressed on
    bool m_loaded = false;
    bool m_gone = false;
    bool m_kept = false;
};

} // namespace Tacet
