"""Errors for calls whose arguments a function does not take: which, and what was meant."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gluonish.errors import UnknownArgumentError
from gluonish.errors.examples import for_example
from gluonish.errors.program_arguments import array_first, parameters, with_keyword
from gluonish.errors.program_text import expression, name_of, of_file, place
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.wording import counted, listed
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from types import TracebackType

    from gluonish.errors import habits
else:
    habits = LateModule("gluonish.errors.habits")

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_LONGEST = 60  # characters of a value
_OURS = re.compile(r"(\w+)=[^\s.]")  # a keyword that a sentence begins with
_MOST = 30  # names
_FEW = 8  # where one is named
_SHORT = 30  # letters of a value that is repeated
_OF_PYTHON = (TypeError, AttributeError, ValueError, IndexError, KeyError, RuntimeError)


def meant(
    names: Sequence[str], unknown: Iterable[str], known: Collection[str], is_one: bool = False
) -> str:
    """Return what to write in place of keywords that are not known, with a space before it.

    Parameters
    ----------
    names : list of str
        What is called: its name, then those of the classes it comes from.
    unknown : list of str, or dict
        The keywords; with their values, these are repeated.
    known : list of str
        Those there are.
    is_one : bool, default False
        Whether nothing else than one keyword is wrong, so that its name need not be repeated.

    Examples
    --------
    >>> from gluonish.errors.arguments import meant
    >>> meant(['Conv2D'], ['stride'], ['channels', 'strides'], is_one=True)
    " Did you mean 'strides'?"
    >>> meant(['Conv2D'], ['stride', 'bias'], ['strides', 'use_bias'])
    " Did you mean 'strides' for stride, 'use_bias' for bias?"
    >>> print(meant(['LSTM'], ['batch_first'], ['layout']))
     About batch_first: layout='NTC' is PyTorch's batch_first=True; 'TNC' is the default.
    """
    ours: dict[str, str] = {}
    told: list[str] = []
    is_optimizer = "Optimizer" in names
    for word in unknown:
        own = next(
            (habits.SENTENCES[f"{n}.{word}"] for n in names if f"{n}.{word}" in habits.SENTENCES),
            None,
        )
        theirs = habits.KEYWORDS.get(word, ()) + (
            habits.FOR_OPTIMIZERS.get(word, ()) if is_optimizer else ()
        )
        theirs += tuple(
            habits.OF_OPERATORS[each] for each in (word, *theirs) if each in habits.OF_OPERATORS
        )
        found = next((each for each in theirs if each in known), None)
        ends = (f"_{word}", f"_{word.removesuffix('s')}")
        found = found or next((each for each in known if each.endswith(ends)), None)
        if own is None and found is None:
            own = _general(word, known) or (
                habits.OF_OPTIMIZERS.get(word) if is_optimizer else None
            )
        if own is not None:
            told.append(f" About {word}: {own}.")
        elif found is not None:
            ours[word] = found
        elif hint := did_you_mean(word, known):
            ours[word] = hint.split("'")[1]
    if not ours:
        return "".join(told)
    if is_one:
        ((word, our),) = ours.items()
        return f" Did you mean {our!r}?{_rewritten(ours, unknown)}{''.join(told)}"
    pairs = ", ".join(f"{our!r} for {word}" for word, our in ours.items())
    return f" Did you mean {pairs}?{_rewritten(ours, unknown)}{''.join(told)}"


def _rewritten(ours: Mapping[str, str], given: Iterable[str]) -> str:
    """Return how keywords are written with the numbers that they were given, if these are short."""
    node = expression(place())
    call = node if isinstance(node, ast.Call) else None
    texts = {each.arg: ast.unparse(each.value) for each in call.keywords} if call else {}
    where = place()
    whole = of_file(where.code.co_filename) if where is not None else None
    tables = [n for n in ast.walk(whole) if isinstance(n, ast.Dict)] if whole else []
    constants = [ast.unparse(key) for each in tables for key in each.keys if key is not None]
    written = []
    for word, our in ours.items():
        value = given.get(word) if isinstance(given, Mapping) else None
        parts = value if isinstance(value, (tuple, list)) and value else [value]
        text = texts.get(word) or repr(value)
        is_number = all(type(part) in (bool, int, float) for part in parts)
        if not is_number or word in habits.COUNTED_OTHERWISE or len(text) > _SHORT:
            return ""
        written.append(
            f"{our!r}: {text}" if repr(word) in constants and word not in texts else f"{our}={text}"
        )
    return f" Write {', '.join(written)}."


def _general(word: str, known: Collection[str]) -> str | None:
    """Return what is said of a keyword anywhere, unless it names one that is not taken here."""
    told = habits.SENTENCES.get(word)
    ours = None if told is None else _OURS.match(told)
    return told if ours is None or ours[1] in known else None


def _foreign_initializer(word: str, value: object) -> str:
    """Return what an initializer of Keras, that is given by its name, is here."""
    if not word.endswith("_initializer") or not isinstance(value, str):
        return ""
    told = habits.VALUES["init"].get(value.lower().replace("_", ""), "")
    return told.replace("in its place", f"in the place of {value!r}")


def unknown_keywords(
    names: Sequence[str], given: Mapping[str, object], known: Collection[str]
) -> UnknownArgumentError:
    """Return the error for keywords that nothing takes; arguments as for `meant`.

    Examples
    --------
    >>> from gluonish.errors.arguments import unknown_keywords
    >>> print(unknown_keywords(['Dense'], dict(bias=False), ['units', 'use_bias']))
    Dense: got an unexpected keyword argument, bias=False. Expected some of units, use_bias. \
