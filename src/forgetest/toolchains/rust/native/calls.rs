//! What a sample's object is linked with whose function is called: JSON arguments → values of the function's own types,
//! and its result → JSON. The types are those that the sample declares: the compiler infers them from the call.
//!
//! References are to values that are never freed: the process ends after the call.

extern crate carrier as _; // the one copy of std

use std::any::type_name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::Hash;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::rc::Rc;

pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub type Answer<T> = Result<T, String>;

extern "C" {
    fn dup(from: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

/// Calls the function with the arguments on standard input. Its result goes to standard output; what it prints does not.
pub fn run(call: fn(&mut Arguments) -> Answer<String>) -> i32 {
    let mut result = unsafe { std::fs::File::from_raw_fd(dup(1)) };
    let nowhere = match std::fs::OpenOptions::new().write(true).open("/dev/null") {
        Ok(file) => file,
        Err(_) => return 97,
    };
    unsafe { dup2(nowhere.as_raw_fd(), 1) };
    let mut text = Vec::new();
    if std::io::stdin().read_to_end(&mut text).is_err() {
        return 97;
    }
    let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let values = parse(&text)?;
        let count = values.len();
        let mut arguments = Arguments { values: values.into_iter(), count, taken: 0 };
        call(&mut arguments)
    }));
    match answer {
        Ok(Ok(json)) => {
            if result.write_all(json.as_bytes()).is_ok() { 0 } else { 97 }
        }
        Ok(Err(reason)) => {
            let _ = writeln!(std::io::stderr(), "{reason}");
            2
        }
        Err(payload) => {
            std::mem::forget(payload);
            101
        }
    }
}

pub struct Arguments {
    values: std::vec::IntoIter<Json>,
    count: usize,
    taken: usize,
}

impl Arguments {
    pub fn take<T: FromJson>(&mut self) -> Answer<T> {
        self.taken += 1;
        let value = self.values.next().unwrap_or(Json::Null);
        T::from_json(value).map_err(|reason| format!("argument {}: {}", self.taken, reason))
    }

    /// Every test of a case has to have as many arguments as the first.
    pub fn require(&self, wanted: usize) -> Answer<()> {
        if self.count == wanted {
            return Ok(());
        }
        Err(format!("{} arguments, though the first test has {}", self.count, wanted))
    }
}

// --- reading ----------------------------------------------------------------------------------------------

