"""The config as a JSON Schema (draft 2020-12), with which editors complete and check it.

Keys, types and ranges come from the models of `config.models` and the settings of `Rules`. Added by
hand is what these cannot say: the short forms that are made long before a model sees them, and keys
that do not go together. What only the disk can tell (folders, programs, names of strategies) and
rules that contradict each other are left to ``hearts-sim validate``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, Final

from hearts_sim.cards import RANKS, SUITS
from hearts_sim.rules import PRESETS
from hearts_sim.rules.values import (
    CHOICES,
    DECKS,
    MAX_CYCLE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    PASS_TOKENS,
    RANGES,
    SWITCHES,
)
from hearts_sim.rules.words import FIELDS
from hearts_sim.tournament.config.checks import BUDGETS, ONLY_IN
from hearts_sim.tournament.config.models import FORM_OF, NAME, NULL_KEYS, Config
from hearts_sim.tournament.config.sweep import SweepConfig
from hearts_sim.tournament.config.words import FORMS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_IDENTIFIER: Final = "^[A-Za-z_\u00aa-\uffff][A-Za-z0-9_\u00aa-\uffff]*$"
"""A Python name, as patterns of ECMAScript can say it, which is what editors have."""
_SECTIONS: Final = ("Strategies", "Entry", "Format", "Target", "Sprt", "Faults", "Report")
_OF_SWEEPS: Final = ("Sweep", "Confirm")

Schema = dict[str, Any]


def config_schema() -> Schema:
    """The schema of a config file, as plain JSON values."""
    schema = Config.model_json_schema(by_alias=False, schema_generator=_generator())
    of_sweeps = SweepConfig.model_json_schema(by_alias=False, schema_generator=_generator())
    schema["properties"]["sweep"] = of_sweeps["properties"]["sweep"]
    sections = {name: schema["$defs"][name] for name in _SECTIONS}
    sections |= {name: of_sweeps["$defs"][name] for name in _OF_SWEEPS}
    for section in (schema, *sections.values()):
        _tidy(section)
    _refine_top(schema)
    _refine_strategies(sections["Strategies"])
    _refine_entry(sections["Entry"])
    _refine_format(sections["Format"], sections["Target"])
    _refine_sweep(sections["Sweep"])
    for key in NULL_KEYS:
        value = sections["Faults"]["properties"][key]
        value["type"] = [value["type"], "null"]
    return {
        "$schema": DIALECT,
        "title": "hearts-sim config",
        "description": "A tournament between strategies for the card game Hearts.",
        **{key: value for key, value in schema.items() if key not in ("title", "description")},
        "$defs": {
            **sections,
            "Rules": _rules(),
            "Preset": _preset(),
            "Card": _card(),
            "OptionValue": _option_value(),
        },
    }


def _generator() -> Any:
    """Pydantic's own, with nothing said of `Rules`: that is `_rules`."""
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        def is_instance_schema(self, schema: Any) -> Any:
            return {}

    return Generator


def _tidy(section: Schema) -> None:
    """Leave out what says nothing to an editor, and null, which a key of a config may not be."""
    section.pop("title", None)
    section.pop("description", None)
    for key, value in section.get("properties", {}).items():
        value.pop("title", None)
        if value.get("default", ...) in (None, "", []):
            del value["default"]
        kept = [one for one in value.get("anyOf", ()) if one != {"type": "null"}]
        if len(kept) == 1:
            del value["anyOf"]
            section["properties"][key] = {**kept[0], **value}


def _refine_top(schema: Schema) -> None:
    keys = schema["properties"]
    for key in ("name", "format"):
        schema["required"].remove(key)
    # A run, or a sweep, which names its entries itself.
    no_anchor = {"properties": {"report": {"properties": {"anchor": False}}}}
    schema["oneOf"] = [{"required": ["format"]}, {"required": ["sweep"], **no_anchor}]
    keys["name"]["pattern"] = _whole(NAME.pattern)
    keys["rules"] = {
        "description": keys["rules"]["description"],
        "anyOf": [{"$ref": "#/$defs/Preset"}, {"$ref": "#/$defs/Rules"}],
        "default": "black_lady",
    }


def _whole(pattern: str) -> str:
    return f"^(?:{pattern})$"


