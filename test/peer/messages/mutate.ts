/** Random damage to bytes. */
import type { Random } from '../random.js';

export function mutated(random: Random, whole: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(whole);
  switch (random.below(6)) {
    case 0:
      for (let count = random.between(1, 3); count > 0; count -= 1) {
        const at = random.below(changed.length);
        changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      }
      return changed;
    case 1:
      return changed.subarray(0, random.below(changed.length));
    case 2:
      return Buffer.concat([changed, random.bytes(random.between(1, 6))]);
    case 3:
      return random.bytes(random.below(200));
    case 4:
      return Buffer.concat([changed, changed]);
    default: {
      const at = random.below(changed.length);
      return Buffer.concat([changed.subarray(0, at), random.bytes(random.between(1, 3)), changed.subarray(at)]);
    }
  }
}
