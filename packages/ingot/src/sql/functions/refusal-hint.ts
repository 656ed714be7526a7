/** What to write instead of a function of Spark that has no translation: the first pattern that its name fits. */
const HINTS: readonly (readonly [names: RegExp, hint: string])[] = [
  [/^approx_count_distinct$|^hll_|^theta_|^tuple_/, "Count exactly: count(DISTINCT x)."],
  [/^kll_/, "Take percentile(x, p) or percentile_approx(x, p)."],
  [/^approx_top_k/, "Count exactly: GROUP BY x ORDER BY count(*) DESC LIMIT k."],
  [/^(histogram_numeric|count_min_sketch)$/, "Count exactly: GROUP BY width_bucket(x, low, high, n)."],
  [/^bitmap_/, "Collect the numbers: collect_set(x)."],
  [/variant|^(try_)?parse_json$/, "Keep the JSON as STRING and read it with from_json or get_json_object."],
  [/csv$/, "Read files with read_files(…, format => 'csv'); part a text with split, join with concat_ws."],
  [/xml$|^xpath/, "Take values out with regexp_extract, or make JSON of the file before it lands."],
  [/avro|protobuf/, "Make JSON of the message before it lands, and read it with from_json."],
  [/^(session_window|window_time|time_bucket)$/, "Group by date_trunc('HOUR', t), or by unix_seconds(t) DIV 900."],
  [/^current_(catalog|database|schema|path)$/, "Write the name."],
  [/^(current_user|session_user|user|version)$/, "A query must give the same whoever runs it: write the value."],
  [/^(monotonically_increasing_id|spark_partition_id)$/, "Take row_number() OVER (ORDER BY …)."],
  [/^input_file_/, "Take _metadata.file_path, _metadata.file_name."],
  [/^(randn|randstr|uniform)$/, "Take rand(), or a hash of the key, which stays the same."],
  [/aes_/, "Encrypt and decrypt outside of the pipeline; compare by sha2(x, 256)."],
  [
    /^(try_)?make_interval$/,
    "Take make_ym_interval(years, months) or make_dt_interval(days, hours, minutes, seconds).",
  ],
  [/(^|_)time(_|$)/, "Keep the time of day as STRING, or as seconds."],
  [/^vector_/, "Compute with aggregate(zip_with(a, b, (x, y) -> x * y), …)."],
  [/^(java_method|(try_)?reflect)$/, "There is no Java here."],
  [/^sentences$/, "Part the text with split."],
  [/^collat/, "Texts are compared by their bytes; compare lower(x)."],
  [
    /^(sin|cos|tan|cot|sec|csc)$/,
    "The processor decides the last digit of Spark's result: compute it outside of the pipeline.",
  ],
  [/^st_/, "Keep coordinates as two numbers."],
];

export function hintFor(name: string): string {
  return HINTS.find(([names]) => names.test(name.toLowerCase()))?.[1] ?? "Express it with other functions.";
}
