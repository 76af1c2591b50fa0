"""Functions that are called before and after a Block's forward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

    def __init__(self, hooks: OrderedDict[int, Hook], hook: Hook) -> None:
        HookHandle._counter += 1
        self._id = HookHandle._counter
        self._hooks = hooks
        hooks[self._id] = hook

    def detach(self) -> None:
        """Remove the hook."""
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


def call_with_hooks(
    block: Block, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a Block's forward between its hooks."""
    for hook in tuple(block._forward_pre_hooks.values()):
        hook(block, args)
    output = forward(*args, **kwargs)
    for hook in tuple(block._forward_hooks.values()):
        hook(block, args, output)
    return output


def is_watched(block: Block) -> bool:
    """Return whether a Block has hooks of its own."""
    return bool(block._forward_hooks or block._forward_pre_hooks)
