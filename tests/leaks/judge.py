# SPDX-License-Identifier: GPL-3.0-or-later
"""What must come of a row of the catalogues."""


def assert_blocked(case, outcome):
    """Somebody was asked, and nothing of the secret arrived."""
    assert outcome.questions, f"nobody was asked\n{outcome.describe()}"
    assert_refused(case, outcome)


def assert_refused(case, outcome):
    """Nothing of the secret arrived."""
    assert not case.shown_by(outcome.received), f"LEAK\n{outcome.describe()}"
    assert case.may_pass(outcome.received), f"something was sent\n{outcome.describe()}"


def assert_leaks(case, outcome):
    """Without the label the secret arrives, and nobody is asked."""
    assert case.shown_by(outcome.received), f"the secret did not arrive\n{outcome.describe()}"
    assert not outcome.questions, f"asked without cause\n{outcome.describe()}"
