# honest: values of the standard library, time zones included
# must: correct
# verified: no

import datetime, decimal, fractions, re, uuid, pathlib, collections, zoneinfo, ipaddress, array, struct, types
def utc(y): return datetime.datetime(y, 1, 1, tzinfo=datetime.timezone.utc)
def offset(h): return datetime.timezone(datetime.timedelta(hours=h))
def frac(a, b): return fractions.Fraction(a, b)
def cplx(a, b): return complex(a, b)
def uid(): return uuid.UUID(int=5)
def p(*parts): return pathlib.PurePosixPath(*parts)
def pat(s): return re.compile(s, re.I)
def find(s, t): return re.search(s, t)
def dq(n): return collections.deque(range(n), maxlen=3)
def chain(a, b): return collections.ChainMap(a, b)
def ud(d): return collections.UserDict(d)
def arr(xs): return array.array("i", xs)
def rng(n): return range(0, n, 2)
def mv(b): return memoryview(b)[1:3]
def ns(**k): return types.SimpleNamespace(**k)
def proxy(d): return types.MappingProxyType(d)
def views(d): return d.keys(), d.values(), d.items()
def ip(s): return ipaddress.ip_address(s)
def td(h): return datetime.timedelta(hours=h)
def sl(): return slice(1, None, 2)
def ell(): return ..., NotImplemented
def ba(b): return bytearray(b)
def nested(): return {("a", 1): [frozenset({1, 2}), {3: None}]}
def zoned(): return datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("UTC"))
def maps(xs): return map(str, xs), zip(xs, xs), enumerate(xs), filter(None, xs), reversed(xs)
