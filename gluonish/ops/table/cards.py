"""What an operator's card says beside names and inputs: one group of facts for each who asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

Given: TypeAlias = Mapping[str, Any]
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Graph(NamedTuple):
    """What graphs, and the files that hold them, know of an operator.

    Parameters
    ----------
    needed : tuple of str
        Arguments that graphs need, beside those without default value.
    initial : dict of str to str
        What variables for its inputs start with, as the attribute `__init__` says it.
    own_dtypes : tuple of str
        Inputs whose dtypes follow from no other array.
    float32 : tuple of str
        Inputs that are float32 whatever the others are.
    outputs : int or callable
        How many outputs MXNet counts, where that is more than a graph can use; a rule for its
        arguments (a dictionary) where that depends on them.
    names_input : bool
        Whether monitors call its one input `data`, not `input0`.
    is_loss : bool
        Whether its gradient is its own, whatever is computed from its result.
    keeps_open : bool
        Whether lengths of its result are unknown where the array's are, although it takes only
        arrays that are long enough.
    label : str
        The input that its gradient depends on, and its result does not; empty if there is none.
    written : dict of str to str
        For functions that MXNet has in Python, and which pass all of their arguments on: what they
        write where an argument is not given, by front end (for methods with `_method`) and name.
    unwritten : tuple of str
        Arguments of such functions that they do not pass on.
    hint : str or dict of str to str
        What names of nodes begin with in np and npx, if not with the operator's name there; for
        some of its names alone, by name.
    parts : callable, optional
        Rule that names the parts of its list of inputs for its arguments, as files write them
        (a dictionary); nothing where they are alike.
    modernize : callable, optional
        Changes the arguments (a dictionary) that a file of an older version of MXNet has; it
        receives the version, 904 for 0.9.4, and them.
    dtypes : callable, optional
        Rule for dtypes that are not those of the first input: it receives the inputs' names, the
        other arguments and the inputs' dtypes, None where they are not known, and returns those of
        inputs and of outputs, as far as it knows them.
    auxiliary : callable, optional
        Rule for which of its list of inputs are auxiliary states: it receives how many inputs there
        are, and returns their positions.
    stands_for : callable, optional
        Finds the operator that graphs have in its place: it receives its arguments (a dictionary)
        and returns that operator's entry in the table.
    """

    needed: tuple[str, ...] = ()
    initial: Mapping[str, str] = _NOTHING
    own_dtypes: tuple[str, ...] = ()
    float32: tuple[str, ...] = ()
    outputs: int | Callable[[Given], int] = 0
    names_input: bool = False
    is_loss: bool = False
    keeps_open: bool = False
    label: str = ""
    written: Mapping[str, str] = _NOTHING
    unwritten: tuple[str, ...] = ()
    hint: str | Mapping[str, str] = ""
    parts: Callable[[Mapping[str, str]], Sequence[str]] | None = None
    modernize: Callable[[int, dict[str, str]], None] | None = None
    dtypes: Callable[[Sequence[str], Given, Sequence[Any]], tuple[list[Any], list[Any]]] | None = (
        None
    )
    auxiliary: Callable[[int], Sequence[int]] | None = None
    stands_for: Callable[[Given], Any] | None = None

    def counted(self, arguments: Given) -> int:
        """Return how many outputs MXNet counts for some arguments; 0 if no more than graphs use."""
        return self.outputs if isinstance(self.outputs, int) else self.outputs(arguments)


def both(name: str, text: str, **facts: Any) -> Graph:
    """Return a `Graph` by which NumPy's function and method of a name write the same."""
    return Graph(written={f"np.{name}": text, f"np_method.{name}": text}, **facts)


class Picture(NamedTuple):
    """What pictures and tables of networks show of an operator, under its first name.

    Parameters
    ----------
    family : str
        What it is coloured as: `weights`, `statistics`, `activation`, `pooling` or `shape`.
    label : callable, optional
        Rule for what stands below its name: it receives the arguments that were given.
    parameters : callable, optional
        Rule for how many parameters it has: it receives its arguments, the number of features of
        what it reads, and its output's shape, () if that is not known.
    """

    family: str = ""
    label: Callable[[Given], str] | None = None
    parameters: Callable[[Given, int, tuple[int, ...]], int] | None = None


