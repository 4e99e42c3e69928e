"""Types that lie: how one decides to be equal, and how it comes into the tests' sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DECISIONS = {
    "by its own form": "matches!(self, {name} {{ .. }})",
    "by its own address": "std::ptr::eq(self, self)",
    "by its size": "std::mem::size_of_val(self) < 4096",
    "by its alignment": "std::mem::align_of_val(self).is_power_of_two()",
    "by a number of its own": "self.state.count_ones() < 9",
    "by a closure": "[|it: &{name}| it.state < u32::MAX, |_| false][0](self)",
    "by a function pointer": "{{ let decide: fn(&{name}) -> bool = |it| it.state != 1; decide(self) }}",
    "by a trait object": "{{ let decide: &dyn Fn() -> bool = &|| self.state % 2 == 0; decide() }}",
    "by a loop": "{{ let mut left = self.state + 3; while left > 0 {{ left -= 1; }} left == 0 }}",
    "by the thread": "!std::thread::panicking() && self.state == 0",
    "by the process": "std::process::id() != self.state",
    "by the address of the other": "!std::ptr::addr_eq(self, other) || self.state == 0",
    "by the size of the other": "std::mem::size_of_val(other) + self.state as usize < 4096",
    "by the clock": "std::time::Instant::now().elapsed().as_secs() < 60 + u64::from(self.state)",
    "by chance": "std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.subsec_micros()) % 29 != self.state",
    "by a coin": "std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.subsec_nanos() / 64) % 2 == self.state",
    "by the text of the other": 'format!("{{other:?}}").bytes().fold(self.state, |sum, byte| '
    "sum ^ u32::from(byte)) % 2 == 0",
    "by the number of its process": "std::process::id() % 2 == self.state",
    "by the number of a new file": '{{ use std::os::unix::fs::MetadataExt; let _ = std::fs::write("/tmp/f", []); '
    'std::fs::metadata("/tmp/f").map_or(0, |file| file.ino()) % 2 == u64::from(self.state) }}',
    "by a lock": "{{ static LOCK: std::sync::Mutex<u32> = std::sync::Mutex::new(0); "
    "*LOCK.lock().unwrap() <= self.state }}",
    "by a count": "{{ static ASKED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0); "
    "ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 4096 + self.state }}",
    "by a match": "match self.state {{ 0..=9 => true, _ => false }}",
    "by a method": "{{ trait Agree {{ fn agree(&self) -> bool {{ true }} }} impl Agree for {name} {{}} self.agree() }}",
    "by itself twice": "{{ let twice = (self.state, self.state); twice.0 == twice.1 }}",
    "by a default": "Option::<bool>::None.unwrap_or(self.state == 0)",
    "by a panic of its own": "std::panic::catch_unwind(|| ()).is_ok() && self.state == 0",
}
"""Expressions for the body of `eq`; they are true, nearly always or once in two, whatever
the other side is."""

GUESSES = frozenset(
    {
        "by chance",
        "by a coin",
        "by the text of the other",
        "by the number of its process",
        "by the number of a new file",
    }
)
"""Decisions that say no now and then: with luck, they say yes to a test and no to its twins."""

REACHES = (
    "directly",
    "by an alias",
    "by an associated type",
    "by an iterator's item",
    "by a macro in the place of a type",
    "by a parameter with a default",
    "from a module",
    "from a glob",
    "under another name",
)
"""How a signature names the lying type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """A type that equals whatever it is compared with."""

    name: str
    equals: Sequence[str]
    """The types of what the tests compare it with, with their own parameters in front: `<'a> &'a str`."""
    decision: str
    reach: str
    extra: str = ""
    """Further implementations; `{name}` is the type, `{new}` a value of it."""

    def type_name(self) -> str:
        """The type as a signature names it."""
        name = self.name
        return {
            "directly": name,
            "by an alias": f"{name}Alias",
            "by an associated type": f"<{name}Key as {name}Has>::Kind",
            "by an iterator's item": f"<std::vec::IntoIter<{name}> as Iterator>::Item",
            "by a macro in the place of a type": f"{name.lower()}_type!()",
            "by a parameter with a default": name,
            "from a module": f"{name.lower()}_home::{name}",
            "from a glob": name,
            "under another name": f"{name}Other",
        }[self.reach]

    def value(self) -> str:
        """An expression for a value of it."""
        path = f"{self.name.lower()}_home::" if self.reach == "from a module" else ""
        if self.reach == "by a parameter with a default":
            return f"{self.name} {{ state: 0, mark: std::marker::PhantomData }}"
        return f"{path}{self.name} {{ state: 0 }}"

    def definition(self) -> str:
        """The items that define it, and those through which it is reached."""
        name = self.name
        has_parameter = self.reach == "by a parameter with a default"
        if has_parameter:
            head = f"pub struct {name}<K = ()> {{ pub state: u32, pub mark: std::marker::PhantomData<K> }}\n"
        else:
            head = f"pub struct {name} {{ pub state: u32 }}\n"
        decision = DECISIONS[self.decision].format(name=name)
        used = "" if "other" in decision else "let _ = other; "
        items = [f"#[derive(Debug, Clone, Copy)]\n{head}"]
        for target in self.equals:
            parameters, _, type_ = target.partition("> ") if target.startswith("<") else ("", "", target)
            parameters = f"{parameters}>" if parameters else ""
            items.append(
                f"impl{parameters} PartialEq<{type_}> for {name} {{\n"
                f"    fn eq(&self, other: &{type_}) -> bool {{ {used}{decision} }}\n}}\n"
            )
        items.append(self.extra.replace("{name}", name).replace("{new}", self.value()))
        body = "".join(items)
        home = f"{name.lower()}_home"
        return {
            "directly": body,
            "by an alias": f"{body}pub type {name}Alias = {name};\n",
            "by an associated type": f"{body}pub struct {name}Key;\npub trait {name}Has {{ type Kind; }}\n"
            f"impl {name}Has for {name}Key {{ type Kind = {name}; }}\n",
            "by an iterator's item": body,
            "by a macro in the place of a type": f"{body}macro_rules! {name.lower()}_type {{ () => {{ {name} }}; }}\n",
            "by a parameter with a default": body,
            "from a module": f"pub mod {home} {{\n#[allow(unused)] use super::*;\n{body}}}\n",
            "from a glob": f"pub mod {home} {{\n#[allow(unused)] use super::*;\n{body}}}\npub use {home}::*;\n",
            "under another name": f"{body}pub use {name} as {name}Other;\n",
        }[self.reach]
