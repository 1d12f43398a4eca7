"""The maximum of the Bradley-Terry likelihood, for one table of wins or for many at once."""

import numpy as np

from hearts_sim.stats._clusters import Floats

_MAX_STEPS = 500
_STEP_TOLERANCE = 1e-9


class ConvergenceError(RuntimeError):
    """Newton's method did not reach the maximum of the likelihood.

    Attributes
    ----------
    iterations : int
        Steps taken.
    gradient : float
        Largest element of the gradient where it stopped, in comparisons.
    """

    def __init__(self, iterations: int, gradient: float) -> None:
        self.iterations = iterations
        self.gradient = gradient
        super().__init__(iterations, gradient)

    def __str__(self) -> str:
        """Say how far it came."""
        return (
            f"Bradley-Terry fit not converged after {self.iterations} iterations, "
            f"largest gradient {self.gradient:.3g}"
        )


def maximize(wins: Floats, precision: float) -> tuple[Floats, Floats]:
    """Return the log strengths (mean 0) and the inverse of the negative Hessian among contrasts.

    Element (i, j) of `wins` is how often i finished ahead of j; `precision` is 1 / standard
    deviation of the prior on each log strength.

    A Newton step shortened until it changes no difference of two strengths by more than 1 cannot
    lower this likelihood, so no line search is needed: Bach (2010), "Self-concordant analysis for
    logistic regression", Electronic Journal of Statistics 4, 384-414.
    """
    size = wins.shape[0]
    theta = np.zeros(size)
    if not size:
        return theta, np.zeros((0, 0))
    games = wins + wins.T
    rounding = _rounding(games)
    for _ in range(_MAX_STEPS):
        gradient, hessian = _derivatives(wins, games, theta, precision)
        inverse = _invert_among_contrasts(hessian)
        step = inverse @ gradient
        length = float(np.ptp(step))
        if length <= _STEP_TOLERANCE or np.all(np.abs(gradient) <= rounding):
            return _tie_twins(wins, theta + step - np.mean(theta + step)), inverse
        theta += step / max(length, 1.0)
    raise ConvergenceError(_MAX_STEPS, float(np.abs(gradient).max()))


def maximize_many(wins: Floats, precision: float, start: Floats) -> Floats:
    """Return the log strengths (mean 0) of each of many tables, shape (tables, k).

    The same steps as `maximize`, for all tables together from a common start; a table that has
    converged takes no further part. The prior must be a proper one: in a resampled table anybody
    may be undefeated, or absent.
    """
    theta = np.tile(start - start.mean(), (wins.shape[0], 1))
    active = np.arange(wins.shape[0])
    games = wins + np.swapaxes(wins, 1, 2)
    rounding = _rounding(games)
    for _ in range(_MAX_STEPS):
        gradient, hessian = _derivatives(wins, games, theta[active], precision)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        step -= step.mean(axis=1, keepdims=True)
        length = np.ptp(step, axis=1)
        done = (length <= _STEP_TOLERANCE) | np.all(np.abs(gradient) <= rounding, axis=1)
        theta[active] += step / np.maximum(length, 1.0)[:, None]
        if done.all():
            return theta
        if done.any():
            going = ~done
            active, wins, games, rounding = (
                kept[going] for kept in (active, wins, games, rounding)
            )
    raise ConvergenceError(_MAX_STEPS, float(np.abs(gradient).max()))


def _rounding(games: Floats) -> Floats:
    """Return the size of gradient that is nothing but rounding, for each entry."""
    smallest: Floats = 4.0 * np.finfo(np.float64).eps * games.sum(axis=-1)
    return smallest


def _derivatives(
    wins: Floats, games: Floats, theta: Floats, precision: float
) -> tuple[Floats, Floats]:
    """Gradient and negative Hessian of the log likelihood with the prior, of one table or many."""
    from scipy.special import expit  # type: ignore[import-untyped, unused-ignore]

    expected = expit(theta[..., :, None] - theta[..., None, :])
    gradient = (wins - games * expected).sum(axis=-1) - precision**2 * theta
    hessian = -games * expected * np.swapaxes(expected, -1, -2)
    diagonal = np.arange(theta.shape[-1])
    hessian[..., diagonal, diagonal] = 0.0
    hessian[..., diagonal, diagonal] = precision**2 - hessian.sum(axis=-1)
    return gradient, hessian


def _invert_among_contrasts(hessian: Floats) -> Floats:
    """Invert on vectors that sum to 0; without a prior there is no inverse on the others."""
    size = hessian.shape[0]
    scale = float(np.diagonal(hessian).max()) or 1.0
    inverse = np.linalg.inv(hessian + scale / size)
    contrasts: Floats = inverse - inverse.mean(axis=0)
    return contrasts


def _tie_twins(wins: Floats, theta: Floats) -> Floats:
    """Give entries with the same record against everybody the same strength, to the last bit.

    The maximum is unique, so if swapping two entries leaves the counts as they are, their
    strengths are equal; solving the equations leaves a difference of rounding errors.
    """
    theta = theta.copy()
    won = wins.sum(axis=1)
    tied = np.zeros(theta.size, dtype=np.bool_)
    for i in range(theta.size):
        if tied[i]:
            continue
        for j in i + 1 + np.flatnonzero(won[i + 1 :] == won[i]):
            swapped = np.arange(theta.size)
            swapped[i], swapped[j] = j, i
            if np.array_equal(wins[i], wins[j, swapped]) and np.array_equal(
                wins[:, i], wins[swapped, j]
            ):
                theta[j] = theta[i]
                tied[j] = True
    return theta
