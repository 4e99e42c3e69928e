// Syntax colours: a lexer good enough to read by, for the languages that are graded.

const WORDS = {
  rust: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
  python: "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield self",
  javascript: "async await break case catch class const continue default delete do else export extends false finally for from function get if import in instanceof let new null of return set static super switch this throw true try typeof undefined var void while yield",
  typescript: "abstract any as async await boolean break case catch class const continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface keyof let never new null number of private protected public readonly return set static string super switch this throw true try type typeof undefined unknown var void while yield",
  go: "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var",
  java: "abstract boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import instanceof int interface long new null package private protected public return short static super switch synchronized this throw throws true try void volatile while var record",
  cpp: "auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend if inline int long mutable namespace new nullptr operator private protected public return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while include",
};
WORDS.c = WORDS.cpp;

// the end of the text; $ would be the end of any line
const END = String.raw`(?![\s\S])`;
const C_COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|${END})`;
const NUMBER = String.raw`\b\d[\w.]*\b`;
const PLAIN_STRING = String.raw`"(?:\\[\s\S]|[^"\\])*(?:"|${END})`;
const BACKTICKED = "`(?:\\\\[\\s\\S]|[^`\\\\])*(?:`|" + END + ")";
const QUOTED = String.raw`'(?:\\[\s\S]|[^'\\\n])*(?:'|${END})`;

const LEXERS = {
  rust: {
    comment: C_COMMENT,
    string: String.raw`\bb?r(#*)"[\s\S]*?(?:"\1|${END})|b?"(?:\\[\s\S]|[^"\\])*(?:"|${END})|b?'(?:\\[^\n]{1,10}?|[^'\\\n])'`,
    meta: String.raw`#!?\[[^\]\n]{0,300}\]|'[a-z_]\w*\b|\b[a-z_]\w*!`,
  },
  python: {
    comment: String.raw`#[^\n]*`,
    string: String.raw`[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|${END})|'''[\s\S]*?(?:'''|${END})|"(?:\\[\s\S]|[^"\\\n])*(?:"|${END})|'(?:\\[\s\S]|[^'\\\n])*(?:'|${END}))`,
    meta: String.raw`@[\w.]+`,
  },
  javascript: { comment: C_COMMENT, string: `${PLAIN_STRING}|${QUOTED}|${BACKTICKED}`, meta: String.raw`@\w+` },
  go: { comment: C_COMMENT, string: `${PLAIN_STRING}|${QUOTED}|${BACKTICKED}`, meta: "(?!)" },
  cpp: { comment: C_COMMENT, string: `${PLAIN_STRING}|${QUOTED}`, meta: String.raw`^[ \t]*#[^\n]*|@\w+` },
};
LEXERS.typescript = LEXERS.javascript;
LEXERS.java = LEXERS.c = LEXERS.cpp;

const lexers = new Map();

function lexer(language) {
  if (!lexers.has(language)) {
    const { comment, string, meta } = LEXERS[language] || LEXERS.cpp;
    const source = `(?<comment>${comment})|(?<string>${string.replace(String.raw`\1`, String.raw`\k<hashes>`).replace("(#*)", "(?<hashes>#*)")})|(?<meta>${meta})|(?<number>${NUMBER})|(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)`;
    lexers.set(language, [new RegExp(source, "gmu"), new Set((WORDS[language] || "").split(" "))]);
  }
  return lexers.get(language);
}

// Pieces of text with their kind, which together are the code.
function pieces(code, language) {
  const [pattern, words] = lexer(language);
  const found = [];
  let end = 0;
  pattern.lastIndex = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) found.push(["", code.slice(end, match.index)]);
    found.push([kindOf(match.groups, words), match[0]]);
    end = match.index + match[0].length;
  }
  if (end < code.length) found.push(["", code.slice(end)]);
  return found;
}

function kindOf(groups, words) {
  if (groups.comment !== undefined) return "comment";
  if (groups.string !== undefined) return "string";
  if (groups.meta !== undefined) return "meta";
  if (groups.number !== undefined) return "number";
  if (words.has(groups.word)) return "keyword";
  return /^\p{Lu}/u.test(groups.word) ? "type" : "";
}

// The same, line by line.
function linesOf(code, language) {
  const lines = [[]];
  for (const [kind, text] of pieces(code, language)) {
    text.split("\n").forEach((part, number) => {
      if (number) lines.push([]);
      if (part) lines[lines.length - 1].push([kind, part]);
    });
  }
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop();
  return lines;
}
