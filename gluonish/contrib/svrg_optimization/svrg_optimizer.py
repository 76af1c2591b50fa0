"""Optimizers of an SVRGModule: the one it was given, beside one that keeps what it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.optimizer import Optimizer, create, register

if TYPE_CHECKING:
    from gluonish.array import NDArray

# Arguments of every optimizer; the others are those of the one that is wrapped.
_SHARED = (
    "begin_num_update", "clip_gradient", "learning_rate", "lr_scheduler", "multi_precision",
    "param_dict", "param_idx2name", "rescale_grad", "sym", "wd",
)  # fmt: skip

_SUMS = "full"  # in the names of what a store keeps the sums of gradients by


@register
class _AssignmentOptimizer(Optimizer):
    """Writes gradients into weights, as they are: a store then holds their sums."""

    @override
    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        weight[:] = grad


@register
class _SVRGOptimizer(Optimizer):
    """Updates weights by another optimizer; those named `..._full` become their gradients.

    Parameters
    ----------
    default_optimizer : str or Optimizer
        The other one; it is created with all further arguments if it is a name.
    **kwargs
        Arguments of `Optimizer`, and of the other one.
    """

    def __init__(self, default_optimizer: str | Optimizer, **kwargs: Any) -> None:
        super().__init__(**{name: kwargs[name] for name in _SHARED if name in kwargs})
        self.default_opt = (
            create(default_optimizer, **kwargs)
            if isinstance(default_optimizer, str)
            else default_optimizer
        )
        self.aux_opt = create(_AssignmentOptimizer.__name__)

    @override
    def create_state(self, index: Any, weight: NDArray) -> Any:
        return self._for(index).create_state(index, weight)

    @override
    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        self._for(index).update(index, weight, grad, state)

    def _for(self, index: Any) -> Optimizer:
        """Return the optimizer of a weight, which is known by its number or its name."""
        name = str(self.idx2name.get(index, index))
        return self.aux_opt if _SUMS in name else self.default_opt