Did you mean 'use_bias'? Write use_bias=False.
    """
    plural = "an unexpected keyword argument" if len(given) == 1 else "unexpected keyword arguments"
    hint = meant(names, given, known, len(given) == 1)
    hint += "".join(f" {told}." for each in given.items() if (told := _foreign_initializer(*each)))
    most = _FEW if hint else _MOST
    hint = hint or " Leave out what it does not have."
    expected = f"some of {listed(known, most)}" if known else "none"
    msg = f"{names[0]}: got {plural}, {_pairs(given)}. Expected {expected}.{hint}"
    return UnknownArgumentError(msg)


def refused_call(
    names: Sequence[str],
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: TypeError,
    more: Iterable[str] = (),
) -> UnknownArgumentError | None:
    """Return the error for a call that does not fit a signature, or None if it fits.

    Parameters
    ----------
    names : list of str
        What is called, as for `meant`.
    function : callable
        What was called; the first argument of a method is among `args`.
    args, kwargs
        What was given.
    error : TypeError
        What Python says.
    more : iterable of str
        Keywords that are taken by way of `**kwargs`.

    Examples
    --------
    >>> from gluonish.errors.arguments import refused_call
    >>> def square(side, times=1):
    ...     return side ** 2 * times
    >>> print(refused_call(['square'], square, (), {'times': 2}, TypeError('no side')))
    square: got times=2, but no side. Expected square(side, times). Add what is missing.
    """
    parameters = inspect.signature(function).parameters
    own = [name for name, one in parameters.items() if one.kind in _BY_NAME]
    is_method = bool(own) and own[0] in ("self", "cls")
    places = [name for name, one in parameters.items() if one.kind in _BY_POSITION]
    takes_rest = any(one.kind is one.VAR_POSITIONAL for one in parameters.values())
    takes_more = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    known = [*dict.fromkeys((*more, *(own if takes_more or not more else ())))]
    unknown = {k: v for k, v in kwargs.items() if k not in (known if takes_more else own)}
    twice = [name for name in places[: len(args)] if name in kwargs]
    rest = args[len(places) :] if not takes_rest else ()
    missing = [
        name
        for name, one in parameters.items()
        if one.default is one.empty
        and one.kind in (*_BY_NAME, one.POSITIONAL_ONLY)
        and name not in kwargs
        and name not in places[: len(args)]
    ]
    example = for_example(names[0], function, args)
    args_with_self = args
    if is_method:
        args, places = args[1:], places[1:]
        known = [name for name in known if name != own[0]]
    usage = f"{names[0]}({listed(known, _MOST)})"
    position = next(
        (f" {habits.POSITIONS[name]}." for name in names if name in habits.POSITIONS), ""
    )
    if "LRScheduler" in names and any(map(_is_scheduled, args)):
        settings = {_own_name(word, known): value for word, value in kwargs.items()}
        msg = (
            f"{names[0]}: got {listed(map(value_text, args))}. Expected {usage}. A schedule is "
            f"given to the Trainer: gluon.Trainer(params, 'sgd', {{'lr_scheduler': "
            f"{names[0]}({_pairs(settings)})}}); each trainer.step() asks it."
        )
        return UnknownArgumentError(msg)
    if unknown and not (missing or twice or rest or takes_more):
        return unknown_keywords(names, unknown, known)
    given = [value_text(value) for value in args] + [
        f"{k}={value_text(v)}" for k, v in kwargs.items()
    ]
    shown = listed(given) or "nothing"
    if rest and (mend := _trained(names, args[0], kwargs)):
        problem = f"got {shown}"
    elif rest:
        problem = f"got {shown}: {counted(len(args), 'argument')} by position"
        mend = f" Name them, as in {known[-1]}=...." if known else " Leave it out."
        mend = position or mend + example
        usage = f"at most {len(places)}: {usage}" if places else f"none: {names[0]}()"
    elif twice:
        name = twice[0]
        problem = f"got {shown}: {name} twice, by position and by its name"
        value = args[places.index(name)] if name in places else None
        mend = _trained(names, value, kwargs) or position or f" Leave one {name} out."
    elif missing:
        problem = f"got {shown}, but no {' and no '.join(missing)}"
        problem = problem if given else f"called without {' and '.join(missing)}"
        mend = meant(names, unknown, known) + position
        mend = mend or _as_siblings(function, args_with_self, missing)
        mend = mend or f" Add what is missing.{_with_missing(missing, example)}"
    else:
        return None
    msg = f"{names[0]}: {problem}. Expected {usage}.{mend}"
    told = UnknownArgumentError(msg)
    told.__cause__ = error
    return told


def _with_missing(missing: Sequence[str], example: str) -> str:
    """Return an example as the program's call with the one argument that it lacks."""
    value = re.search(rf"\b{missing[0]}=([\w.]+|'[^']*')[,)]", example)
    if len(missing) > 1 or value is None:
        return example
    own = with_keyword(missing[0], value[1], "")
    return f" For example: {own}." if own else example


