"""Solutions of our own to problems of a contest: right ones, wrong ones, and one that is too slow."""

from __future__ import annotations

DIGIT_JUMP, SHIRTS, WEAK_DIVISOR, EDGY_TREES, SUBSEQUENCE, SOUND, MONSTERS, BATH, DIGITS, MODULO = (
    "digjump",
    "1000_A. Codehorses T-shirts",
    "1025_B. Weakened Common Divisor",
    "1139_C. Edgy Trees",
    "1157_C2. Increasing Subsequence (hard version)",
    "1198_A. MP3",
    "1238_B. Kill 'Em All",
    "127_C. Hot Bath",
    "12_B. Correct Solution?",
    "1342_C. Yet Another Counting Problem",
)

RIGHT = {
    DIGIT_JUMP: """
digits = input().strip()
places = {}
for place, digit in enumerate(digits):
    places.setdefault(digit, []).append(place)
distance = {0: 0}
queue = [0]
for place in queue:
    for other in (*places.pop(digits[place], ()), place - 1, place + 1):
        if 0 <= other < len(digits) and other not in distance:
            distance[other] = distance[place] + 1
            queue.append(other)
print(distance[len(digits) - 1])
""",
    SHIRTS: """
from collections import Counter

n = int(input())
before = Counter(input().strip() for _ in range(n))
after = Counter(input().strip() for _ in range(n))
print(sum((before - after).values()))
""",
    WEAK_DIVISOR: """
import sys


def prime_factors(n):
    factor = 2
    while factor * factor <= n:
        if n % factor == 0:
            yield factor
            while n % factor == 0:
                n //= factor
        factor += 1
    if n > 1:
        yield n


numbers = list(map(int, sys.stdin.read().split()))
pairs = list(zip(numbers[1::2], numbers[2::2], strict=True))
candidates = {*prime_factors(pairs[0][0]), *prime_factors(pairs[0][1])}
for candidate in sorted(candidates):
    if all(a % candidate == 0 or b % candidate == 0 for a, b in pairs):
        print(candidate)
        break
else:
    print(-1)
""",
    EDGY_TREES: """
import sys

n, k, *edges = map(int, sys.stdin.read().split())
parent = list(range(n + 1))


def find(node):
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


for u, v, colour in zip(edges[::3], edges[1::3], edges[2::3], strict=True):
    if colour == 0:
        parent[find(u)] = find(v)
sizes = [0] * (n + 1)
for node in range(1, n + 1):
    sizes[find(node)] += 1
modulus = 10**9 + 7
print((pow(n, k, modulus) - sum(pow(size, k, modulus) for size in sizes)) % modulus)
""",
    SUBSEQUENCE: """
n = int(input())
numbers = list(map(int, input().split()))
left, right, last, moves = 0, n - 1, 0, []
while left <= right:
    low, high = numbers[left], numbers[right]
    if low == high > last:
        from_left = from_right = 1
        while left + from_left <= right and numbers[left + from_left] > numbers[left + from_left - 1]:
            from_left += 1
        while right - from_right >= left and numbers[right - from_right] > numbers[right - from_right + 1]:
            from_right += 1
        moves.append("L" * from_left if from_left > from_right else "R" * from_right)
        break
    if last < low and (low < high or high <= last):
        moves.append("L")
        last, left = low, left + 1
    elif last < high:
        moves.append("R")
        last, right = high, right - 1
    else:
        break
moves = "".join(moves)
print(len(moves))
print(moves)
""",
    SOUND: """
from collections import Counter

n, size = map(int, input().split())
counts = [count for _, count in sorted(Counter(map(int, input().split())).items())]
most = 1 << min(20, 8 * size // n)
kept = best = sum(counts[:most])
for leaving, coming in zip(counts, counts[most:], strict=False):
    kept += coming - leaving
    best = max(best, kept)
print(n - best)
""",
    MONSTERS: """
for _ in range(int(input())):
    _, push = map(int, input().split())
    missiles = 0
    for place in sorted(set(map(int, input().split())), reverse=True):
        if place - missiles * push <= 0:
            break
        missiles += 1
    print(missiles)
""",
    BATH: """
t1, t2, x1, x2, t0 = map(int, input().split())
if t0 == t1 == t2:
    print(x1, x2)
elif t0 == t1:
    print(x1, 0)
elif t0 == t2:
    print(0, x2)
else:
    best = None
    for y1 in range(x1 + 1):
        y2 = -(-y1 * (t0 - t1) // (t2 - t0)) if y1 else x2
        if y2 > x2:
            break
        above, total = y1 * t1 + y2 * t2 - t0 * (y1 + y2), y1 + y2
        if best is None:
            best = (above, total, y1, y2)
        else:
            order = above * best[1] - best[0] * total
            if order < 0 or (order == 0 and total > best[1]):
                best = (above, total, y1, y2)
    print(best[2], best[3])
""",
    DIGITS: """
number, answer = input().strip(), input().strip()
digits = sorted(number)
first = next((index for index, digit in enumerate(digits) if digit != "0"), 0)
smallest = digits[first] + "".join(digits[:first] + digits[first + 1 :])
print("OK" if smallest == answer else "WRONG_ANSWER")
""",
    MODULO: """
for _ in range(int(input())):
    a, b, queries = map(int, input().split())
    period = a * b
    sums = [0]
    for x in range(period):
        sums.append(sums[-1] + (x % a % b != x % b % a))

    def count(end):
        return end // period * sums[-1] + sums[end % period]

    answers = []
    for _ in range(queries):
        low, high = map(int, input().split())
        answers.append(count(high + 1) - count(low))
    print(*answers)
""",
}

