// Call functions with the arguments of a spec's examples: `run_examples.mjs REPORT EXAMPLES`. Started in the project.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const SKIPPED = /(^|\/)(tests?|__tests__|spec|node_modules|dist|build|\.[^/]+)\/|[._-](test|spec)\.[cm]?js$/;
const [report, examples] = process.argv.slice(2);
const wanted = JSON.parse(readFileSync(examples, "utf8"));

function* sources(folder = ".") {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (SKIPPED.test(entry.isDirectory() ? `${path}/` : path)) continue;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.[cm]?js$/.test(path)) yield path;
  }
}

function definitions(name) {
  const pattern = new RegExp(`\\b(?:function\\*?|class)\\s+${name}\\b|\\b(?:const|let|var)\\s+${name}\\s*=|exports\\.${name}\\s*=`);
  return [...sources()].filter((path) => pattern.test(readFileSync(path, "utf8")));
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) return value;
  if (value === undefined) return null;
  return { other: String(value).slice(0, 300) };
}

async function call({ function: name, owner, arguments: values }) {
  const files = definitions(owner || name);
  if (files.length !== 1) return { unknown: files.length ? "several functions have this name" : "no function has this name" };
  let found;
  try {
    const module = await import(pathToFileURL(resolve(files[0])).href);
    found = module[owner || name] ?? module.default?.[owner || name];
    if (owner && typeof found === "function") {
      const made = new found();
      found = made[name]?.bind(made);
    }
  } catch (error) {
    return { unknown: `it cannot be imported: ${error}`.slice(0, 300) };
  }
  if (typeof found !== "function" || found.length > values.length) return { unknown: "it cannot be called like this" };
  try {
    const isClass = /^class\b/.test(Function.prototype.toString.call(found));
    const value = isClass ? new found(...values) : await found(...values);
    return { returned: plain(typeof value?.next === "function" && value[Symbol.iterator] ? [...value] : value) };
  } catch (error) {
    return { raised: error?.constructor?.name ?? typeof error, text: String(error).slice(0, 300) };
  }
}

const found = [];
for (const example of wanted) found.push(await call(example));
writeFileSync(report, JSON.stringify(found));
process.exit(0);