def _is_scheduled(value: object) -> bool:
    """Return whether something is what PyTorch's schedules are given: an optimizer, of any kind."""
    return any(cls.__name__ in ("Trainer", "Optimizer") for cls in type(value).__mro__)


def _own_name(word: str, known: Collection[str]) -> str:
    """Return the keyword that another library's stands for, or itself."""
    return next((name for name in habits.KEYWORDS.get(word, ()) if name in known), word)


def _as_siblings(function: Callable[..., Any], args: Sequence[Any], missing: Sequence[str]) -> str:
    """Return how a subclass calls its parent's constructor, with a space before; or ''.

    What the parent does not have by itself is what most of its other subclasses have.
    """
    cls = type(args[0]) if args else object
    owner = next((each for each in cls.__mro__ if vars(each).get("__init__") is function), cls)
    if owner is cls:
        return ""
    found: dict[str, list[object]] = {name: [] for name in missing}
    siblings: list[type] = owner.__subclasses__()
    for sibling in siblings:
        parameters = inspect.signature(sibling).parameters
        for name in missing:
            if name in parameters and parameters[name].default is not inspect.Parameter.empty:
                found[name].append(parameters[name].default)
    if not all(found.values()):
        return ""
    usual = {name: max(values, key=values.count) for name, values in found.items()}
    return f" Write super().__init__({_pairs(usual)})."