pub fn parse(text: &[u8]) -> Answer<Vec<Json>> {
    let mut reader = Reader { text, at: 0 };
    match reader.value()? {
        Json::List(values) => Ok(values),
        _ => Err("the arguments are no list".into()),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> u8 {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn expect(&mut self, byte: u8) -> Answer<()> {
        if self.peek() != byte {
            return Err(format!("no JSON at byte {}", self.at));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Answer<Json> {
        Ok(match self.peek() {
            b'"' => Json::Text(self.string()?),
            b'[' => Json::List(self.sequence(b'[', b']', |reader| reader.value())?),
            b'{' => Json::Object(self.sequence(b'{', b'}', |reader| {
                reader.peek();
                let key = reader.string()?;
                reader.expect(b':')?;
                Ok((key, reader.value()?))
            })?),
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !b" \t\r\n,]}:".contains(&self.text[self.at]) {
                    self.at += 1;
                }
                match &self.text[start..self.at] {
                    b"null" => Json::Null,
                    b"true" => Json::Bool(true),
                    b"false" => Json::Bool(false),
                    number => Json::Number(String::from_utf8_lossy(number).into_owned()),
                }
            }
        })
    }

    fn sequence<T, F: Fn(&mut Self) -> Answer<T>>(
        &mut self, open: u8, close: u8, item: F,
    ) -> Answer<Vec<T>> {
        self.expect(open)?;
        let mut found = Vec::new();
        while self.peek() != close {
            if !found.is_empty() {
                self.expect(b',')?;
            }
            found.push(item(self)?);
        }
        self.at += 1;
        Ok(found)
    }

    fn string(&mut self) -> Answer<String> {
        self.expect(b'"')?;
        let mut found = Vec::new();
        loop {
            let byte = self.next()?;
            match byte {
                b'"' => break,
                b'\\' => {
                    let code = match self.next()? {
                        b'n' => 10,
                        b't' => 9,
                        b'r' => 13,
                        b'b' => 8,
                        b'f' => 12,
                        b'u' => self.escaped()?,
                        other => other as u32,
                    };
                    let letter = char::from_u32(code).unwrap_or('\u{fffd}');
                    found.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => found.push(byte),
            }
        }
        String::from_utf8(found).map_err(|_| "a text that is not UTF-8".into())
    }

    fn next(&mut self) -> Answer<u8> {
        self.at += 1;
        self.text.get(self.at - 1).copied().ok_or_else(|| "a text without an end".into())
    }

    fn escaped(&mut self) -> Answer<u32> {
        let first = self.four_digits()?;
        if first & 0xfc00 != 0xd800 || !self.text[self.at..].starts_with(b"\\u") {
            return Ok(first);
        }
        self.at += 2;
        let second = self.four_digits()?;
        Ok(0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff))
    }

    fn four_digits(&mut self) -> Answer<u32> {
        let mut code = 0;
        for _ in 0..4 {
            code = code * 16 + (self.next()? as char).to_digit(16).unwrap_or(0);
        }
        Ok(code)
    }
}

// --- values of the sample's types -------------------------------------------------------------------------

pub trait FromJson: Sized {
    fn from_json(value: Json) -> Answer<Self>;
}

fn unfit<T>(value: Json) -> Answer<T> {
    let mut text = String::new();
    value.write(&mut text);
    let shown: String = text.chars().take(60).collect();
    Err(format!("{} does not fit {}", shown, type_name::<T>()))
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl FromJson for $number {
            fn from_json(value: Json) -> Answer<Self> {
                if let Json::Number(text) = &value {
                    if let Ok(number) = text.parse() {
                        return Ok(number);
                    }
                }
                unfit(value)
            }
        }
    )*};
}
numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

impl FromJson for bool {
    fn from_json(value: Json) -> Answer<Self> {
        if let Json::Bool(truth) = value { Ok(truth) } else { unfit(value) }
    }
}

impl FromJson for char {
    fn from_json(value: Json) -> Answer<Self> {
        if let Json::Text(text) = &value {
            let mut letters = text.chars();
            if let (Some(letter), None) = (letters.next(), letters.next()) {
                return Ok(letter);
            }
        }
        unfit(value)
    }
}

impl FromJson for String {
    fn from_json(value: Json) -> Answer<Self> {
        if let Json::Text(text) = value { Ok(text) } else { unfit(value) }
    }
}

impl FromJson for () {
    fn from_json(value: Json) -> Answer<Self> {
        if let Json::Null = value { Ok(()) } else { unfit(value) }
    }
}

fn items<T: FromJson, C: FromIterator<T>>(value: Json) -> Answer<C> {
    if let Json::List(values) = value { values.into_iter().map(T::from_json).collect() } else { unfit(value) }
}

macro_rules! collections {
    ($($collection:path: $($bound:path),*;)*) => {$(
        impl<T: FromJson $(+ $bound)*> FromJson for $collection {
            fn from_json(value: Json) -> Answer<Self> {
                items(value)
            }
        }
    )*};
}
collections! {
    Vec<T>: ;
    VecDeque<T>: ;
    LinkedList<T>: ;
    HashSet<T>: Hash, Eq;
    BTreeSet<T>: Ord;
    BinaryHeap<T>: Ord;
}

impl<T: FromJson, const N: usize> FromJson for [T; N] {
    fn from_json(value: Json) -> Answer<Self> {
        let found: Vec<T> = items(value)?;
        let count = found.len();
        <[T; N]>::try_from(found)
            .map_err(|_| format!("{} values do not fit {}", count, type_name::<Self>()))
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: Json) -> Answer<Self> {
        if let Json::Null = value {
            return Ok(None);
        }
        T::from_json(value).map(Some)
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(value: Json) -> Answer<Self> {
        T::from_json(value).map(Box::new)
    }
}

impl<T: FromJson> FromJson for &'static T {
    fn from_json(value: Json) -> Answer<Self> {
        T::from_json(value).map(|found| &*Box::leak(Box::new(found)))
    }
}

impl<T: FromJson> FromJson for &'static mut T {
    fn from_json(value: Json) -> Answer<Self> {
        T::from_json(value).map(|found| Box::leak(Box::new(found)))
    }
}

impl<T: FromJson> FromJson for &'static [T] {
    fn from_json(value: Json) -> Answer<Self> {
        <Vec<T> as FromJson>::from_json(value).map(|found| &*found.leak())
    }
}

impl<T: FromJson> FromJson for &'static mut [T] {
    fn from_json(value: Json) -> Answer<Self> {
        <Vec<T> as FromJson>::from_json(value).map(|found| found.leak())
    }
}

impl FromJson for &'static str {
    fn from_json(value: Json) -> Answer<Self> {
        <String as FromJson>::from_json(value)
            .map(|found| &*Box::leak(found.into_boxed_str()))
    }
}

/// Keys of objects are texts; other types are read as if the text were JSON.
fn entries<K: FromJson, V: FromJson, C: FromIterator<(K, V)>>(value: Json) -> Answer<C> {
    let pairs = match value {
        Json::Object(pairs) => pairs,
        other => return unfit(other),
    };
    let read = |(key, value): (String, Json)| {
        let key = K::from_json(Json::Text(key.clone())).or_else(|_| K::from_json(Json::Number(key)))?;
        Ok((key, V::from_json(value)?))
    };
    pairs.into_iter().map(read).collect()
}

