# SPDX-License-Identifier: GPL-3.0-or-later
"""backend/contract/generate.py on small contracts: what it writes, and what it refuses."""

import importlib.util
import pathlib

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "backend/contract/generate.py"
SPEC = importlib.util.spec_from_file_location("generate_contract", SCRIPT)
generate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generate)

UAPI = """
enum tacet_action { TACET_ACTION_BLOCK = 1, /* no */ TACET_ACTION_ALLOW, };
enum tacet_sink { TACET_SINK_NETWORK = 1, TACET_SINK_FILE, };
enum tacet_memory_scope { TACET_MEMORY_OFF, TACET_MEMORY_CHOSEN, };
enum tacet_memory_layer { TACET_LAYER_PAGES = 1, TACET_LAYER_HEAP = 8, };
"""
WORDS = """
<annotation name="org.tacet.Contract" value="7"/>
<annotation name="org.tacet.Errors" value="Failed org.freedesktop.DBus.Error.AccessDenied"/>
<annotation name="org.tacet.Words.Verdict" value="allow block"/>
<annotation name="org.tacet.Words.Sink" value="network file"/>
<annotation name="org.tacet.Words.MemoryScope" value="off chosen"/>
<annotation name="org.tacet.Words.MemoryLayer" value="pages heap"/>
<annotation name="org.tacet.Words.Duration" value="once 15min=Minutes15"/>
"""
METHOD = """
<method name="AddAll"><annotation name="org.tacet.Permission" value="{}"/>
<arg name="a" type="s" direction="in"/><arg name="b" type="aa{{sv}}" direction="out"/></method>
"""


@pytest.fixture(name="run")
def fixture_run(tmp_path):
    """Generates from the content of one interface; returns the exit code, codes.h and methods.h."""
    def run(content, uapi=UAPI):
        (tmp_path / "tacet.h").write_text(uapi)
        (tmp_path / "rules.xml").write_text(f'<node><interface name="org.tacet.Tacet1.Rules">{content}</interface></node>')
        names = [str(tmp_path / name) for name in ("codes.h", "methods.h", "tacet.h", "rules.xml")]
        code = generate.main(names)
        return code, *(pathlib.Path(name).read_text() if code == 0 else "" for name in names[:2])
    return run


def test_written(run):
    code, codes, methods = run(WORDS + METHOD.format("- label-remove rule"))
    assert code == 0
    assert "version = 7;" in methods
    assert ('Method add_all{"org.tacet.Tacet1.Rules", "AddAll", "s", "aa{sv}", true, '
            '{"", "org.tacet.tacet1.label-remove", "org.tacet.tacet1.rule"}}') in methods
    assert "enum class Duration : std::uint8_t { Once, Minutes15 };" in codes
    assert '{"org.tacet.Error.Failed", "org.freedesktop.DBus.Error.AccessDenied"}' in codes
    # The kernel's number is not the place of the word.
    assert "case Verdict::Allow:\n        return 2;" in codes
    assert "case MemoryLayer::Heap:\n        return 8;" in codes


def test_unchanged_file_is_not_written(run, tmp_path):
    run(WORDS + METHOD.format("read"))
    before = (tmp_path / "codes.h").stat().st_mtime_ns
    changed = (tmp_path / "methods.h").read_text()
    run(WORDS + METHOD.format("anybody"))
    assert (tmp_path / "codes.h").stat().st_mtime_ns == before
    assert (tmp_path / "methods.h").read_text() != changed


@pytest.mark.parametrize("content, uapi, words", [
    (WORDS + "<method name='Add'/>", UAPI, "Rules.Add has no org.tacet.Permission"),
    (WORDS + METHOD.format("rule rule"), UAPI, "three actions"),
    (WORDS.replace("allow block", "allow"), UAPI, "Verdict and TACET_ACTION_* differ"),
    (WORDS, UAPI.replace("TACET_SINK_FILE", "TACET_SINK_DEVICE"), "Sink and TACET_SINK_* differ"),
    (WORDS.replace("allow block", "allow allow"), UAPI, "has a word twice"),
    (WORDS.replace("Words.Sink", "Words.Other"), UAPI, "no words for ['Sink']"),
    (METHOD.format("read") + WORDS.replace("org.tacet.Contract", "org.tacet.Nothing"), UAPI, "Contract stands in 0"),
])
def test_refused(run, capsys, content, uapi, words):
    code, *_ = run(content, uapi)
    assert code == 1 and words in capsys.readouterr().err