def _trained(names: Sequence[str], value: object, settings: Mapping[str, Any]) -> str:
    """Return what to write where an optimizer is given parameters, with a space before; or ''."""
    if "Optimizer" not in names or not are_parameters(value):
        return ""
    given = {"learning_rate": 0.1} | {k: v for k, v in settings.items() if type(v) in (int, float)}
    return (
        f" An optimizer takes no parameters: write trainer = gluon.Trainer(net.collect_params(), "
        f"{names[0].lower()!r}, {given}), then trainer.step(batch_size)."
    )


def are_parameters(value: object) -> bool:
    """Return whether something is a net, its parameters, or a list of them.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.arguments import are_parameters
    >>> are_parameters([mx.gluon.Parameter('w')]), are_parameters([0.1])
    (True, False)
    """
    kinds = [base.__name__ for base in type(value).__mro__]
    if "Block" in kinds or "ParameterDict" in kinds or "Parameter" in kinds:
        return True
    parts = list(value.values()) if isinstance(value, dict) else value
    return isinstance(parts, (list, tuple)) and bool(parts) and are_parameters(parts[0])


def note_call(
    error: Exception,
    names: Sequence[str],
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> None:
    """Note which call of a program an error of Python's comes from that gluonish has no words for.

    The outermost call is what the program wrote; notes of those inside of it are replaced.

    Examples
    --------
    >>> from gluonish.errors.arguments import note_call
    >>> def square(side):
    ...     return side ** 2
    >>> error = TypeError("unsupported operand")
    >>> note_call(error, ["square"], square, ["2"], {})
    >>> print(error.__notes__[0])
    square('2') did not work with these arguments. Expected square(side): help(square) says what \
each may be. If they are such, it is a mistake of gluonish, and GLUONISH_FULL_TRACEBACK=1 shows it.
    """
    parameters = list(inspect.signature(function).parameters)
    all_args = args
    if parameters[:1] == ["self"] or parameters[:1] == ["cls"]:
        args, parameters = args[1:], parameters[1:]
    for name, value in (*zip(parameters, args, strict=False), *kwargs.items()):
        if isinstance(value, type) and value.__module__.startswith("gluonish."):
            kind, where = value.__name__, names[0].lstrip("_")
            _put_note(
                error,
                f"{where}: {name} is the class {kind}. Expected one of its objects. Write "
                f"{kind}(...), with its arguments, where it is made.",
            )
            return
    given = [value_text(value) for value in args]
    given += [f"{name}={value_text(value)}" for name, value in kwargs.items()]
    example = for_example(names[0], function, all_args)
    signature = inspect.signature(function).parameters
    bound = [name for name in (*parameters[: len(args)], *kwargs) if name in signature]
    kinds = {name: _kind_text(signature[name].annotation) for name in bound}
    shown = [f"{each}: {kinds[each]}" if kinds.get(each) else each for each in parameters]
    count = _count(all_args[0]) if len(all_args) > len(args) else None
    _note(error, names[0], given, shown, example, count)


def note_frame(error: BaseException, step: TracebackType | None) -> None:
    """Note which call an error of Python's comes from, where nothing of ours stood before it.

    Parameters
    ----------
    error : BaseException
        What happened.
    step : traceback or None
        The first step of its traceback in gluonish; with None, nothing is noted.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.arguments import note_frame
    >>> schedule = mx.lr_scheduler.CosineScheduler(10, 0.1)
    >>> try:
    ...     schedule("soon")
    ... except TypeError as error:
    ...     note_frame(error, error.__traceback__.tb_next)
    ...     print(error.__notes__[0].partition(":")[0])
    CosineScheduler('soon') did not work with these arguments. Expected CosineScheduler(num_update)
    """
    if step is None or not isinstance(error, _OF_PYTHON):
        return
    code, held = step.tb_frame.f_code, step.tb_frame.f_locals
    parameters = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    name = code.co_name
    if parameters[:1] in (["self"], ["cls"]) and parameters[0] in held:
        owner = held[parameters.pop(0)]
        owner = owner if isinstance(owner, type) else type(owner)
        is_made = name in ("__call__", "__init__", "__new__")
        name = owner.__name__ if is_made else f"{owner.__name__}.{name}"
    given = [value_text(held[each]) for each in parameters if each in held]
    _note(error, name, given, parameters)


def _kind_text(annotation: object) -> str:
    """Return a type of a signature as a program would say it, or nothing if it says nothing."""
    text = annotation if isinstance(annotation, str) else ""
    for ours, theirs in (("os.PathLike[str]", "path"), ("Sequence[", "list["), ("Any", "")):
        text = text.replace(ours, theirs)
    text = re.sub(r"Callable\[.*\]", "function", text)
    return "" if "[]" in text or ", ]" in text or not text.strip(" |") else text


def note_file(error: OSError, name: str) -> None:
    """Note which call of a program could not read or write a file.

    Examples
    --------
    >>> from gluonish.errors.arguments import note_file
    >>> error = FileNotFoundError("a.csv not found.")
    >>> note_file(error, "genfromtxt")
    >>> print(error.__notes__[0])
    genfromtxt: a file was not read or written. Expected one that is there, or a folder to write \
to. Check the name and the working directory.
    """
    text = (
        f"{name}: a file was not read or written. Expected one that is there, or a folder to write "
        f"to. Check the name and the working directory."
    )
    before = getattr(error, "noted_call", None)
    error.__notes__ = [*(n for n in getattr(error, "__notes__", []) if n != before), text]
    error.noted_call = text  # type: ignore[attr-defined]
    error.is_explained = True  # type: ignore[attr-defined]


def _note(
    error: BaseException,
    name: str,
    given: Sequence[str],
    parameters: Sequence[str],
    example: str = "",
    count: int | None = None,
) -> None:
    is_item = name.endswith(".__getitem__") and isinstance(error, IndexError) and given
    if is_item and count is not None and _is_past(given[0], count):
        cls = name.partition(".")[0].lstrip("_")
        _put_note(
            error,
            f"{cls}: there is no sample {given[0]}. Expected a position from 0 to {count - 1}: it "
            f"has {counted(count, 'sample')}. Go through it by for sample in dataset.",
        )
        return
    text = (
        f"{name}({listed(given)}) did not work with these arguments. Expected "
        f"{name}({listed(parameters, _MOST)}): help({name.rpartition('.')[2]}) says what "
        f"each may be. If they are such, it is a mistake of gluonish, and "
        f"GLUONISH_FULL_TRACEBACK=1 shows it.{example}"
    )
    _put_note(error, text)


def _is_past(position: str, count: int) -> bool:
    """Return whether a position, as it is shown, is none of so many."""
    return re.fullmatch(r"-?\d+", position) is not None and not -count <= int(position) < count


def _put_note(error: BaseException, text: str) -> None:
    before = getattr(error, "noted_call", None)
    notes = [note for note in getattr(error, "__notes__", []) if note != before]
    error.__notes__ = [*notes, text]
    error.noted_call = text  # type: ignore[attr-defined]


def _count(owner: object) -> int | None:
    """Return the length of an object, if it has one that can be told."""
    try:
        return len(owner)  # type: ignore[arg-type]
    except _OF_PYTHON:
        return None


def _pairs(given: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value_text(value)}" for name, value in given.items())


def no_array(where: str, name: str, value: object, how: str, *, is_alone: bool = False) -> str:
    """Return what to say of an input that is no array; `how` says what to write for a number.

    `is_alone` tells that it is the only array.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.arguments import no_array
    >>> print(no_array('relu', 'data', [mx.nd.ones(2), 1], 'Write mx.nd.array(...).'))
    relu: data is a list of <NDArray of shape (2,)>, 1. Expected an array. Take the list apart, as \
in for x, y in batches, or join arrays by nd.stack(*list) or nd.concat(*list).
    """
    where = where.lstrip("_")
    if isinstance(value, (list, tuple)) and any(map(_holds_array, value)):
        kind = type(value).__name__
        parts = listed(map(value_text, value), 2).replace("<Tensor of", "<array of")  # unwrapped
        if len(value) == 1:
            return f"{where}: {name} is a {kind} of {parts}. Expected an array. Write {kind}[0]."
        return (
            f"{where}: {name} is a {kind} of {parts}. Expected an array. Take the {kind} apart, "
            f"as in for x, y in batches, or join arrays by nd.stack(*{kind}) or nd.concat(*{kind})."
        )
    how = how_to_array(value, how, where, is_alone=is_alone)
    return f"{where}: {name}={value_text(value)} was given. Expected an array. {how}"


def how_to_array(value: object, how: str, operator: str = "", *, is_alone: bool = False) -> str:
    """Return what to write for something that is no array; `how` is what helps with a number.

    `operator` is what it was given to, `is_alone` whether that takes one array.

    Examples
    --------
    >>> from gluonish.errors.arguments import how_to_array
    >>> how_to_array(abs, 'Write mx.nd.array(...).')
    'Call it, with parentheses: abs(...).'
    """
    if any(cls.__name__ == "Parameter" for cls in type(value).__mro__):
        calls = parameters() or ["w.data()"]
        if len(calls) > 1:
            return f"Write {' and '.join(calls)}, which are the arrays of parameters."
        return f"Write {calls[0]}, which is the array of a parameter."
    if isinstance(value, (int, float, tuple)) and is_alone and (call := array_first()):
        return f"The array comes first: write {call}."
    if isinstance(value, type):
        return f"Make an object of the class, and call that: {value.__name__}(...)(x)."
    if hasattr(value, "collect_params"):
        name = name_of(value)
        call = f"{name}(...)" if name else "layer(data)"
        return (
            f"Call the Block with data, as in {call}, for what it returns; net = nn.Sequential(), "
            "then net.add(first, second) joins layers."
        )
    if any(cls.__name__ == "Symbol" for cls in type(value).__mro__):
        return f"Write mx.sym.{operator or 'NAME'}(...), which composes Symbols."
    if callable(value):
        return f"Call it, with parentheses: {getattr(value, '__name__', 'function')}(...)."
    if value is None:
        return "If a forward or function gave it, that ends without return: write return."
    if isinstance(value, dict) and value:
        return f"Take one of its values, as in x[{next(iter(value))!r}]."
    if isinstance(value, str) and value.lower().endswith((".jpg", ".jpeg", ".png", ".bmp")):
        return "Write mx.image.imread(path), which reads a picture."
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        return "Turn text into numbers first, as in mx.nd.array([names.index(v) for v in values])."
    return how


def _holds_array(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_array, value))
    return hasattr(value, "shape")


def value_text(value: object) -> str:
    """Return a value in short: arrays by their shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.arguments import value_text
    >>> value_text(mx.nd.ones((2, 3))), value_text('relu')
    ('<NDArray of shape (2, 3)>', "'relu'")
    """
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and not isinstance(value, type):
        return f"<{type(value).__name__} of shape {tuple(shape)}>"
    if isinstance(value, (list, tuple)) and any(map(_holds_array, value)):
        return f"{type(value).__name__} ({listed(map(value_text, value), 2)})"
    text = repr(value)
    if " at 0x" in text and not isinstance(value, type):
        name = getattr(value, "__name__", None)
        return f"<{type(value).__name__}{f' {name}' if name else ''}>"
    if isinstance(value, type) or "\n" in text or len(text) > _LONGEST:
        kind = value if isinstance(value, type) else type(value)
        return f"<{'class ' if isinstance(value, type) else ''}{kind.__name__}>"
    return text
