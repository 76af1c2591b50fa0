"""THE op table: every operator once, with the names that each front end gives it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from gluonish.errors import SymbolTypeError
from gluonish.ops.table.cards import UNLISTED, Graph, Picture, Precision, Quantized, Sparse
from gluonish.ops.table.signatures import LateSignature, facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType
    from typing import TypeAlias

    from gluonish.ops.table.signatures import Fact

Shape: TypeAlias = "tuple[int | None, ...]"
ShapeRule: TypeAlias = "Callable[..., Mapping[str, Shape]]"
ArgumentRule: TypeAlias = "Callable[[Mapping[str, Any]], Sequence[str]]"
OutputRule: TypeAlias = "Callable[[Mapping[str, Any]], int]"
NamesRule: TypeAlias = "Callable[[Mapping[str, Any]], tuple[str, ...]]"
ReverseRule: TypeAlias = "Callable[..., Mapping[str, Shape]]"
Symbols: TypeAlias = Any  # one or several
RecordRule: TypeAlias = "Callable[[Call], tuple[str, dict[str, Any]] | Symbols | None]"
Names: TypeAlias = "str | Sequence[str | Sequence[str]]"
Function = TypeVar("Function", bound="Callable[..., Any]")

_FILES_ONLY = ("_np_", "_npi_", "_npx_")  # names that occur in files, and in no front end
STARTS = {"nd": "", "np": "_npi_", "npx": "_npx_"}
_FLAGS = ("bool", "bool | None")  # annotations
_NO_ARRAYS = ("bool", "None")
_COUNTS = ("num_args", "num_arrays", "num_outputs")
_NO_GRAPH, _DENSE, _PLAIN, _FLOATS = Graph(), Sparse(), Picture(), Quantized()
_PREFIXES = {"_internal": "", "random": "_random_", "linalg": "_linalg_", "image": "_image_"}


class Call(dict[str, Any]):
    """A call of an operator for a graph: the arguments that were given, by name.

    `call["axis"]` is the default where it was not given, `call.get("axis")` is then None.

    Parameters
    ----------
    op : Op
        The operator.
    given : dict of str to object
        The arguments, with Symbols for arrays.
    operators : module
        What `hybrid_forward` receives as `F` for such Symbols; `F` here, too.
    name : str
        The name that was given; empty if there was none. Of several nodes, it starts the names.
    is_np : bool
        Whether the Symbols are NumPy's.
    write : callable
        Returns the Symbol of an operator that graphs alone have, by its name in files and its
        arguments.
    """

    __slots__ = ("F", "is_np", "name", "op", "write")

    def __init__(
        self,
        op: Op,
        given: Mapping[str, Any],
        operators: ModuleType,
        name: str,
        *,
        is_np: bool,
        write: Callable[[str, dict[str, Any]], Symbols],
    ) -> None:
        super().__init__(given)
        self.op = op
        self.F = operators
        self.name = name
        self.is_np = is_np
        self.write = write

    def __missing__(self, name: str) -> Any:  # noqa: ANN401 - any operator's default
        default = self.op.signature.parameters[name].default
        if default is inspect.Parameter.empty:
            msg = (
                f"{self.op.name}: {name} is missing. Expected {', '.join(self.op.inputs)} at "
                f"least, as Symbols. Give all of them."
            )
            raise SymbolTypeError(msg)
        return default


@dataclass(frozen=True, eq=False)
class Op:
    """One operator.

    Parameters
    ----------
    function : callable
        The operator on torch tensors. Parameters annotated with `Tensor` are its array inputs.
    nd, np, npx : tuple of str
        Its names in each front end; dots lead into sub-namespaces (`random.uniform`).
    nd_method, np_method : tuple of str
        Names of the methods of `NDArray` and `np.ndarray` that call it, operators included.
    outputs : int or callable
        How many arrays it returns; a rule for its arguments (a dictionary) where that depends on
        them; 0 where only running it tells.
    shapes : callable, optional
        Rule that finds shapes of inputs that are not known yet: it receives the shapes of the
        known inputs and the other arguments, all by name, and returns the missing shapes.
    arguments : callable, optional
        Rule that names the array inputs which there are for its other arguments (a dictionary);
        by default those without default value.
    aux : tuple of str
        Array inputs that it updates itself, such as moving averages.
    output_names : tuple of str or callable
        What a Symbol's outputs are called; a rule for its arguments (a dictionary) where that
        depends on them.
    files : dict of (str, str) to str
        For each front end (`nd`, `np`, `npx`) and name there, the name in MXNet's files.
    attributes : dict of str to str
        Which parameter an argument in files means, where both have different names; empty
        for a hint that changes nothing.
    defaults : dict of str to object
        What a parameter is where files leave it out, if not the function's default.
    reverse : callable, optional
        Rule that finds shapes of inputs from those of outputs, called as
        `reverse(shapes, outputs, **other arguments)`: `shapes` as for `shapes`, `outputs` is a
        tuple with the shape of each output, or None; lengths that are not known are None. It
        returns what it finds by the inputs' names, open lengths included. Each part of a list
        of inputs has its own key: the list's name, a colon and the position (`args:0`).
    open_shape : str
        Parameter that is the output's shape, and in which 0 (in np-shape mode -1) stands for a
        length that the other operators of a graph tell, as of `_zeros`; or that says by True that
        they tell the one length that there is. Empty if there is none.
    recorded : callable, optional
        Rule for what graphs write in its place: it receives a `Call`, the arguments that were
        given by name, with Symbols for arrays. It returns the name in files of another operator
        and its arguments by name; or the Symbols that it makes with the operators of `call.F`,
        where the operator stands for several of MXNet's; or None where graphs write it as it is.
    graph : Graph
        What else graphs know of it.
    precision : Precision
        What mixed precision computes it in.
    sparse : Sparse
        What it does with sparse arrays.
    picture : Picture
        What pictures of networks show of it.
    quantized : Quantized
        What quantized networks have in its place.
    is_loose : bool, optional
        Whether MXNet's passes over keywords that it does not have; by default where it has no
        arguments beside arrays.
    functions : tuple of str
        Names that are functions in Python in MXNet, and refuse what their signature lacks.
    choices : dict of str to tuple of str
        The words that an argument can be, where it is one of a few; graphs refuse others when
        they are made, as MXNet does. What is looked at when it runs is the function's.

    Notes
    -----
    Names are given as a flat tuple or, where one function stands for several of MXNet's
    operators, as a tuple for each of these. Files have the first name of the tuple. Names of
    `npx` beside those of `nd` are aliases of the latter; `file` says what else files call the
    operators of `np` and `npx`.
    """

    function: Callable[..., Any]
    nd: tuple[str, ...] = ()
    np: tuple[str, ...] = ()
    npx: tuple[str, ...] = ()
    nd_method: tuple[str, ...] = ()
    np_method: tuple[str, ...] = ()
    outputs: int | OutputRule = 1
    shapes: ShapeRule | None = None
    arguments: ArgumentRule | None = None
    aux: tuple[str, ...] = ()
    output_names: tuple[str, ...] | NamesRule = ()
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    reverse: ReverseRule | None = None
    open_shape: str = ""
    recorded: RecordRule | None = None
    graph: Graph = _NO_GRAPH
    precision: Precision = UNLISTED
    sparse: Sparse = _DENSE
    picture: Picture = _PLAIN
    quantized: Quantized = _FLOATS
    is_loose: bool | None = None
    functions: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def _known(self) -> Mapping[str, Fact]:
        return facts(self.function)

    @cached_property
    def signature(self) -> inspect.Signature:
        """Its function's signature."""
        return LateSignature(partial(inspect.signature, self.function))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of all that its function takes."""
        return tuple(self._known)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Its array inputs."""
        return tuple(name for name, fact in self._known.items() if "Tensor" in fact.annotation)

    @property
    def takes_ctx(self) -> bool:
        """Whether it receives the context where its result is to be."""
        return "ctx" in self._known

    @property
    def returns_arrays(self) -> bool:
        """Whether what it returns can go to `out`, which a bool or nothing can't."""
        return self.function.__annotations__["return"] not in _NO_ARRAYS

    @cached_property
    def is_variadic(self) -> bool:
        """Whether one of its inputs is a list of any number of arrays."""
        return any(map(self.takes_many, self.inputs))

    def takes_many(self, name: str) -> bool:
        """Return whether one of its inputs is a list of arrays."""
        fact = self._known[name]
        return fact.is_variadic or "Sequence[Tensor]" in fact.annotation

    @cached_property
    def counted(self) -> str:
        """What files call the number of these arrays; empty if they do not have it."""
        if not self.is_variadic or "num_weights" in self._known:
            return ""
        return next((name for name in _COUNTS if name in self._known), _COUNTS[0])

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """Its other arguments with the defaults of its function, where there are any."""
        return {
            name: fact.default
            for name, fact in self._known.items()
            if name not in self.inputs and fact.default is not inspect.Parameter.empty
        }

    @cached_property
    def flags(self) -> Mapping[str | int, str]:
        """The names of arguments that are True or False, by these and by their positions."""
        found: dict[str | int, str] = {}
        for place, (name, fact) in enumerate(self._known.items()):
            if fact.annotation in _FLAGS:
                found[name] = name
                if fact.is_by_position:
                    found[place] = name
        return found

    @property
    def name(self) -> str:
        """The operator's first public name."""
        names = [*self.nd, *self.npx, *self.np, *(path for _, path in self.files)]
        names += [*self.nd_method, *self.np_method]
        return next((name for name in names if not name.startswith("_internal.")), names[0])


