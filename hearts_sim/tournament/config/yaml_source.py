"""YAML text as plain values, with the line of every key.

Scalars are read as YAML 1.2 reads them: only ``true`` and ``false`` are booleans, ``1e3`` is a
number, dates are text. What YAML 1.1 would read as another value than YAML 1.2 does (``1_000``,
``1:30``, ``010``) is refused, so that no reader and no person can take it for something else.
"""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import yaml
from yaml.error import Mark, MarkedYAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from hearts_sim.errors import ConfigError

MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 50
MAX_VALUES: Final = 20_000
MAX_INT: Final = 2**63 - 1

KeyPath = tuple[str | int, ...]


class _Invalid:
    """Stands in for a value that has been reported already."""


INVALID: Final = _Invalid()

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT: Final = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE: Final = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_GROUPED: Final = re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?")
_BASE_60: Final = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_ONLY_YAML_1_1: Final = re.compile(
    r"[-+]?0b[01_]+|[-+]0x[0-9a-fA-F_]+|0x[0-9a-fA-F_]*_[0-9a-fA-F]*"
)
_QUOTES: Final = "or put it in quotes if it is text"

_SYNTAX: Final = (
    ("found character '\\t'", "a tab stands where YAML wants spaces: indent with spaces"),
    (
        "mapping values are not allowed here",
        "a colon where no key can be: put the text in quotes, or check the indentation "
        "and the space after each colon",
    ),
    ("could not find expected ':'", "a key without a colon and a space after it"),
    (
        "expected <block end>",
        "this does not fit the lines above: check the indentation, and that every key is there",
    ),
    ("expected a single document", "a second document begins here: a config is one document"),
    ("found undefined alias", "this alias names no anchor that stands above it"),
    ("found duplicate anchor", "this anchor is defined twice: give it another name"),
    ("found unknown escape character", "unknown escape in double quotes: use single quotes"),
    ("cannot start any token", "a text that begins with this character needs quotes"),
)


@dataclass(frozen=True)
class Problem:
    """Something wrong at one place of a config."""

    path: KeyPath
    message: str
    position: tuple[int, int] | None = None


@dataclass(frozen=True)
class YamlSource:
    """What a YAML text says and where it says it.

    Attributes
    ----------
    label : str
        The file as the user named it.
    text : str
        The YAML text.
    value : object
        Nested dicts and lists; `INVALID` where `problems` has an entry.
    positions : dict
        Line and column, from 1, of each key or list item by its key path; ``()`` is the whole.
    plain : dict
        The scalars written without quotes, as they were written.
    problems : list of Problem
        What could be read past.
    """

    label: str
    text: str
    value: Any = None
    positions: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    plain: dict[KeyPath, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def position(self, path: KeyPath) -> tuple[int, int]:
        """Line and column of a key, or of the nearest key around it."""
        while path not in self.positions:
            if not path:
                return 1, 1
            path = path[:-1]
        return self.positions[path]


def read_yaml(path: str | os.PathLike[str], number_keys: Collection[KeyPath] = ()) -> YamlSource:
    """Read a YAML file; see `parse_yaml`.

    Raises
    ------
    ConfigError
        When the file cannot be read, is no UTF-8 text, is too large, or is not YAML.
    """
    label = os.fsdecode(path)
    return parse_yaml(_read_text(label), label, number_keys)


def parse_yaml(text: str, label: str, number_keys: Collection[KeyPath] = ()) -> YamlSource:
    """Values and positions of a YAML text; keys are text, at `number_keys` also whole numbers.

    Raises
    ------
    ConfigError
        When the text is not YAML. Smaller faults are collected in ``problems``.
    """
    loader = None
    try:
        loader = _Loader(text, label)
        node = loader.get_single_node()
    except ConfigError:  # a ValueError too, and already in plain words
        raise
    except ReaderError as error:
        place = text[: error.position]
        line, column = place.count("\n") + 1, len(place) - place.rfind("\n")
        raise ConfigError(
            f"{label}:{line}:{column}: the character U+{_code_point(error):04X} is not "
            "allowed in YAML: is this a text file?"
        ) from None
    except MarkedYAMLError as error:
        raise _syntax_error(label, error) from None
    except (ValueError, OverflowError):  # PyYAML lets them out of "\U00110000" and the like
        mark = None if loader is None else loader.get_mark()
        _fail(label, mark, "not valid YAML: an escape or a number that is out of range")
    source = YamlSource(label, text)
    if node is None:
        return source
    value = _Builder(source, number_keys).build(node, ())
    return YamlSource(label, text, value, source.positions, source.plain, source.problems)


def number_fault(value: float) -> str | None:
    """Why a number cannot be in a config, or None."""
    if isinstance(value, int):
        return None if abs(value) <= MAX_INT else f"too large: numbers go up to {MAX_INT}"
    return None if math.isfinite(value) else "not a finite number"


def text_fault(text: str) -> str | None:
    """Why a text cannot be in a config, or None."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return "half a character (a surrogate) cannot be in a text"
    return None


def path_text(path: KeyPath) -> str:
    """A key path as a person writes it, for example ``strategies.entries[2].name``."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += ("." if text else "") + (
                key if re.fullmatch(r"[\w-]{1,60}", key) else clip(key)
            )
    return text


