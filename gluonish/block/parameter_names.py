"""The private names of MXNet's parameters that programs read, write and override."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from typing_extensions import override

from gluonish import autograd
from gluonish.array.gradients import drop_gradient
from gluonish.block.parameter_refusals import not_there
from gluonish.context import Context, current_context
from gluonish.errors import TrainerError
from gluonish.hybrid import ChangeCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.block.parameter import Parameter


_LOOKED_UP = frozenset({"_check_and_get", "_data", "_grad"})
_READ = _LOOKED_UP | {"data", "grad", "list_data", "list_grad"}


class _Listed(list["NDArray"]):
    """A parameter's arrays, or gradients; what is put among them becomes the parameter's own."""

    def __init__(self, param: Any, name: str, arrays: Iterable[NDArray]) -> None:
        super().__init__(arrays)
        self._param, self._name = param, name

    @override
    def __setitem__(self, place: Any, array: Any) -> None:
        super().__setitem__(place, array)
        setattr(self._param, self._name, list(self))


class PrivateNames:
    """What MXNet's `Parameter` keeps under private names, made of what ours keeps."""

    name: str
    overridden: ClassVar[frozenset[str]] = frozenset()
    """Which methods a program's own class defines, instead of those here."""

    is_read_by_methods: ClassVar[bool] = False
    """Whether these have a part in reading values or gradients, which nothing may go past."""

    _looks_up = False
    _arrays: dict[Context, NDArray]
    _grad_req: str
    _inferred_from: str | None = None
    _fresh: tuple[tuple[Any, ...], list[tuple[Tensor, int]]] | None = None
    _noted_contexts: list[Context] | None = None
    _noted_places: list[list[int | None]] | None = None

    @override
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = [one for one in cls.__mro__ if one.__module__.partition(".")[0] != "gluonish"]
        cls.overridden = frozenset(name for one in own[:-1] for name in one.__dict__)
        cls.is_read_by_methods = not _READ.isdisjoint(cls.overridden)
        cls._looks_up = not _LOOKED_UP.isdisjoint(cls.overridden)

    _stype: str
    _trainer: Any = None

    def _set_trainer(self, trainer: Any) -> None:
        """Note the Trainer that updates the parameter; None forgets it.

        Raises
        ------
        TrainerError
            Rows are updated by another one.
        """
        is_other = None not in (self._trainer, trainer) and self._trainer is not trainer
        if is_other and self._stype != "default":
            msg = (
                f"Failed to set the trainer for Parameter {self.name!r} because it was already "
                f"set. More than one trainers for a {self._stype} Parameter is not supported. "
                f"Use the first Trainer, or call param._set_trainer(None) before."
            )
            raise TrainerError(msg)
        self._trainer = trainer

    def _gradients(self) -> list[NDArray | None]:
        return [array.grad for array in self._arrays.values()]

    @property
    def _data(self) -> list[NDArray] | None:
        return _Listed(self, "_data", self._arrays.values()) or None

    @_data.setter
    def _data(self, arrays: Sequence[NDArray] | None) -> None:
        ChangeCounts.structure_changed()
        self._arrays = {array.context: array for array in arrays or ()}

    @property
    def _grad(self) -> list[NDArray] | None:
        if not self._arrays or self._grad_req == "null":
            return None
        found = (gradient for gradient in self._gradients() if gradient is not None)
        return _Listed(self, "_grad", found)

    @_grad.setter
    def _grad(self, gradients: Sequence[NDArray] | None) -> None:
        if gradients is None:
            for array in self._arrays.values():
                drop_gradient(array)
        else:
            arrays = list(self._arrays.values())
            autograd.mark_variables(arrays, list(gradients), self._grad_req)

    @property
    def _ctx_list(self) -> list[Context] | None:
        return list(self._arrays) or self._noted_contexts

    @_ctx_list.setter
    def _ctx_list(self, contexts: list[Context] | None) -> None:
        """Take a note for a program that asks before it sets `_data`, whose arrays then tell."""
        self._noted_contexts = contexts

    @property
    def _ctx_map(self) -> list[list[int | None]] | None:
        """Places in `_data` by kind of device, then by its number, as MXNet has them."""
        if not self._arrays:
            return self._noted_places
        places: list[list[int | None]] = [[], []]
        for place, ctx in enumerate(self._arrays):
            kind = places[ctx.device_typeid & 1]
            kind += [None] * (ctx.device_id + 1 - len(kind))
            kind[ctx.device_id] = place
        return places

    @_ctx_map.setter
    def _ctx_map(self, places: list[list[int | None]] | None) -> None:
        """Take a note, as for `_ctx_list`."""
        self._noted_places = places

    def _check_and_get(self, arr_list: list[NDArray] | None, ctx: Any) -> Any:
        """Return one array of a list by context, or all (`ctx=list`), as MXNet's helper does."""
        if arr_list is None:
            raise not_there(cast("Parameter", self), None)
        if ctx is list:
            return arr_list
        if ctx is None and len(arr_list) == 1:
            return arr_list[0]
        wanted = current_context() if ctx is None else ctx
        if wanted not in self._arrays and wanted.device_type in ("cpu_pinned", "cpu_shared"):
            wanted = Context("cpu", wanted.device_id)
        if wanted not in self._arrays:
            raise not_there(cast("Parameter", self), wanted)
        return arr_list[list(self._arrays).index(wanted)]