impl<K: FromJson + Hash + Eq, V: FromJson> FromJson for HashMap<K, V> {
    fn from_json(value: Json) -> Answer<Self> {
        entries(value)
    }
}

impl<K: FromJson + Ord, V: FromJson> FromJson for BTreeMap<K, V> {
    fn from_json(value: Json) -> Answer<Self> {
        entries(value)
    }
}

// --- results ----------------------------------------------------------------------------------------------

pub trait ToJson {
    fn write(&self, out: &mut String);
}

pub fn text<T: ToJson>(value: T) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter].iter()),
            _ if (letter as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", letter as u32)),
            _ => out.push(letter),
        }
    }
    out.push('"');
}

fn write_items<T: ToJson, I: Iterator<Item = T>>(values: I, out: &mut String) {
    out.push('[');
    for (number, value) in values.enumerate() {
        if number > 0 {
            out.push(',');
        }
        value.write(out);
    }
    out.push(']');
}

fn write_entries<K: ToJson, V: ToJson, I: Iterator<Item = (K, V)>>(
    pairs: I, out: &mut String,
) {
    out.push('{');
    for (number, (key, value)) in pairs.enumerate() {
        if number > 0 {
            out.push(',');
        }
        let key = text(key);
        if key.starts_with('"') { out.push_str(&key) } else { write_text(&key, out) }
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

impl ToJson for Json {
    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(truth) => truth.write(out),
            Json::Number(number) => out.push_str(number),
            Json::Text(text) => write_text(text, out),
            Json::List(values) => write_items(values.iter(), out),
            Json::Object(pairs) => write_entries(pairs.iter().map(|pair| (&pair.0, &pair.1)), out),
        }
    }
}

macro_rules! integers_and_truths {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn write(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
        }
    )*};
}
integers_and_truths! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool }

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn write(&self, out: &mut String) {
                if self.is_finite() {
                    out.push_str(&format!("{:?}", self));
                } else if self.is_nan() {
                    out.push_str("NaN");
                } else {
                    out.push_str(if *self > 0.0 { "Infinity" } else { "-Infinity" });
                }
            }
        }
    )*};
}
floats! { f32 f64 }

impl ToJson for char {
    fn write(&self, out: &mut String) {
        write_text(self.encode_utf8(&mut [0; 4]), out);
    }
}

impl ToJson for str {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl ToJson for String {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl ToJson for () {
    fn write(&self, out: &mut String) {
        out.push_str("null");
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write(&self, out: &mut String) {
        write_items(self.iter(), out);
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn write(&self, out: &mut String) {
        write_items(self.iter(), out);
    }
}

macro_rules! sequences {
    ($($type:path;)*) => {$(
        impl<T: ToJson> ToJson for $type {
            fn write(&self, out: &mut String) {
                write_items(self.iter(), out);
            }
        }
    )*};
}
sequences! {
    Vec<T>;
    VecDeque<T>;
    LinkedList<T>;
    HashSet<T>;
    BTreeSet<T>;
    BinaryHeap<T>;
}

impl<K: ToJson, V: ToJson> ToJson for HashMap<K, V> {
    fn write(&self, out: &mut String) {
        write_entries(self.iter(), out);
    }
}

impl<K: ToJson, V: ToJson> ToJson for BTreeMap<K, V> {
    fn write(&self, out: &mut String) {
        write_entries(self.iter(), out);
    }
}

macro_rules! pointers {
    ($($type:ty;)*) => {$(
        impl<'a, T: ToJson + ?Sized> ToJson for $type {
            fn write(&self, out: &mut String) {
                (**self).write(out);
            }
        }
    )*};
}
pointers! { &'a T; &'a mut T; Box<T>; Rc<T>; }

impl<'a, T: ToJson + ?Sized + ToOwned> ToJson for Cow<'a, T> {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

macro_rules! tuples {
    ($($count:literal: $($type:ident $place:tt),*;)*) => {$(
        impl<$($type: FromJson),*> FromJson for ($($type,)*) {
            fn from_json(value: Json) -> Answer<Self> {
                match value {
                    Json::List(values) if values.len() == $count => {
                        let mut values = values.into_iter();
                        Ok(($($type::from_json(values.next().unwrap_or(Json::Null))?,)*))
                    }
                    other => unfit(other),
                }
            }
        }

        impl<$($type: ToJson),*> ToJson for ($($type,)*) {
            fn write(&self, out: &mut String) {
                let mut first = true;
                out.push('[');
                $(
                    if !first {
                        out.push(',');
                    }
                    first = false;
                    self.$place.write(out);
                )*
                let _ = first;
                out.push(']');
            }
        }
    )*};
}
tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}
