// Reporter for `node --test`: one JSON object per finished test, with the names of the suites around it.
export default async function* reporter(source) {
  const open = new Map();
  for await (const event of source) {
    const { data } = event;
    if (event.type === "test:start") {
      const names = open.get(data.file) ?? [];
      names[data.nesting] = data.name;
      names.length = data.nesting + 1;
      open.set(data.file, names);
    } else if (event.type === "test:pass" || event.type === "test:fail") {
      const names = (open.get(data.file) ?? []).slice(0, data.nesting);
      const is_suite = data.details?.type === "suite";
      const skipped = data.skip !== undefined || data.todo !== undefined;
      const outcome = event.type === "test:fail" && data.todo === undefined ? "failed" : skipped ? "skipped" : "passed";
      const error = data.details?.error;
      const message = String(error?.cause?.message ?? error?.message ?? "").slice(0, 500);
      yield JSON.stringify({ file: data.file ?? "", names: [...names, data.name], outcome, is_suite, message }) + "\n";
    }
  }
}
