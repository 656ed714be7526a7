import type { DataType } from "../../model/data-type.js";
import { describe } from "../bind/bind-place.js";
import { lowerCast } from "../lower/lower-cast.js";
import { arg, type Functions, type SparkFunction, scalar, unsupportedForm } from "./function.js";

/** `int(x)` and its like: a cast under the type's name. */
const cast = (type: DataType): SparkFunction =>
  scalar(1, 1, (use) => {
    const value = arg(use, 0);
    const lowered = lowerCast(value.sql, value.type, type, false);
    if (lowered === undefined)
      throw unsupportedForm(use, `${use.call.name} of ${describe(value.type)}`, "Cast by way of another type.");
    // Such a cast does not show in a name.
    return { ...lowered, type, nullable: value.nullable, name: value.name };
  });

export const CASTS: Functions = {
  boolean: cast({ kind: "boolean" }),
  tinyint: cast({ kind: "tinyint" }),
  smallint: cast({ kind: "smallint" }),
  int: cast({ kind: "int" }),
  bigint: cast({ kind: "bigint" }),
  float: cast({ kind: "float" }),
  double: cast({ kind: "double" }),
  decimal: cast({ kind: "decimal", precision: 10, scale: 0 }),
  string: cast({ kind: "string" }),
  binary: cast({ kind: "binary" }),
  date: cast({ kind: "date" }),
  timestamp: cast({ kind: "timestamp" }),
};
