"""Values of Delta tables to JSON and back, by Delta type; the forms are those of relation.ts."""

import json
import math
from datetime import date, datetime, timezone
from decimal import Decimal

SPARK_NAMES = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}


def type_name(kind):
    """Spark's name of a Delta type: `decimal(10,2)`, `struct<a:int,b:string>`."""
    if isinstance(kind, str):
        return SPARK_NAMES.get(kind, kind)
    if kind["type"] == "struct":
        fields = (f"{field['name']}:{type_name(field['type'])}" for field in kind["fields"])
        return f"struct<{','.join(fields)}>"
    if kind["type"] == "array":
        return f"array<{type_name(kind['elementType'])}>"
    return f"map<{type_name(kind['keyType'])},{type_name(kind['valueType'])}>"


def render(value, kind):
    if value is None:
        return None
    if isinstance(kind, dict):
        if kind["type"] == "struct":
            return {field["name"]: render(value[field["name"]], field["type"]) for field in kind["fields"]}
        if kind["type"] == "array":
            return [render(item, kind["elementType"]) for item in value]
        return [[render(key, kind["keyType"]), render(item, kind["valueType"])] for key, item in value]
    if kind == "long":
        return str(value)
    if kind.startswith("decimal"):
        return format(value, "f")
    if kind in ("float", "double") and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if kind == "date":
        return value.isoformat()
    if kind in ("timestamp", "timestamp_ntz"):
        whole, _, fraction = value.replace(tzinfo=None).isoformat(" ").partition(".")
        fraction = fraction.rstrip("0")
        return f"{whole}.{fraction}" if fraction else whole
    if kind == "binary":
        return value.hex().upper()
    return value


def parse(value, kind):
    if value is None:
        return None
    if isinstance(kind, dict):
        if kind["type"] == "struct":
            return {field["name"]: parse(value[field["name"]], field["type"]) for field in kind["fields"]}
        if kind["type"] == "array":
            return [parse(item, kind["elementType"]) for item in value]
        return [(parse(key, kind["keyType"]), parse(item, kind["valueType"])) for key, item in value]
    if kind == "long":
        return int(value)
    if kind.startswith("decimal"):
        return Decimal(value)
    if kind in ("float", "double"):
        return float(value)
    if kind == "date":
        return date.fromisoformat(value)
    if kind == "timestamp":
        return datetime.fromisoformat(value).replace(tzinfo=timezone.utc)
    if kind == "timestamp_ntz":
        return datetime.fromisoformat(value)
    if kind == "binary":
        return bytes.fromhex(value)
    return value


def each(read, paths):
    """What `read` gives for each path, {"error": text} where it fails."""

    def attempt(path):
        try:
            # What has no JSON form is no reading either.
            return json.loads(json.dumps(read(path)))
        # A panic of delta-rs is no Exception.
        except BaseException as error:
            return {"error": f"{type(error).__name__}: {error}"}

    return [attempt(path) for path in paths]