class LateOp(Op):
    """An operator whose function is written when somebody asks for it.

    Parameters
    ----------
    write : callable
        Returns the function.
    *facts
        The others that `Op` takes, in its order.
    """

    def __init__(self, write: Callable[[], Callable[..., Any]], *facts: Any) -> None:
        super().__init__(write, *facts)
        del vars(self)["function"]  # which the property below keeps there
        vars(self)["_write"] = write

    @cached_property
    @override
    def function(self) -> Callable[..., Any]:
        """The operator on torch tensors."""
        written: Callable[..., Any] = vars(self)["_write"]()
        return written


_table: list[Op] = []


def op(
    *,
    nd: Names = (),
    np: Names = (),
    npx: Names = (),
    nd_method: str | Sequence[str] = (),
    np_method: str | Sequence[str] = (),
    method: str | Sequence[str] = (),
    outputs: int | OutputRule = 1,
    shapes: ShapeRule | None = None,
    arguments: ArgumentRule | None = None,
    aux: Sequence[str] = (),
    output_names: Sequence[str] | NamesRule = (),
    file: str = "",
    attributes: Mapping[str, str] | None = None,
    defaults: Mapping[str, Any] | None = None,
    reverse: ReverseRule | None = None,
    open_shape: str = "",
    recorded: RecordRule | None = None,
    graph: Graph = _NO_GRAPH,
    precision: Precision = UNLISTED,
    sparse: Sparse = _DENSE,
    picture: Picture = _PLAIN,
    quantized: Quantized = _FLOATS,
    is_loose: bool | None = None,
    functions: Sequence[str] = (),
    choices: Mapping[str, tuple[str, ...]] | None = None,
    is_late: bool = False,
) -> Callable[[Function], Function]:
    """Register a function on tensors as an operator; the function itself stays as it was.

    `method` stands for the same name in `nd_method` and `np_method`; with `is_late` the function
    is one that returns the operator's; see `Op` for the rest.
    """
    both = _flat(method)
    files: dict[tuple[str, str], str] = {}
    public: dict[str, tuple[str, ...]] = {}
    for space, names in (("nd", nd), ("np", np), ("npx", npx)):
        groups = _groups(names)
        paths = [path for group in groups for path in group]
        public[space] = tuple(path for path in paths if not path.startswith(_FILES_ONLY))
        for group in groups:
            name = file_name(group[0], STARTS[space])
            if space != "nd" and file:
                name = file
            elif space == "npx" and nd and not group[0].startswith(_FILES_ONLY):
                name = next(iter(files.values()))
            files.update(((space, path), name) for path in group)

    def register(function: Function) -> Function:
        _table.append(
            (LateOp if is_late else Op)(
                function,
                public["nd"],
                public["np"],
                public["npx"],
                both + _flat(nd_method),
                both + _flat(np_method),
                outputs,
                shapes,
                arguments,
                tuple(aux),
                output_names if callable(output_names) else tuple(output_names),
                files,
                dict(attributes or {}),
                dict(defaults or {}),
                reverse,
                open_shape,
                recorded,
                graph,
                precision,
                sparse,
                picture,
                quantized,
                is_loose,
                tuple(functions),
                dict(choices or {}),
            )
        )
        return function

    return register


