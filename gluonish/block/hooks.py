"""Functions that are called before and after a Block's forward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import CallCountError
from gluonish.errors.callables import called

if TYPE_CHECKING:
    from collections import OrderedDict
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self, TypeAlias

    from gluonish.block.block import Block

Hook: TypeAlias = "Callable[..., Any]"


class HookHandle:
    """What registering a hook returns: `detach()` takes the hook away again.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Flatten()
    >>> handle = net.register_forward_hook(lambda block, inputs, output: print(output.shape))
    >>> _ = net(mx.nd.ones((2, 3, 4)))
    (2, 12)
    >>> handle.detach()
    >>> _ = net(mx.nd.ones((2, 3, 4)))
    """

    _counter = 0

    def __init__(self) -> None:
        self._id = 0
        self._hooks: OrderedDict[int, Any] | None = None

    def attach(self, hooks_dict: OrderedDict[int, Any], hook: Callable[..., Any]) -> None:
        """Put a hook into a dictionary of hooks, from which `detach` takes it.

        Raises
        ------
        CallCountError
            The handle has a hook already.
        """
        if self._hooks is not None:
            msg = (
                "HookHandle.attach: The same handle cannot be attached twice. Expected a new one "
                "for each hook. Write HookHandle().attach(hooks, hook)."
            )
            raise CallCountError(msg)
        HookHandle._counter += 1
        self._id = HookHandle._counter
        self._hooks = hooks_dict
        hooks_dict[self._id] = hook

    def detach(self) -> None:
        """Remove the hook."""
        if self._hooks is not None:
            self._hooks.pop(self._id, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.detach()


def attached(hooks: OrderedDict[int, Any], hook: Hook) -> HookHandle:
    """Return a handle of a hook that is put into a dictionary of hooks."""
    handle = HookHandle()
    handle.attach(hooks, hook)
    return handle


_BEFORE = "a function of the Block and a tuple of its inputs. Write lambda block, inputs: ..."
_AFTER = (
    "a function of the Block, a tuple of its inputs, and its output. Write lambda block, inputs, "
    "output: ..."
)


def call_with_hooks(
    block: Block, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a Block's forward between its hooks."""
    for hook in tuple(block._forward_pre_hooks.values()):
        called("register_forward_pre_hook", _BEFORE, hook, block, args)
    output = forward(*args, **kwargs)
    for hook in tuple(block._forward_hooks.values()):
        called("register_forward_hook", _AFTER, hook, block, args, output)
    return output


def is_watched(block: Block) -> bool:
    """Return whether a Block has hooks of its own."""
    return bool(block._forward_hooks or block._forward_pre_hooks)
