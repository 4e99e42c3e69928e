//! rustc's own lexer, for the test of ours: a procedural macro that reads texts and writes their tokens.
//!
//! `lex!("texts" "tokens")`: `texts` holds each text behind its length in bytes and a newline. `tokens` gets, for each, the
//! word `ok` or `error` on a line, then one token a line (a letter for its kind, then the token, with `\` and newlines
//! escaped), then an empty line.

extern crate proc_macro;

use proc_macro::{Delimiter, TokenStream, TokenTree};
use std::fmt::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};

#[proc_macro]
pub fn lex(input: TokenStream) -> TokenStream {
    let paths: Vec<String> = input.into_iter().map(|path| path.to_string().trim_matches('"').to_string()).collect();
    let texts = std::fs::read_to_string(&paths[0]).expect("the texts can be read");
    let mut written = String::new();
    let mut rest = texts.as_str();
    while let Some((length, after)) = rest.split_once('\n') {
        let (text, next) = after.split_at(length.parse().expect("a length"));
        rest = next;
        match catch_unwind(AssertUnwindSafe(|| text.parse::<TokenStream>())) {
            Ok(Ok(stream)) => {
                written.push_str("ok\n");
                write_tokens(stream, &mut written);
            }
            _ => written.push_str("error\n"),
        }
        written.push('\n');
    }
    std::fs::write(&paths[1], written).expect("the tokens can be written");
    TokenStream::new()
}

fn write_tokens(stream: TokenStream, written: &mut String) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let (opening, closing) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("none", "none"),
                };
                writeln!(written, "p{opening}").unwrap();
                write_tokens(group.stream(), written);
                writeln!(written, "p{closing}").unwrap();
            }
            TokenTree::Ident(name) => writeln!(written, "n{name}").unwrap(),
            TokenTree::Punct(mark) => writeln!(written, "p{}", mark.as_char()).unwrap(),
            TokenTree::Literal(literal) => {
                let text = literal.to_string().replace('\\', "\\\\").replace('\n', "\\n");
                writeln!(written, "l{text}").unwrap();
            }
        }
    }
}
