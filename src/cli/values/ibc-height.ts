import type { RevisionHeight } from '../../core/modules/ibc/self-height.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Parses a height `REVISION-HEIGHT`. Throws a usage error for other texts (ibc-go v10 `ParseHeight`). */
export function heightOf(text: string): RevisionHeight {
  const [, revision, block] = /^([0-9]{1,19})-([0-9]{1,19})$/.exec(text) ?? [];
  if (revision === undefined || block === undefined)
    throw new CommandError(
      EXIT.usage,
      `expected height string format: {revision}-{height}. Got: ${text}: invalid height`,
    );
  return { revisionNumber: BigInt(revision), revisionHeight: BigInt(block) };
}
