import type { IngotError } from "../../model/error.js";
import type { TokenReader } from "../token-reader.js";

/** First words of Spark's statements that are no definitions. */
const STATEMENTS = new Set(
  (
    "ADD ALTER ANALYZE BEGIN CACHE CALL CLEAR COMMENT COPY DECLARE DELETE DESC DESCRIBE DROP EXECUTE EXPLAIN EXPORT " +
    "FROM GRANT IMPORT INSERT LIST LOAD MERGE MSCK OPTIMIZE REFRESH REPAIR RESET RESTORE REVOKE SELECT SHOW SYNC " +
    "TABLE TRUNCATE UNCACHE UNDROP UPDATE VACUUM VALUES WITH"
  ).split(" "),
);

/** Kinds of objects that Spark creates and a pipeline does not. */
const OBJECTS = new Set(
  (
    "CATALOG CONNECTION DATABASE EXTERNAL FOREIGN FUNCTION GLOBAL GROUP INDEX NAMESPACE POLICY PROCEDURE RECIPIENT " +
    "ROLE SCHEMA SHARE TABLE VARIABLE VOLUME"
  ).split(" "),
);

const CAN_STAND =
  "A pipeline file holds CREATE STREAMING TABLE, CREATE MATERIALIZED VIEW, CREATE [TEMPORARY] VIEW, CREATE FLOW, SET and USE.";

/** The error for a statement that begins with none of a pipeline's words. */
export function refuseStatement(reader: TokenReader): IngotError {
  const word = firstWord(reader);
  if (STATEMENTS.has(word) || reader.sees("(")) return registrationError(reader, word === "" ? "A query" : word);
  return reader.failure(["CREATE", "SET", "USE", "APPLY CHANGES"], "PARSE_SYNTAX_ERROR", CAN_STAND);
}

/** The error for CREATE of something else; the reader stands at its kind. */
export function refuseCreate(reader: TokenReader): IngotError {
  const word = firstWord(reader);
  if (OBJECTS.has(word)) return registrationError(reader, `CREATE ${word}`);
  if (reader.take("MATERIALIZED")) return reader.failure(["VIEW"]);
  if (reader.take("STREAMING") || reader.take("LIVE")) return reader.failure(["TABLE", "LIVE"]);
  return reader.failure(["STREAMING TABLE", "MATERIALIZED VIEW", "VIEW", "TEMPORARY VIEW", "FLOW"]);
}

function registrationError(reader: TokenReader, statement: string): IngotError {
  const hints: Readonly<Record<string, string>> = {
    "CREATE TABLE": "Declare a STREAMING TABLE (rows are added) or a MATERIALIZED VIEW (a query's result).",
    INSERT: "Write CREATE FLOW name AS INSERT INTO table BY NAME SELECT ….",
    SELECT: "Give the query a name: CREATE MATERIALIZED VIEW name AS SELECT ….",
  };
  return reader.error(
    "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
    `${statement} cannot stand in a pipeline file`,
    hints[statement] ?? CAN_STAND,
  );
}

function firstWord(reader: TokenReader): string {
  const token = reader.peek();
  return token?.kind === "word" ? token.text.toUpperCase() : "";
}
