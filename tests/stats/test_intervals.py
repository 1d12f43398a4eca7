"""Half widths, and what importing the package costs."""

import math
import subprocess
import sys

import numpy as np
import pytest

from hearts_sim.stats import half_width

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("df", "confidence", "quantile"),
    [
        pytest.param(1, 0.95, 12.706, id="one-degree"),
        pytest.param(9, 0.95, 2.262, id="nine-degrees"),
        pytest.param(9, 0.99, 3.250, id="wider-confidence"),
        pytest.param(math.inf, 0.95, 1.960, id="normal"),
    ],
)
def test_agrees_with_printed_t_tables(df: float, confidence: float, quantile: float) -> None:
    """The width is the standard error times the quantile of printed t tables."""
    assert half_width(2.0, df, confidence) == pytest.approx(2.0 * quantile, abs=1e-3)


def test_is_infinite_without_a_degree_of_freedom() -> None:
    """No degree of freedom means no bound, even when the standard error is 0, inf or nan."""
    se = [0.0, 1.0, np.inf, np.nan, 0.0]

    assert half_width(se, [0, 0, 0, 0, -1]).tolist() == [np.inf] * 5
    assert half_width(0.0, 0) == np.inf


def test_zero_error_gives_zero_width() -> None:
    """A standard error of 0 with enough blocks is a width of exactly 0."""
    assert half_width(0.0, 5) == 0.0


def test_broadcasts() -> None:
    """A matrix of errors and one number of degrees give a matrix of widths."""
    assert half_width(np.ones((2, 3)), 9).shape == (2, 3)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5, math.nan])
def test_refuses_a_confidence_that_is_no_probability(confidence: float) -> None:
    """A confidence given in percent, or a certainty, is an error that names the value."""
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        half_width(1.0, 9, confidence)


def test_importing_the_package_leaves_scipy_stats_out() -> None:
    """scipy.stats and pandas take long to import, and the package does without."""
    code = (
        "import sys, hearts_sim.stats; "
        "print(sorted({'scipy.stats', 'pandas', 'numba'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