def ops() -> tuple[Op, ...]:
    """Return all registered operators, in the order of registration."""
    return tuple(_table)


def file_name(path: str, start: str = "") -> str:
    """Return what MXNet's files call the operator that a front end has under a name.

    Parameters
    ----------
    path : str
        The name in the front end, such as `contrib.ROIAlign`.
    start : str, default ''
        What names of the front end's own operators start with: `_npi_` in np, `_npx_` in npx.

    Examples
    --------
    >>> from gluonish.ops.table import file_name
    >>> file_name('contrib.ROIAlign'), file_name('_internal._plus'), file_name('relu', '_npx_')
    ('_contrib_ROIAlign', '_plus', '_npx_relu')
    """
    if path.startswith(_FILES_ONLY):
        return path
    space, _, name = path.rpartition(".")
    if start:
        return start + name
    if space == "random" and not name.endswith("_like"):
        return path  # not an operator, but a function that chooses among several
    return (_PREFIXES.get(space, f"_{space}_") if space else "") + name


def _groups(names: Names) -> list[tuple[str, ...]]:
    """Return the names of each of MXNet's operators."""
    if not names:
        return []
    if isinstance(names, str):
        return [(names,)]
    flat = tuple(name for name in names if isinstance(name, str))
    others = [tuple(name) for name in names if not isinstance(name, str)]
    return [flat, *others] if flat else others


def _flat(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
