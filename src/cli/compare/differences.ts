/** Describes differences between an execution and the recording of a height. */
import { hex, upperHex } from '../../core/bytes/hex.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import type {
  Event,
  ExecTxResult,
  ResponseFinalizeBlock,
  ValidatorUpdate,
} from '../../core/proto/tendermint/abci/types_pb.js';
import type { StoreRoot } from '../../core/multistore/commit-info.js';
import type { StateWrite } from '../../core/state/state.js';

/** Describes the first difference of two lists; undefined if they are equal. */
function firstDifference(of: string, ours: readonly string[], recorded: readonly string[]): string | undefined {
  for (let index = 0; index < Math.max(ours.length, recorded.length); index += 1) {
    if (ours[index] === recorded[index]) continue;
    return `${of} ${index}: ours ${ours[index] ?? 'none'}, recorded ${recorded[index] ?? 'none'}`;
  }
  return undefined;
}

/**
 * Describes the first differing transaction result by its field; else a difference in the block's events or
 * validators.
 */
export function resultDifference(ours: EncodedResults, recorded: ResponseFinalizeBlock): string | undefined {
  const count = Math.max(ours.txCount, recorded.txResults.length);
  for (let index = 0; index < count; index += 1) {
    const difference = transactionDifference(ours.txResult(index), recorded.txResults[index]);
    if (difference !== undefined) return `transaction ${index}: ${difference}`;
  }
  return (
    firstDifference('event', ours.events.map(shownEvent), recorded.events.map(shownEvent)) ??
    firstDifference(
      'validator update',
      ours.validatorUpdates.map(shownUpdate),
      recorded.validatorUpdates.map(shownUpdate),
    )
  );
}

/** Describes the first differing transaction log. No hash covers logs. */
export function logDifference(ours: EncodedResults, recorded: ResponseFinalizeBlock): string | undefined {
  const logs = (results: readonly (ExecTxResult | undefined)[]): readonly string[] =>
    results.map((result) => logWithoutStack(result?.log ?? ''));
  const count = Math.min(ours.txCount, recorded.txResults.length);
  return firstDifference(
    'log of transaction',
    logs(Array.from({ length: count }, (_, index) => ours.txResult(index))),
    logs(recorded.txResults.slice(0, count)),
  );
}

/**
 * Removes the stack trace that Go adds to the text of a panic (cosmos-sdk v0.53 `baseapp/recovery.go`), because it
 * contains memory addresses.
 */
export function logWithoutStack(log: string): string {
  return log.startsWith('recovered: ') ? log.replace(/\nstack:\n[^]*(?=: panic$)/u, '') : log;
}

function transactionDifference(ours: ExecTxResult | undefined, recorded: ExecTxResult | undefined): string | undefined {
  if (ours === undefined || recorded === undefined) return ours === undefined ? 'not executed' : 'not in the recording';
  const fields = (result: ExecTxResult): readonly (readonly [string, string])[] => [
    ['code', `${result.code} ${result.codespace}`.trim()],
    ['gas wanted', String(result.gasWanted)],
    ['gas used', String(result.gasUsed)],
    ['data', hex(result.data)],
  ];
  const theirs = fields(recorded);
  for (const [index, [name, value]] of fields(ours).entries()) {
    const other = theirs[index]?.[1];
    if (value !== other) return `${name}: ours ${value}, recorded ${other}`;
  }
  return firstDifference('event', ours.events.map(shownEvent), recorded.events.map(shownEvent));
}

/**
 * Describes the first differing write, in order of stores and keys. A deletion that is not recorded counts as equal:
 * deleting a missing key has no effect, and a wrong deletion changes the store's root.
 */
export function writeDelta(ours: readonly StateWrite[], recorded: readonly StateWrite[]): string | undefined {
  const shown = ({ value }: StateWrite): string => (value === undefined ? 'deleted' : hex(value));
  const byPlace = (writes: readonly StateWrite[]): ReadonlyMap<string, string> =>
    new Map(writes.map((write) => [`store ${write.store}, key ${hex(write.key)}`, shown(write)]));
  const [mine, theirs] = [byPlace(ours), byPlace(recorded)];
  const [place] = [...new Set([...mine.keys(), ...theirs.keys()])]
    .filter((each) => mine.get(each) !== theirs.get(each) && (theirs.has(each) || mine.get(each) !== 'deleted'))
    .toSorted();
  if (place === undefined) return undefined;
  return `${place}: ours ${mine.get(place) ?? 'not written'}, recorded ${theirs.get(place) ?? 'not written'}`;
}

/** Describes the first store, by name, whose root differs; stores without a recorded root are skipped. */
export function rootDifference(ours: readonly StoreRoot[], recorded: ReadonlyMap<string, string>): string | undefined {
  const mine = new Map(ours.map(({ name, root }) => [name, upperHex(root)]));
  for (const [name, root] of recorded)
    if (mine.get(name) !== root) return `store ${name}: root ours ${mine.get(name) ?? 'none'}, recorded ${root}`;
  return undefined;
}

/** Invalid UTF-8 becomes U+FFFD, as in a JSON recording. */
const shownEvent = ({ type, attributes }: Event): string =>
  `${type}{${attributes.map(({ key, value }) => `${key}=${value}`).join(', ')}}`.toWellFormed();

const shownUpdate = ({ pubKey, power }: ValidatorUpdate): string =>
  `${pubKey?.sum.value === undefined ? 'no key' : hex(pubKey.sum.value)} with power ${power}`;
