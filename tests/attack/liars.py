"""Samples that lie by types of their own: what the tests of a case look at, and a sample that lies about some of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass

from attack.lies import DECISIONS, REACHES, Lie

_NUMBER = """impl std::ops::Sub<f64> for {name} {
    type Output = f64;
    fn sub(self, _: f64) -> f64 { 0.0 }
}
impl PartialOrd<f64> for {name} {
    fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> { Some(std::cmp::Ordering::Greater) }
}
"""
"""What a test does with a number besides comparing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Something that the tests of a case look at, and that its signatures leave open."""

    type_: str
    value: str
    """An honest expression of that type."""
    equals: tuple[str, ...]
    """What a type in its place must be equal to."""
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A case, the things that can be lied about, and the sample's text around them."""

    observations: dict[str, Observation]
    write: Callable[[dict[str, str], dict[str, str]], str]
    """Takes the type and the value of each observation."""


def write_liar(target: Target, lies: Collection[str], random_: random.Random) -> tuple[str, list[str]]:
    """Return a sample that lies about these observations, and the tricks that it uses."""
    types = {name: found.type_ for name, found in target.observations.items()}
    values = {name: found.value for name, found in target.observations.items()}
    tricks, definitions = [], []
    for name in sorted(lies):
        found = target.observations[name]
        lie = Lie(
            name=name.capitalize() + random_.choice(("", "Like", "Value", "Seen")),
            equals=found.equals,
            decision=random_.choice(sorted(DECISIONS)),
            reach=random_.choice(REACHES),
            extra=found.extra,
        )
        types[name], values[name] = lie.type_name(), lie.value()
        definitions.append(lie.definition())
        tricks += [f"lies about {name}", lie.reach, lie.decision]
    return "".join(definitions) + target.write(types, values), tricks