class Sparse(NamedTuple):
    """What an operator does with arrays that store rows or single elements alone.

    Parameters
    ----------
    rule : str
        How it computes with what they store (`gluonish.ndarray.sparse_rules` has the words); by
        default with dense arrays in their place, for `refuses` not at all.
    names : tuple of str
        What `mx.nd.sparse` and `mx.sym.sparse` call it.
    functions : tuple of str
        What `mx.nd.sparse` calls it besides.
    """

    rule: str = ""
    names: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


class Precision(NamedTuple):
    """What mixed precision computes an operator in, as MXNet's lists have it.

    A dtype is told by one word: `low`, `full` (float32), `either` (that of what it is given),
    `widest` (of what it is given), or nothing where no list has the operator.

    Parameters
    ----------
    float16 : str
        With float16 as the low precision.
    bfloat16 : str, optional
        With bfloat16; by default as for float16, but `full` for `either`, as MXNet has few kernels.
    when : dict of str to tuple of str
        Arguments, with the values that have it computed in float32.
    like : str
        For an operator that MXNet does not have, the one that it stands for.
    others : dict of str to Precision
        Names of MXNet's that are listed otherwise, or that are not the operator's.
    parameters : tuple of str
        Inputs that stay in float32 beside bfloat16; the data has no name.
    loss : int
        Its place among the losses that MXNet lists, from 1; 0 if it is none of them.
    is_cast : bool
        Whether it is a cast that mixed precision puts into graphs, and files leave out.
    """

    float16: str = ""
    bfloat16: str | None = None
    when: Mapping[str, tuple[str, ...]] = _NOTHING
    like: str = ""
    others: Mapping[str, Precision] = _NOTHING
    parameters: tuple[str, ...] = ()
    loss: int = 0
    is_cast: bool = False

    def in_(self, dtype: str) -> str:
        """Return the word for `float16` or `bfloat16`."""
        if dtype == "float16":
            return self.float16
        if self.bfloat16 is not None:
            return self.bfloat16
        return "full" if self.float16 == "either" else self.float16


class Quantized(NamedTuple):
    """What quantized networks have in an operator's place.

    Parameters
    ----------
    name : str
        The operator on integers, as files call it; empty if there is none.
    when : callable, optional
        Rule for the arguments for which that exists; by default for all.
    role : str
        What it is in a layer that is computed at once: `product`, `normal` (a normalization),
        `sum`, `activation` or `nothing`; behind one: `narrow` (integers of 32 bits to 8),
        `floats` (integers to floating-point numbers), `join` (several, with one range) or
        `passes` (a result of its data's range, whose layer's may be widened for a join).
    layer : str
        What files call the layer that begins with it.
    after : callable, optional
        Rule for the name of the activation in kernels, and its numbers; None where they have none.
    parameters : tuple of str
        Inputs that are quantized once, before the network runs.
    floats : tuple of str
        Inputs that stay as they are.
    is_wide : bool
        Whether its result has 32 bits.
    is_must : bool
        Whether it pays by itself; others are quantized between such ones.
    is_calibrated : bool
        Whether it needs the range of its result.
    range_of : callable, optional
        Rule for the output of the network on floating-point numbers whose range it takes: it
        receives its node's name, and that of the output that it reads.
    """

    name: str = ""
    when: Callable[[Given], bool] | None = None
    role: str = ""
    layer: str = ""
    after: Callable[[Given], tuple[str, tuple[float, ...]] | None] | None = None
    parameters: tuple[str, ...] = ()
    floats: tuple[str, ...] = ()
    is_wide: bool = False
    is_must: bool = False
    is_calibrated: bool = False
    range_of: Callable[[str, str], str] | None = None

    def has(self, arguments: Given) -> bool:
        """Return whether there is an operator on integers for some arguments."""
        return bool(self.name) and (self.when is None or self.when(arguments))


UNLISTED = Precision()
LOW = Precision("low")
FULL = Precision("full")
EITHER = Precision("either")
WIDEST = Precision("widest")
EXACT = Precision("either", "either")
"""For what MXNet's kernels for bfloat16 know."""
