import { addressText } from '../../core/activity/names.js';
import { hex } from '../../core/bytes/hex.js';
import type { StateChange } from '../../core/inspection/api.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { AnswerNames } from './answer-names.js';

export interface DescribedChangesOptions {
  readonly spelling: Spelling;
  /** Names for one answer. */
  readonly names: () => AnswerNames;
}

/** Collects the changed rows of one answer with readable names, up to its size limit. */
export interface DescribedChanges {
  /** Adds a row; false when the answer is full. */
  take(raw: StateChange['raw']): boolean;
  /** The added rows, with contract names. */
  named(): Promise<readonly StateChange[]>;
}

/** Describes at most `limit` rows, and `diffCharacters` characters. */
export async function describeChanges(
  { spelling, names }: DescribedChangesOptions,
  limit: number,
): Promise<DescribedChanges> {
  // Loaded on first use, because the table imports the types of every module.
  const { describeChange } = await import('../../core/inspection/describe-row.js');
  const changes: StateChange[] = [];
  const seen = new Map<string, Uint8Array>();
  const noticing: Spelling = {
    ...spelling,
    nameOf(address) {
      seen.set(hex(address), address);
      return spelling.nameOf(address);
    },
  };
  let characters = 0;
  return {
    take(raw) {
      const described = describeChange(raw, noticing);
      changes.push({ ...described, raw });
      characters += weightOf(raw) + described.line.length;
      return changes.length < limit && characters < FIXED_LIMITS.diffCharacters;
    },
    async named() {
      const known = names();
      await known.learn(seen.values());
      if (!known.hasContracts) return changes;
      const nameOf: Spelling['nameOf'] = (address) =>
        spelling.nameOf(address) ?? (known.contractAt(address) && addressText(known, address));
      return changes.map(({ raw }) => ({ ...describeChange(raw, { ...spelling, nameOf }), raw }));
    },
  };
}

/** Approximate length of a row in hex characters. */
function weightOf({ key, before, after }: StateChange['raw']): number {
  return 2 * (key.length + (before?.length ?? 0) + (after?.length ?? 0));
}