WRONG = {
    DIGIT_JUMP: RIGHT[DIGIT_JUMP].replace("(*places.pop(digits[place], ()), place - 1, place + 1)", "(place + 1,)"),
    SHIRTS: RIGHT[SHIRTS].replace("before - after", "after").replace("sum(", "len("),
    WEAK_DIVISOR: RIGHT[WEAK_DIVISOR].replace("print(-1)", "print(1)"),
    EDGY_TREES: RIGHT[EDGY_TREES].replace("colour == 0", "colour == 1"),
    SUBSEQUENCE: RIGHT[SUBSEQUENCE].replace("from_left > from_right", "from_left < from_right"),
    SOUND: RIGHT[SOUND].replace("8 * size // n", "size // n"),
    MONSTERS: RIGHT[MONSTERS].replace("* push <= 0", "* push <= 1"),
    BATH: RIGHT[BATH].replace("total > best[1]", "total < best[1]"),
    DIGITS: RIGHT[DIGITS].replace("smallest == answer", "int(smallest) == int(answer)"),
    MODULO: RIGHT[MODULO].replace("high + 1", "high"),
}
"""Each has one mistake."""

SLOW = {
    MODULO: """
for _ in range(int(input())):
    a, b, queries = map(int, input().split())
    for _ in range(queries):
        low, high = map(int, input().split())
        print(sum(x % a % b != x % b % a for x in range(low, high + 1)))
"""
}

RUST = {
    DIGIT_JUMP: """
use std::collections::VecDeque;

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("a line");
    let digits: Vec<usize> = line.trim().bytes().map(|byte| usize::from(byte - b'0')).collect();
    let mut places = vec![Vec::new(); 10];
    for (place, &digit) in digits.iter().enumerate() {
        places[digit].push(place);
    }
    let mut distance = vec![usize::MAX; digits.len()];
    distance[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(place) = queue.pop_front() {
        let mut next = std::mem::take(&mut places[digits[place]]);
        next.extend(place.checked_sub(1));
        next.push(place + 1);
        for other in next {
            if other < digits.len() && distance[other] == usize::MAX {
                distance[other] = distance[place] + 1;
                queue.push_back(other);
            }
        }
    }
    println!("{}", distance[digits.len() - 1]);
}
""",
    DIGITS: """
fn main() {
    let mut lines = std::io::stdin().lines().map(|line| line.expect("a line"));
    let (number, answer) = (lines.next().expect("a number"), lines.next().expect("an answer"));
    let mut digits: Vec<char> = number.trim().chars().collect();
    digits.sort_unstable();
    if let Some(first) = digits.iter().position(|&digit| digit != '0') {
        digits[..=first].rotate_right(1);
    }
    let smallest: String = digits.into_iter().collect();
    println!("{}", if smallest == answer.trim() { "OK" } else { "WRONG_ANSWER" });
}
""",
}

WRONG_RUST = {DIGIT_JUMP: RUST[DIGIT_JUMP].replace("place + 1", "place + 2")}

CHECKERS = {
    WEAK_DIVISOR: """
import sys

given, output, answer = (open(path).read().split() for path in sys.argv[1:])
found, known = int(output[0]), int(answer[0])
numbers = list(map(int, given))
divides = all(a % found == 0 or b % found == 0 for a, b in zip(numbers[1::2], numbers[2::2]))
right = found == -1 if known == -1 else found > 1 and divides
print("accepted" if right and len(output) == 1 else f"rejected {found} is no answer")
""",
    SUBSEQUENCE: """
import sys

given, output, answer = (open(path).read().split() for path in sys.argv[1:])
numbers = list(map(int, given[1:]))
taken = [numbers.pop(0 if move == "L" else -1) for move in output[1]]
increases = all(a < b for a, b in zip(taken, taken[1:]))
right = output[0] == answer[0] == str(len(taken)) and increases
print("accepted" if right else "rejected not the longest, or not increasing")
""",
}
"""Problems with several right answers."""
