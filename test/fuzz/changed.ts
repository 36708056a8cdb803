/** Random changes to valid inputs. */

/** Random integers below 2^32 from a seed (xorshift). */
export function numbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x20, 0x22, 0x5b, 0x7b];

/** One to four changes: a byte, a bit, a cut, a part twice, a part of another sample. */
export function changed(samples: readonly Uint8Array[], next: () => number): Uint8Array {
  let bytes = Uint8Array.from(samples[next() % samples.length] ?? []);
  for (let changes = 1 + (next() % 4); changes > 0; changes -= 1) {
    const at = next() % (bytes.length + 1);
    const other = samples[next() % samples.length] ?? bytes;
    const from = next() % (other.length + 1);
    const part = other.subarray(from, from + (next() % 40));
    switch (next() % 5) {
      case 0:
        if (at < bytes.length) bytes[at] = EDGES[next() % EDGES.length] ?? 0;
        break;
      case 1:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << (next() % 8));
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...part, ...bytes.subarray(at)]);
        break;
      default:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + part.length)]);
    }
  }
  return bytes;
}
