"""Half widths of confidence intervals."""

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


@overload
def half_width(se: float, df: float, confidence: float = ...) -> float: ...
@overload
def half_width(
    se: ArrayLike, df: ArrayLike, confidence: float = ...
) -> float | NDArray[np.float64]: ...
def half_width(
    se: ArrayLike, df: ArrayLike, confidence: float = 0.95
) -> float | NDArray[np.float64]:
    """Half the width of a two-sided Student t interval.

    Parameters
    ----------
    se : array_like
        Standard error, in any unit.
    df : array_like
        Degrees of freedom, broadcast against `se`; ``inf`` gives the normal interval.
    confidence : float
        Coverage of the interval, between 0 and 1.

    Returns
    -------
    float or ndarray of float64
        In the unit of `se`, a float when both arguments are scalars. Infinite where `df` is
        below 1, whatever the standard error: a single observation says nothing about its spread.

    Raises
    ------
    ValueError
        `confidence` is not strictly between 0 and 1.

    References
    ----------
    Student (1908), "The probable error of a mean", Biometrika 6(1), 1-25.

    Examples
    --------
    >>> round(half_width(1.0, 9), 3)
    2.262
    >>> half_width(0.0, 0)
    inf
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

    if not 0.0 < confidence < 1.0:
        msg = f"confidence must lie between 0 and 1, got {confidence!r}"
        raise ValueError(msg)
    errors, freedom = np.broadcast_arrays(
        np.asarray(se, dtype=np.float64), np.asarray(df, dtype=np.float64)
    )
    known = freedom >= 1.0
    width = np.full(errors.shape, np.inf)
    width[known] = errors[known] * stdtrit(freedom[known], (1.0 + confidence) / 2.0)
    return float(width) if width.ndim == 0 else width