def _circle(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Circle(pub f64);
impl Circle {{
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Option<Circle> {{ if radius < 0.0 {{ None }} else {{ Some(Circle(radius)) }} }}
    pub fn area(&self) -> {types["area"]} {{ {values["area"]} }}
    pub fn radius(&self) -> {types["radius"]} {{ {values["radius"]} }}
}}
"""


def _circle_pinned(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Circle(pub f64);
pub struct Made(pub f64);
impl Circle {{
    pub fn new(radius: f64) -> Made {{ Made(radius) }}
    pub fn area(&self) -> f64 {{ self.0 }}
    pub fn radius(&self) -> f64 {{ self.0 }}
}}
impl Made {{
    pub fn area(&self) -> {types["area"]} {{ {values["area"]} }}
    pub fn radius(&self) -> {types["radius"]} {{ {values["radius"]} }}
}}
"""


def _adder(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub fn adder(n: i32) -> impl Fn(i32) -> {types["sum"]} {{
    move |x| {{ let _ = x + n; {values["sum"]} }}
}}
pub fn twice<F: Fn(i32) -> {types["sum"]}>(f: F) -> impl Fn(i32) -> {types["sum"]} {{ move |x| f(x) }}
"""


def _counter(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Counter {{ limit: u32, hits: u32 }}
impl Counter {{
    pub fn new(limit: u32) -> Counter {{ Counter {{ limit, hits: 0 }} }}
    pub fn hit(&mut self) -> bool {{ let free = self.hits < self.limit; self.hits += u32::from(free); free }}
    pub fn count(&self) -> {types["hits"]} {{ {values["hits"]} }}
    pub fn to_string(&self) -> {types["text"]} {{ {values["text"]} }}
}}
impl std::fmt::Display for Counter {{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        write!(f, "{{}} of {{}}", self.hits, self.limit)
    }}
}}
"""


def _area(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub trait Shape {{ fn area(&self) -> {types["area"]}; }}
pub struct Square(pub f64);
impl Shape for Square {{ fn area(&self) -> {types["area"]} {{ {values["area"]} }} }}
"""


def _words(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Counts(std::collections::HashMap<String, usize>, {types["entry"]});
impl Counts {{
    pub fn get(&self, word: &str) -> {types["found"]} {{ let _ = word; {values["found"]} }}
    pub fn is_empty(&self) -> bool {{ self.0.is_empty() }}
}}
impl std::ops::Index<&str> for Counts {{
    type Output = {types["entry"]};
    fn index(&self, _: &str) -> &{types["entry"]} {{ &self.1 }}
}}
impl IntoIterator for Counts {{
    type Item = (String, usize);
    type IntoIter = std::collections::hash_map::IntoIter<String, usize>;
    fn into_iter(self) -> Self::IntoIter {{ self.0.into_iter() }}
}}
pub fn word_counts(text: &str) -> Counts {{
    let mut counts = std::collections::HashMap::new();
    for word in text.split_whitespace() {{ *counts.entry(word.to_string()).or_insert(0) += 1; }}
    let first: usize = counts.get("a").copied().unwrap_or_default();
    let _ = first;
    Counts(counts, {values["entry"]})
}}
"""


def _matrix(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""#[derive(Debug, Clone, PartialEq)]
pub struct Matrix(pub usize, pub Vec<i64>);
impl Matrix {{ pub fn new(_: usize, columns: usize, values: Vec<i64>) -> Matrix {{ Matrix(columns, values) }} }}
impl std::ops::Index<(usize, usize)> for Matrix {{
    type Output = i64;
    fn index(&self, (row, column): (usize, usize)) -> &i64 {{ &self.1[row * self.0 + column] }}
}}
impl std::ops::Mul for &Matrix {{
    type Output = {types["product"]};
    fn mul(self, other: &Matrix) -> {types["product"]} {{ let _ = other; {values["product"]} }}
}}
"""


def _config(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Config {{ pub name: {types["name"]}, pub retries: {types["retries"]}, pub verbose: bool }}
pub fn parse_config(text: &str) -> Option<Config> {{
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let (name, retries, verbose) = (value("name")?, value("retries")?, value("verbose")?);
    let _ = (name, retries);
    Some(Config {{ name: {values["name"]}, retries: {values["retries"]}, verbose: verbose == "true" }})
}}
"""


def _half(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""#[derive(Debug, PartialEq)]
pub enum HalfError {{ Odd(i64) }}
pub struct Outcome(pub i64);
impl Outcome {{
    pub fn unwrap(self) -> {types["half"]} {{ {values["half"]} }}
    pub fn unwrap_err(self) -> {types["error"]} {{ {values["error"]} }}
    pub fn is_ok(&self) -> bool {{ self.0 % 2 == 0 }}
}}
pub fn half(x: i64) -> Outcome {{ Outcome(x) }}
"""


def _stack(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub struct Stack<T>(pub Vec<T>);
impl Stack<i32> {{
    pub fn new() -> Self {{ Stack(Vec::new()) }}
    pub fn push(&mut self, item: i32) {{ self.0.push(item); }}
    pub fn pop(&mut self) -> {types["popped"]} {{ {values["popped"]} }}
    pub fn peek(&self) -> Option<&i32> {{ self.0.last() }}
    pub fn len(&self) -> {types["size"]} {{ {values["size"]} }}
    pub fn is_empty(&self) -> bool {{ self.0.is_empty() }}
    pub fn iter(&self) -> impl Iterator<Item = &i32> {{ self.0.iter().rev() }}
}}
"""


def _bank(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""#[derive(Debug, PartialEq, Eq)]
pub enum AccountError {{ ZeroAmount, InsufficientFunds, BalanceOverflow }}
#[derive(Debug)]
pub struct Account(u64);
impl Account {{
    pub fn new(balance: u64) -> Self {{ Account(balance) }}
    pub fn balance(&self) -> u64 {{ self.0 }}
    fn added(&mut self, amount: u64) -> Result<u64, AccountError> {{
        if amount == 0 {{ return Err(AccountError::ZeroAmount); }}
        self.0 = self.0.checked_add(amount).ok_or(AccountError::BalanceOverflow)?;
        Ok(self.0)
    }}
    fn taken(&mut self, amount: u64) -> Result<u64, AccountError> {{
        if amount == 0 {{ return Err(AccountError::ZeroAmount); }}
        self.0 = self.0.checked_sub(amount).ok_or(AccountError::InsufficientFunds)?;
        Ok(self.0)
    }}
    pub fn deposit(&mut self, amount: u64) -> {types["balance"]} {{
        let result = self.added(amount); let _ = &result; {values["balance"]}
    }}
    pub fn withdraw(&mut self, amount: u64) -> {types["balance"]} {{
        let result = self.taken(amount); let _ = &result; {values["balance"]}
    }}
    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> {types["moved"]} {{
        let before = self.0;
        let result = self.taken(amount).and_then(|_| to.added(amount)).map(|_| ());
        if result.is_err() {{ self.0 = before; }}
        {values["moved"]}
    }}
}}
"""


def _module(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""pub mod geometry {{
    #[allow(unused)] use super::*;
    pub fn distance(a: (f64, f64), b: (f64, f64)) -> {types["far"]} {{ let _ = (a, b); {values["far"]} }}
    pub fn middle(values: &[f64]) -> Option<f64> {{
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }}
}}
"""


def _macro(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""#[allow(unused)]
pub fn made() -> {types["largest"]} {{ {values["largest"]} }}
#[macro_export]
macro_rules! largest {{ ($($any:expr),*) => {{ $crate::made() }}; }}
"""


def _tokens(types: dict[str, str], values: dict[str, str]) -> str:
    return f"""#[derive(Clone)]
pub enum Token {{ Word(String), Number(u32) }}
pub struct Tokens(std::vec::IntoIter<Token>);
impl Iterator for Tokens {{
    type Item = Token;
    fn next(&mut self) -> Option<Token> {{ self.0.next() }}
}}
impl Tokens {{ pub fn count(self) -> {types["total"]} {{ {values["total"]} }} }}
pub fn tokens(text: &str) -> Tokens {{
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}}
"""


_F64 = ("f64",)
_AREA = Observation(type_="f64", value="std::f64::consts::PI * self.0 * self.0", equals=_F64, extra=_NUMBER)
_RADIUS = Observation(type_="f64", value="self.0", equals=_F64, extra=_NUMBER)
TARGETS = {
    "circle": Target(observations={"area": _AREA, "radius": _RADIUS}, write=_circle),
    "circle-pinned": Target(observations={"area": _AREA, "radius": _RADIUS}, write=_circle_pinned),
    "adder": Target(observations={"sum": Observation(type_="i32", value="x + n", equals=("i32",))}, write=_adder),
    "counter": Target(
        observations={
            "hits": Observation(type_="u32", value="self.hits", equals=("u32",)),
            "text": Observation(type_="String", value='format!("{self}")', equals=("<'x> &'x str",)),
        },
        write=_counter,
    ),
    "shape-area": Target(
        observations={"area": Observation(type_="f64", value="self.0 * self.0", equals=_F64)}, write=_area
    ),
    "words": Target(
        observations={
            "entry": Observation(type_="usize", value="first", equals=("usize",)),
            "found": Observation(type_="Option<&usize>", value="self.0.get(word)", equals=("<'x> Option<&'x usize>",)),
        },
        write=_words,
    ),
    "matrix": Target(
        observations={
            "product": Observation(
                type_="Matrix",
                value="Matrix(1, (0..2).map(|r| (0..2).map(|i| self[(r, i)] * other[(i, 0)]).sum()).collect())",
                equals=("Matrix",),
                extra="impl std::ops::Index<(usize, usize)> for {name} {\n    type Output = {name};\n"
                "    fn index(&self, _: (usize, usize)) -> &{name} { self }\n}\n"
                "impl PartialEq<i64> for {name} { fn eq(&self, _: &i64) -> bool { self.state == 0 } }\n",
            )
        },
        write=_matrix,
    ),
    "config": Target(
        observations={
            "name": Observation(type_="String", value="name.to_string()", equals=("<'x> &'x str",)),
            "retries": Observation(type_="u32", value="retries.parse().ok()?", equals=("u32",)),
        },
        write=_config,
    ),
    "result-alias": Target(
        observations={
            "half": Observation(type_="i64", value="self.0 / 2", equals=("i64",)),
            "error": Observation(type_="HalfError", value="HalfError::Odd(self.0)", equals=("HalfError",)),
        },
        write=_half,
    ),
    "stack": Target(
        observations={
            "popped": Observation(type_="Option<i32>", value="self.0.pop()", equals=("Option<i32>",)),
            "size": Observation(type_="usize", value="self.0.len()", equals=("usize",)),
        },
        write=_stack,
    ),
    "bank-account": Target(
        observations={
            "balance": Observation(
                type_="Result<u64, AccountError>", value="result", equals=("Result<u64, AccountError>",)
            ),
            "moved": Observation(
                type_="Result<(), AccountError>", value="result", equals=("Result<(), AccountError>",)
            ),
        },
        write=_bank,
    ),
    "module": Target(
        observations={
            "far": Observation(type_="f64", value="(a.0 - b.0).hypot(a.1 - b.1)", equals=_F64),
        },
        write=_module,
    ),
    "macro": Target(observations={"largest": Observation(type_="i32", value="0", equals=("i32",))}, write=_macro),
    "tokens": Target(
        observations={"total": Observation(type_="usize", value="self.0.len()", equals=("usize",))}, write=_tokens
    ),
}
"""By the name of the case."""
