// SPDX-License-Identifier: GPL-3.0-or-later
// "Run privately": which program, and how.
#pragma once

#include "base/privatestart.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace Tacet {

class BoxFields;
class ProgramsModel;

class LauncherDialog : public QDialog
{
    Q_OBJECT

public:
    explicit LauncherDialog(const QList<Program> &programs, QWidget *parent = nullptr);

    PrivateOptions options() const;
    void setUsable(bool usable);
    // The boxes that the person has.
    void setBoxes(const QStringList &names);

Q_SIGNALS:
    void chosen(const Tacet::PrivateCommand &command, const Tacet::PrivateOptions &options);
    // A program or document that is in no menu.
    void filesChosen(const QStringList &files, const Tacet::PrivateOptions &options);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildList();
    QWidget *buildOptions();
    QWidget *buildButtons();
    void onSearched(const QString &text);
    void onSelected();
    void onStoreChosen();
    void onScreenReaderChosen(bool chosen);
    bool hasBox() const;
    void refreshRun();
    void run();
    void chooseFile();

    ProgramsModel *m_model;
    QLineEdit *m_search;
    QTreeView *m_list;
    QLabel *m_nothing;
    QCheckBox *m_network;
    QCheckBox *m_audio;
    QCheckBox *m_sshAgent;
    QCheckBox *m_screenReader;
    QCheckBox *m_keep;
    QCheckBox *m_always;
    QComboBox *m_store;
    BoxFields *m_box;
    QPushButton *m_run = nullptr;
    QPushButton *m_other = nullptr;
    bool m_usable = true;
};

} // namespace Tacet