def _preset() -> Schema:
    """A preset by its name, which editors complete, or by another name in any spelling."""
    return {
        "description": "Name of a preset; 'hearts-sim variants' lists them.",
        "anyOf": [
            {
                "oneOf": [
                    {"const": preset.name, "description": preset.summary}
                    for preset in PRESETS.values()
                ]
            },
            {
                "type": "string",
                "pattern": "|".join(_spellings(name) for name in _other_names()),
            },
        ],
    }


def _other_names() -> Iterable[str]:
    for preset in PRESETS.values():
        yield preset.name
        yield from preset.also


def _spellings(name: str) -> str:
    """A pattern for a name with any capitals, and anything but letters and digits in between."""
    letters = [letter for letter in name.lower() if letter.isalnum()]
    both = [f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in letters]
    between = "[^a-zA-Z0-9]*"
    return f"^{between}{between.join(both)}{between}$"


def _refine_strategies(section: Schema) -> None:
    keys = section["properties"]
    keys["folder"] = _one_or_more(keys["folder"], {"type": "string", "pattern": r"\S"})
    name = {"type": "string", "pattern": _IDENTIFIER, "description": "Name of a strategy's class."}
    keys["entries"]["items"] = {"anyOf": [name, {"$ref": "#/$defs/Entry"}]}
    alone = {
        "required": ["entries"],
        "properties": {
            "entries": {
                "items": {
                    "type": "object",
                    "anyOf": [{"required": [form]} for form in FORMS if form != "strategy"],
                }
            }
        },
    }
    section["anyOf"] = [{"required": ["folder"]}, alone]


def _one_or_more(listed: Schema, item: Schema) -> Schema:
    """One text, or a list of them."""
    return {
        "description": listed["description"],
        "anyOf": [item, {"type": "array", "minItems": 1, "items": item}],
    }


def _refine_entry(section: Schema) -> None:
    keys = section["properties"]
    keys["strategy"]["pattern"] = _IDENTIFIER
    keys["name"] |= {"minLength": 1, "maxLength": 60, "pattern": r"^\S(.*\S)?$"}
    keys["options"] |= {
        "propertyNames": {"pattern": _IDENTIFIER},
        "additionalProperties": {"$ref": "#/$defs/OptionValue"},
    }
    keys["command"] = {
        "description": keys["command"]["description"],
        "anyOf": [
            {"type": "string", "pattern": r"\S"},
            {
                "type": "array",
                "minItems": 1,
                "prefixItems": [{"type": "string", "minLength": 1}],
                "items": {"type": "string"},
            },
        ],
    }
    keys["library"]["pattern"] = r"\S"
    keys["symbol"]["pattern"] = "^[A-Za-z_][A-Za-z0-9_]*$"
    section["oneOf"] = [_form(form) for form in FORMS]


def _option_value() -> Schema:
    """A number, text, true, false, null or a list of these."""
    listed = {"type": "array", "items": {"$ref": "#/$defs/OptionValue"}}
    return {"anyOf": [{"type": ["string", "number", "boolean", "null"]}, listed]}


def _form(form: str) -> Schema:
    """An entry of one form: without the keys of the others, and with a name unless it has one."""
    foreign = [key for key, owner in FORM_OF.items() if owner != form]
    found: Schema = {
        "required": [form] if form == "strategy" else [form, "name"],
        "properties": dict.fromkeys(foreign, False),
    }
    if form == "library":
        numbers = {"additionalProperties": {"type": ["number", "boolean"]}}
        found["properties"]["options"] = numbers
    return found


def _refine_format(section: Schema, target: Schema) -> None:
    keys = section["properties"]
    keys["newcomers"] = _one_or_more(keys["newcomers"], {"type": "string"})
    keys["newcomers"]["anyOf"][1]["uniqueItems"] = True
    target |= {"minProperties": 1, "maxProperties": 1}
    section["allOf"] = [
        *(_if_type(owner, forbidden=key) for key, owner in ONLY_IN.items()),
        _if_type("gauntlet", required="newcomers"),
        *_budget(),
    ]
    section["dependentRequired"] = {"a": ["b"], "b": ["a"]}
    selfplay = _if_type("selfplay")
    selfplay["then"] = {"properties": {"target": {"properties": {"elo_halfwidth": False}}}}
    section["allOf"].append(selfplay)