def clip(value: object, limit: int = 60) -> str:
    """A `repr` that is short enough for a message."""
    shown = repr(value[: limit + 1]) if isinstance(value, str) else repr(value)
    return shown if len(shown) <= limit + 2 else shown[: limit - 3] + "..."


def format_problems(problems: Iterable[Problem], source: YamlSource | None) -> str:
    """All problems as one text, in the order of the file."""
    if source is None:
        return "\n".join(_block("", item) for item in problems)
    placed = [(item.position or source.position(item.path), item) for item in problems]
    placed.sort(key=lambda pair: pair[0])
    return "\n".join(_block(f"{source.label}:{line}: ", item) for (line, _), item in placed)


def _block(prefix: str, problem: Problem) -> str:
    path = path_text(problem.path)
    return f"{prefix}{path}: {problem.message}" if path else prefix + problem.message


def near_names(name: str, known: Iterable[str]) -> str:
    """``"; did you mean 'x'?"``, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def _read_text(label: str) -> str:
    try:
        # Windows says "permission denied" for a folder, so ask first.
        if os.path.isdir(label):
            raise IsADirectoryError
        with open(label, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"{label}: {_why_missing(label)}") from None
    except IsADirectoryError:
        inside = sorted(name for name in _names(label) if name.endswith((".yaml", ".yml")))
        hint = f"; it holds {', '.join(inside[:5])}" if inside else ""
        raise ConfigError(f"{label}: this is a folder, expected a config file{hint}") from None
    except PermissionError:
        raise ConfigError(f"{label}: no permission to read this file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        shown = label.replace("\0", "\\0")
        raise ConfigError(f"{shown}: cannot be read: {reason}") from None
    return _decode(data, label)


def _decode(data: bytes, label: str) -> str:
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{label}: larger than 1 MB: this is no config file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(f"{label}:1: the file is UTF-16: save it as UTF-8")
    nul = data.find(b"\0")
    if nul >= 0:
        raise ConfigError(
            f"{label}:{_line_of(data, nul)}: a NUL byte at offset {nul}: this is a binary file, "
            "or UTF-16 text that must be saved as UTF-8"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # "utf-8-sig" counts from behind the mark.
        offset = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        raise ConfigError(
            f"{label}:{_line_of(data, offset)}: byte 0x{data[offset]:02X} at offset {offset} is "
            "not UTF-8: save the file as UTF-8"
        ) from None


def _line_of(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")
    except OSError:
        return []


def _why_missing(label: str) -> str:
    folder, name = os.path.split(label)
    if folder and not os.path.isdir(folder):
        return f"no such file: there is no folder {clip(folder, 200)}"
    return "no such file" + near_names(name, _names(folder))


def _fail(label: str, mark: Mark | None, message: str) -> NoReturn:
    place = f"{label}:{mark.line + 1}:{mark.column + 1}" if mark else label
    raise ConfigError(f"{place}: {message}")


def _code_point(error: ReaderError) -> int:
    # The stubs call it text; PyYAML gives the number for text and the byte for bytes.
    character: Any = error.character
    return character if isinstance(character, int) else ord(character)


def _syntax_error(label: str, error: MarkedYAMLError) -> ConfigError:
    problem, context = error.problem or "", error.context or ""
    mark, opened = error.problem_mark or error.context_mark, error.context_mark
    words = f"{context} {problem}"
    message = next((plain for known, plain in _SYNTAX if known in words), f"not YAML: {problem}")
    if context == "while scanning a quoted scalar" and "end of stream" in problem:
        mark, message = opened, "a quote opens here and is not closed"
    elif context == "while parsing a flow node":
        message = "a value is missing here, or a bracket above is not closed"
    elif opened is not None and context.startswith("while parsing a flow"):
        message = (
            f"the bracket opened on line {opened.line + 1} should close here, or a comma stand"
        )
    elif problem.startswith("found undefined alias"):
        message += f" ({problem.removeprefix('found undefined alias ')})"
    place = f"{label}:{mark.line + 1}:{mark.column + 1}" if mark else label
    return ConfigError(f"{place}: {message}")


class _Loader(yaml.SafeLoader):
    """PyYAML's composer, with a limit to its recursion and no tags."""

    def __init__(self, text: str, label: str) -> None:
        super().__init__(text)
        self._label = label
        self._depth = 0
        self._count = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs are incomplete
        if getattr(event, "tag", None) is not None:
            _fail(
                self._label,
                event.start_mark,
                "tags (with !) have no meaning in a config: remove it",
            )
        self._depth += 1
        if self._depth > MAX_DEPTH:
            _fail(self._label, event.start_mark, f"nested deeper than {MAX_DEPTH} levels")
        self._count += 1
        if self._count > MAX_VALUES:
            _fail(self._label, event.start_mark, f"more than {MAX_VALUES} keys and values")
        node: Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _Builder:
    """Turns nodes into values; everything met on the way goes into the source."""

    def __init__(self, source: YamlSource, number_keys: Collection[KeyPath]) -> None:
        self._source = source
        self._number_keys = number_keys
        self._open: set[int] = set()
        self._count = 0

    def build(self, node: Node, path: KeyPath) -> Any:
        self._source.positions.setdefault(path, _position(node))
        self._count += 1
        # A few aliases of aliases can stand for more values than fit into memory.
        if self._count > MAX_VALUES:
            _fail(
                self._source.label, node.start_mark, f"more than {MAX_VALUES} values with aliases"
            )
        if id(node) in self._open:
            _fail(self._source.label, node.start_mark, "an alias inside this value names itself")
        if len(path) > MAX_DEPTH:
            _fail(self._source.label, node.start_mark, f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        self._open.add(id(node))
        value: Any
        if isinstance(node, SequenceNode):
            value = [self.build(item, (*path, i)) for i, item in enumerate(node.value)]
        else:
            value = self._mapping(node, path)
        self._open.remove(id(node))
        return value

    def _mapping(self, node: Node, path: KeyPath) -> dict[str | int, Any]:
        assert isinstance(node, MappingNode)
        value: dict[str | int, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, value_node, path)
            if key is None:
                continue
            here = (*path, key)
            position = _position(key_node)
            if key in value:
                lines = f"{self._source.positions[here][0]} and {position[0]}"
                self._report(
                    here, f"this key is written twice, on lines {lines}: keep one", key_node
                )
                continue
            self._source.positions[here] = position
            value[key] = self.build(value_node, here)
        return value

    def _key(self, node: Node, value: Node, path: KeyPath) -> str | int | None:
        if not isinstance(node, ScalarNode):
            self._report(path, "a key must be text, not a list or a mapping", node)
            return None
        text = node.value
        here = (*path, text)
        plain = node.style is None
        key, fault = plain_scalar(text) if plain else (text, text_fault(text))
        if fault is not None:
            self._report(here, fault, node)
        elif isinstance(key, str):
            if plain and key == "<<":
                self._report(here, "merge keys are not supported: write the keys out", node)
            elif plain and ":" in key and isinstance(value, ScalarNode) and not value.value:
                self._report(here, "a space is missing after the colon", node)
            else:
                return key
        elif key is None:
            self._report(path, "a key is missing before the colon", node)
        elif path in self._number_keys and type(key) is int:
            return key
        else:
            self._report(here, f'a key must be text: write "{text}" in quotes', node)
        return None

    def _scalar(self, node: ScalarNode, path: KeyPath) -> Any:
        if node.style is None:
            self._source.plain[path] = node.value
            value, fault = plain_scalar(node.value)
        else:
            value, fault = node.value, text_fault(node.value)
        if fault is None:
            return value
        self._report(path, fault, node)
        return INVALID

    def _report(self, path: KeyPath, message: str, node: Node) -> None:
        self._source.problems.append(Problem(path, message, _position(node)))


def _position(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def plain_scalar(text: str) -> tuple[str | float | bool | None, str | None]:
    """Value of a scalar without quotes, and what is wrong with it if anything is."""
    if text in _NULLS:
        return None, None
    if text in _BOOLEANS:
        return _BOOLEANS[text], None
    if text[0] not in "+-.0123456789":
        return text, text_fault(text)
    if _INT.fullmatch(text) or _OTHER_BASE.fullmatch(text):
        return _whole(text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        mantissa = re.split("[eE]", text)[0]
        if math.isinf(value) or (value == 0 and re.search("[1-9]", mantissa)):
            return None, f"{clip(text)} is out of range for a number"
        return value, None
    if _NOT_FINITE.fullmatch(text):
        return None, f"{text} is not a finite number: write a number, {_QUOTES}"
    if "_" in text and _GROUPED.fullmatch(text):
        return None, f"{clip(text)} is no number in YAML: write {text.replace('_', '')}, {_QUOTES}"
    if _BASE_60.fullmatch(text) or _ONLY_YAML_1_1.fullmatch(text):
        return None, f"{clip(text)} is read in two ways by YAML: write a plain number, {_QUOTES}"
    return text, text_fault(text)


def _whole(text: str) -> tuple[int | None, str | None]:
    digits = text.lstrip("+-")
    if digits[0] == "0" and digits.isdigit() and len(digits) > 1:
        plain = text.replace(digits, digits.lstrip("0") or "0")
        return None, f"{clip(text)} may be octal: write {clip(plain).strip(chr(39))}, {_QUOTES}"
    if len(digits) > 25:  # int() refuses very long ones with a ValueError
        return None, f"{clip(text)} is too large: numbers go up to {MAX_INT}"
    value = int(text, 0)
    fault = number_fault(value)
    return value, fault and f"{text} is {fault}"
