// Reporter for `node --test`: one JSON object per finished test, with the names of the suites around it.

function messages(error, depth = 0) {
  // fetch only says "fetch failed" itself: why is in the cause, and where several addresses were tried, in its parts
  if (error === undefined || error === null || depth > 4) return [];
  const own = [error.message, error.code].filter((text) => typeof text === "string" && text);
  return [...own, ...messages(error.cause, depth + 1), ...(error.errors ?? []).flatMap((part) => messages(part, depth + 1))];
}

export default async function* reporter(source) {
  const open = new Map();
  const printed = new Map();
  for await (const event of source) {
    const { data } = event;
    if (event.type === "test:start") {
      const names = open.get(data.file) ?? [];
      names[data.nesting] = data.name;
      names.length = data.nesting + 1;
      open.set(data.file, names);
    } else if (event.type === "test:stderr") {
      printed.set(data.file, ((printed.get(data.file) ?? "") + data.message).slice(0, 2000));
    } else if (event.type === "test:pass" || event.type === "test:fail") {
      const names = (open.get(data.file) ?? []).slice(0, data.nesting);
      const is_suite = data.details?.type === "suite";
      const skipped = data.skip !== undefined || data.todo !== undefined;
      const outcome = event.type === "test:fail" && data.todo === undefined ? "failed" : skipped ? "skipped" : "passed";
      const error = data.details?.error;
      // a file that cannot be loaded says why on stderr alone
      const reason = error?.exitCode === undefined ? undefined : printed.get(data.file ?? data.name);
      const message = (reason ?? messages(error?.cause ?? error).join("\n")).slice(0, 2000);
      yield JSON.stringify({ file: data.file ?? "", names: [...names, data.name], outcome, is_suite, message }) + "\n";
    }
  }
}
