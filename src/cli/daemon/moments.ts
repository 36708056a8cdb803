/** Parses moments and store names for commands that read a home's state. */
import type { DomainError } from '../../core/errors.js';
import type { FoundMoment, Moment } from '../../core/inspection/api.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { storeRefusal } from '../../core/inspection/state-table.js';
import { findMoment } from '../../node/inspection/moments.js';
import { firstEvent } from '../../runtime/chain/open-chain.js';
import type { EventLog } from '../../store/log/event-log.js';
import { lowestHeight } from '../../store/state/latest.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { CopiedHome } from './with-log.js';

/** Resolves a moment: a height, `latest`, or `@position`. Throws CommandError. */
export async function momentOf(home: CopiedHome & { readonly log: EventLog }, word: string): Promise<FoundMoment> {
  const { log, store } = home;
  const head = log.head();
  const found = await findMoment(
    {
      ledger: { state: { height: head.executed }, earliestState: () => lowestHeight(store) },
      log,
      shown: () => head.position,
    },
    readWord(word),
  );
  if (found.ok) return found.value;
  throw new CommandError(EXIT.failed, textOf(found.error));
}

function textOf(error: DomainError): string {
  if (error.code === 'state-pruned')
    return `the state after height ${error.height} is pruned, states are kept from height ${error.lowest} on`;
  return 'message' in error ? error.message : error.code;
}

/** Returns a valid store name. Throws CommandError for an unknown one. */
export function storeOf(name: string | undefined): string | undefined {
  const refusal = name === undefined ? undefined : storeRefusal(name);
  if (refusal !== undefined) throw new CommandError(EXIT.failed, refusal);
  return name;
}

function readWord(word: string): Moment {
  if (word === 'latest') return { kind: 'latest' };
  return word.startsWith('@')
    ? { kind: 'position', position: BigInt(word.slice(1)) }
    : { kind: 'height', height: BigInt(word) };
}

/** How addresses are printed for the chain of a home; accounts have no short names here. */
export async function spellingOf({ log }: { readonly log: EventLog }): Promise<Spelling> {
  return { bech32Prefix: (await firstEvent(log)).bech32Prefix, nameOf: () => undefined };
}
