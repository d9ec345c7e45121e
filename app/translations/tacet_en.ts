<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>StatusWords</name>
    <message numerus="yes">
        <source>%n question(s) waiting for your answer</source>
        <translation>
            <numerusform>%n question waiting for your answer</numerusform>
            <numerusform>%n questions waiting for your answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n private session(s)</source>
        <translation>
            <numerusform>%n private session</numerusform>
            <numerusform>%n private sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::Countdown</name>
    <message numerus="yes">
        <source>Blocked in %n second(s) unless you answer.</source>
        <translation>
            <numerusform>Blocked in %n second unless you answer.</numerusform>
            <numerusform>Blocked in %n seconds unless you answer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::FilesPage</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Should %n file(s) no longer be sensitive?</source>
        <translation>
            <numerusform>Should %n file no longer be sensitive?</numerusform>
            <numerusform>Should %n files no longer be sensitive?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::KeepDialog</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Show settings and caches too (%n)</source>
        <translation>
            <numerusform>&amp;Show settings and caches too (%n)</numerusform>
            <numerusform>&amp;Show settings and caches too (%n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) selected, %1</source>
        <translation>
            <numerusform>%n file selected, %1</numerusform>
            <numerusform>%n files selected, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) exist already. Replace them?</source>
        <translation>
            <numerusform>%n file exists already. Replace it?</numerusform>
            <numerusform>%n files exist already. Replace them?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) kept</source>
        <translation>
            <numerusform>%n file kept</numerusform>
            <numerusform>%n files kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left as they were</source>
        <translation>
            <numerusform>%n left as it was</numerusform>
            <numerusform>%n left as they were</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not copied, as you cancelled</source>
        <translation>
            <numerusform>%n not copied, as you cancelled</numerusform>
            <numerusform>%n not copied, as you cancelled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n failed:</source>
        <translation>
            <numerusform>%1, %n failed:</numerusform>
            <numerusform>%1, %n failed:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::MainWindow</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be marked as sensitive.</source>
        <translation>
            <numerusform>%n file could not be marked as sensitive.</numerusform>
            <numerusform>%n files could not be marked as sensitive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are still sensitive.</source>
        <translation>
            <numerusform>%n file is still sensitive.</numerusform>
            <numerusform>%n files are still sensitive.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::MarkDialog</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mark %n file(s) as sensitive:</source>
        <translation>
            <numerusform>Mark %n file as sensitive:</numerusform>
            <numerusform>Mark %n files as sensitive:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::PreviewPane</name>
    <message numerus="yes">
        <source>%n differing byte(s) highlighted.</source>
        <translation>
            <numerusform>%n differing byte is highlighted.</numerusform>
            <numerusform>%n differing bytes are highlighted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::PromptWindow</name>
    <message numerus="yes">
        <source>Apply to %n similar</source>
        <translation>
            <numerusform>Apply to %n similar question</numerusform>
            <numerusform>Apply to %n similar questions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more question(s) waiting.</source>
        <translation>
            <numerusform>%n more question is waiting.</numerusform>
            <numerusform>%n more questions are waiting.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::RulesModel</name>
    <message numerus="yes">
        <source>used %n time(s)</source>
        <translation>
            <numerusform>used %n time</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::SessionCoordinator</name>
    <message numerus="yes">
        <source>%n file(s) could not be opened privately.</source>
        <translation>
            <numerusform>%n file could not be opened privately.</numerusform>
            <numerusform>%n files could not be opened privately.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::SessionsPage</name>
    <message numerus="yes">
        <source>End %n private session(s)?</source>
        <translation>
            <numerusform>End %n private session?</numerusform>
            <numerusform>End %n private sessions?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tacet::TrayActions</name>
    <message numerus="yes">
        <source>For %n minute(s), until %1</source>
        <translation>
            <numerusform>For %n minute, until %1</numerusform>
            <numerusform>For %n minutes, until %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s)…</source>
        <translation>
            <numerusform>%n question…</numerusform>
            <numerusform>%n questions…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
</context>
</TS>
