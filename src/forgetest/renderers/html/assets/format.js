// Numbers as every report of forgetest writes them; what is not known is n/a.

const UNKNOWN = "n/a";
const known = (value) => value !== null && value !== undefined;

const percent = (share) => (known(share) ? `${(100 * share).toFixed(1)}%` : UNKNOWN);
const score = (value) => (known(value) ? value.toFixed(3) : UNKNOWN);
const whole = (number) => number.toLocaleString("en");
const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

function duration(ms) {
  if (!known(ms)) return UNKNOWN;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 120000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}

function dollars(value) {
  if (!known(value)) return UNKNOWN;
  if (value > 0 && value < 0.0001) return "<$0.0001";
  return `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

function ends(interval, write) {
  return interval ? `${write(interval[0])}..${write(interval[1])}` : "";
}
const percents = (interval) => ends(interval, (end) => (100 * end).toFixed(0));
const scores = (interval) => ends(interval, (end) => end.toFixed(2));
const durations = (interval) => ends(interval, (end) => duration(end));
