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

/** The changed rows of one answer, by names, as far as they fit into it. */
export interface DescribedChanges {
  /** Takes a row; false when the answer is full with it. */
  take(raw: StateChange['raw']): boolean;
  /** The rows that were taken, with the names of contracts in them. */
  named(): Promise<readonly StateChange[]>;
}

/** Describes at most `limit` rows, and `diffCharacters` characters. */
export async function describeChanges(
  { spelling, names }: DescribedChangesOptions,
  limit: number,
): Promise<DescribedChanges> {
  // Loaded with the first call: the table has the types of every module.
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

/** Characters of a row in hex, roughly. */
function weightOf({ key, before, after }: StateChange['raw']): number {
  return 2 * (key.length + (before?.length ?? 0) + (after?.length ?? 0));
}
