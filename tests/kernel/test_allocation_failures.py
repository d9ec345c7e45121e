# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory that is refused while labelled data is read, passed on and sent: nothing leaks, hangs or upsets the kernel. Only on the
sanitized kernel (conftest.py): no other injects failures."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import leaks

INJECT = """
# Allocations of the victims fail with this probability: below the module's own code, or "everywhere".
fail() {
    local start=0 end=0xffffffffffffffff kind base size
    if [[ ${2:-} != everywhere ]]; then
        read -r base size < <(awk '$1 == "tacet" { print $6, $2 }' /proc/modules)
        start=$base end=$(printf '0x%x' $((base + size)))
    fi
    for kind in failslab fail_page_alloc; do
        (
            cd /sys/kernel/debug/$kind
            echo Y > task-filter; echo N > ignore-gfp-wait; echo -1 > times; echo 1 > verbose
            echo 32 > stacktrace-depth; echo $start > require-start; echo $end > require-end
            [[ $kind == failslab ]] || { echo N > ignore-gfp-highmem; echo 0 > min-order; }
            echo $1 > probability
        )
    done
}
limit=$((30 * ${TACET_SLOWNESS:-1}))
bounded() {
    local began=$SECONDS
    timeout -s KILL $limit bash -c "$1" 2>/dev/null
    ((SECONDS - began < limit)) || echo "hung: $1" >&2
}
victim() { bounded "echo 1 > /proc/self/make-it-fail; $1"; }
failing() { bounded "echo $1 > /proc/self/fail-nth; exec $2"; }
injected() { echo "injected $(dmesg | grep -c 'FAULT_INJECTION: forcing a failure')"; }
dmesg -c > /dev/null
"""

# The numbers of the allocations that fail: all of the first ones, and only some of the later ones, where the kernel copies a process.
COUNTS = "{1..50} {57..400..7}"
ONE_FAILS = INJECT + """
fail 0
for n in COUNTS; do
    failing $n 'leak TRIGGER OUTPUT secret'
    failing $n 'leak TRIGGER stdout secret' > copy
    nc remote 9 < copy
    rm copy
done
injected
"""
# A process reads files with two labels and writes both into one file, which must get both labels.
UNION = INJECT + """
cp secret plain; agent unlabel plain; agent label-as 2 plain
fail 0
for n in COUNTS; do
    failing $n 'cat plain secret' > copy
    # The sizes tell how many were copied. Reading the files would trigger questions.
    copied=$(($(stat -c %s copy) / $(stat -c %s secret))) labels=$(agent show copy)
    ((copied <= labels)) || echo "copied $copied, labelled $labels"
    rm copy
done
injected
""".replace("COUNTS", COUNTS)
RANDOM = INJECT + """
fail PROBABILITY
for i in {1..20}; do
    victim 'exec leak read write secret'
    victim 'leak thread write secret'
    victim 'exec leak mmap-shared sendmsg secret'
    victim 'cat secret | cat | nc remote 9'
    victim 'cat secret > copy'
    nc remote 9 < copy
    victim 'cp secret other; nc remote 9 < other'
    nc remote 9 < other
    rm -f copy other
done
fail 0
injected
"""


def each(trigger, output="write", counts=COUNTS):
    """One allocation at a time fails, in the original."""
    script = ONE_FAILS.replace("TRIGGER", trigger).replace("OUTPUT", output).replace("COUNTS", counts)
    return Case(f"each-{trigger}-{output}", script, timeout=120)


# The child is forked when there is a doppelganger already. So the first allocations are those of "read" and are left out.
EACH = [*map(each, ("read", "mmap-private", "thread", "splice")), each("read", "child", "{100..900..8}")]


def at_random(name, probability):
    """Allocations fail at random, in both halves."""
    return Case(f"random-{name}", RANDOM.replace("PROBABILITY", probability), timeout=180)


@pytest.mark.parametrize("case", [*EACH, at_random("module", "10"), at_random("seldom", "2"),
                                  at_random("everywhere", "2 everywhere")], ids=str)
def test_nothing_leaks(case, outcome):
    assert not leaks(outcome.received), f"LEAK\n{outcome.describe()}"
    assert "hung: " not in outcome.output and outcome.status == 0, outcome.describe()
    assert "injected " in outcome.output and "injected 0\n" not in outcome.output, outcome.describe()


@pytest.mark.parametrize("case", [Case("union", UNION, timeout=120)], ids=str)
def test_label_is_never_too_small(case, outcome):
    assert "copied" not in outcome.output and outcome.status == 0, outcome.describe()
    assert "injected " in outcome.output and "injected 0\n" not in outcome.output, outcome.describe()


@pytest.mark.parametrize("case", [each("read")], ids=str)
def test_failures_cost_the_doppelganger(case, outcome):
    """Early failures taint. Late ones do not, because by then everything has been allocated."""
    assert 0 < len(outcome.tainted) < 200, outcome.describe()