def _budget() -> list[Schema]:
    """How long: one of them, or a sequential test that ends by itself."""
    return [
        {"anyOf": [{"required": [key]} for key in (*BUDGETS, "sprt")]},
        *(
            {"not": {"required": [key, other]}}
            for place, key in enumerate(BUDGETS)
            for other in BUDGETS[place + 1 :]
        ),
        {"not": {"required": ["target", "sprt"]}},
        {
            "if": {"required": ["max_games"]},
            "then": {
                "anyOf": [{"required": ["target"]}, {"required": ["sprt"]}],
                "properties": {"games": False, "blocks": False},
            },
        },
    ]


def _refine_sweep(section: Schema) -> None:
    keys = section["properties"]
    name = {"type": "string", "minLength": 1, "description": "Name of an entry or of a class."}
    for key in ("strategy", "against"):
        said = keys[key]["description"]
        keys[key] = {"description": said, "anyOf": [name, {"$ref": "#/$defs/Entry"}]}
    value = {"type": ["string", "number", "boolean"]}
    keys["options"] = {
        "description": keys["options"]["description"],
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": _IDENTIFIER},
        "additionalProperties": {
            "type": "array", "minItems": 1, "uniqueItems": True, "items": value,
        },
    }  # fmt: skip
    section["allOf"] = _budget()


def _if_type(kind: str, *, forbidden: str = "", required: str = "") -> Schema:
    """What only one type of format has, or must have."""
    condition: Schema = {
        "if": {"required": ["type"], "properties": {"type": {"const": kind}}},
    }
    if forbidden:
        condition["else"] = {"properties": {forbidden: False}}
    if required:
        condition["then"] = {"required": [required]}
    return condition


def _card() -> Schema:
    """A card as a person writes it: ``QS``, ``10h``."""
    ranks = "|".join([*(f"[{r}{r.lower()}]" if r.isalpha() else r for r in RANKS), "10"])
    return {
        "type": "string",
        "description": "A card, such as QS or 10H.",
        "pattern": f"^\\s*(?:{ranks})[{SUITS}{SUITS.lower()}]\\s*$",
    }


def _rules() -> Schema:
    """The settings of the rules, with their meanings."""
    values = {name: _setting(name) for name in FIELDS}
    settings = {
        name: {"description": FIELDS[name].metadata["meaning"], **value}
        for name, value in values.items()
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {"preset": {"$ref": "#/$defs/Preset"}, **settings},
    }


def _setting(name: str) -> Schema:
    if name in CHOICES:
        return {"enum": list(CHOICES[name])}
    if name in SWITCHES:
        return {"type": "boolean"}
    if name in RANGES:
        return _between(*RANGES[name])
    cards: Schema = {"type": "array", "items": {"$ref": "#/$defs/Card"}}
    size = _or_auto(_between(2, 52))
    tokens = {"enum": list(PASS_TOKENS)}
    cycle = {"type": "array", "items": tokens, "minItems": 1, "maxItems": MAX_CYCLE}
    others: Mapping[str, Schema] = {
        "players": _between(MIN_PLAYERS, MAX_PLAYERS),
        "deck_removal": {"anyOf": [{"enum": list(DECKS)}, cards, _by_players(cards)]},
        "hand_size": {"anyOf": [size, _by_players(size)]},
        "pass_cycle": {"anyOf": [cycle, _by_players(cycle)]},
        "pass_forbidden": cards,
        "cards": _points(1, 1000),
        "bonus": _points(-1000, -1),
        "moon_value": _or_auto(_between(1, 10_000)),
        "end": {
            "anyOf": [
                {"const": "points"},
                {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["deals"],
                    "properties": {"deals": _between(1, 10_000)},
                },
            ]
        },
    }
    return copy.deepcopy(others[name])


def _between(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _or_auto(number: Schema) -> Schema:
    return {"anyOf": [{"const": "auto"}, number]}


def _by_players(value: Schema) -> Schema:
    """A mapping from the number of players."""
    sizes = "|".join(str(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1))
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "patternProperties": {f"^({sizes})$": value},
    }


def _points(low: int, high: int) -> Schema:
    return {
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/Card"},
        "additionalProperties": _between(low, high),
    }
