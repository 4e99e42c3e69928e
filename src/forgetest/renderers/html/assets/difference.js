// Which lines two texts do not share, by their longest common subsequence.

const MOST_CELLS = 4e6;

function differing(before, after) {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const removed = new Map();
  const added = new Map();
  if (old.length * young.length > MOST_CELLS) return { removed, added };
  const width = young.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === young[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      i += 1;
      j += 1;
    } else if (j >= young.length || (i < old.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      i += 1;
      removed.set(i, "removed");
    } else {
      j += 1;
      added.set(j, "added");
    }
  }
  return { removed, added };
}
