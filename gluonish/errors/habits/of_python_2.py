"""What Python 3 says of programs for Python 2, and our words."""

from __future__ import annotations

from typing import Final

_PYTHON_2: Final = (
    "This looks like Python 2. Run it with: gluonish run --from-python2 program.py, which reads "
    "print statements and the like; or rewrite it once: python -m fissix -w program.py."
)
# Pattern of the error, of the line, our words: a part of `ELSEWHERE`.
OF_PYTHON_2: Final[tuple[tuple[str, str, str], ...]] = (
    (r"SyntaxError: Missing parentheses in call to 'print'", "", _PYTHON_2),
    (
        r"SyntaxError: (Missing parentheses in call to 'exec'|invalid syntax)",
        r"\bexec\b",
        _PYTHON_2,
    ),
    (r"SyntaxError: multiple exception types must be parenthesized", "", _PYTHON_2),
    (r"SyntaxError: leading zeros in decimal integer literals", "", _PYTHON_2),
    (r"TabError: inconsistent use of tabs", "", _PYTHON_2),
    (
        r"NameError: name '(float16|float32|float64|int8|int32|int64|uint8)'",
        "",
        r"A dtype is text here: write '\1', in quotes.",
    ),
    (
        r"NameError: name '(xrange|raw_input|unicode|basestring|long|unichr|reduce|reload|file)'",
        "",
        _PYTHON_2,
    ),
    (
        r"AttributeError: 'dict' object has no attribute '(has_key|iteritems|itervalues|iterkeys)'",
        "",
        _PYTHON_2,
    ),
    (
        r"No module named '(urllib2|cPickle|StringIO|ConfigParser|Queue|cStringIO|HTMLParser)'",
        "",
        _PYTHON_2,
    ),
)
