import { bytesOfDigits } from '../core/bytes/hex.js';
import { invariant } from '../core/errors.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import type { DaemonCommand } from './option-spec.js';

/** Texts of flags and arguments by key; the command line has checked their form. */
type Flags = ReadonlyMap<string, string>;

const NONE = (): Readonly<Record<never, never>> => ({});

/** For each command, the function that reads its own arguments and flags. */
const READERS = {
  dev: NONE,
  start: NONE,
  abci: NONE,
  /** `validatorMnemonic`: mnemonic from which the validator's key is derived; undefined for a random key. */
  init: (flags: Flags) => ({ overwrite: isSet(flags, 'overwrite'), validatorMnemonic: flags.get('recover') }),
  /** `yes`: do not ask for confirmation. */
  reset: (flags: Flags) => ({ yes: isSet(flags, 'yes'), keepSnapshots: isSet(flags, 'keep-snapshots') }),
  /** `hard`: also removes the block. */
  rollback: (flags: Flags) => ({ hard: isSet(flags, 'hard') }),
  /** `folder`: target of the copy; it must not exist yet. */
  backup: (flags: Flags) => ({ folder: required(flags, 'folder') }),
  prune: NONE,
  /**
   * `height`: export the state after this block; undefined for the last one. Without `outputDocument` the genesis
   * goes to standard output.
   */
  export: (flags: Flags) => ({ height: heightOf(flags), outputDocument: flags.get('output-document') }),
  'snapshots list': NONE,
  'snapshots export': (flags: Flags) => ({ height: heightOf(flags) }),
  'snapshots restore': snapshotOf,
  'snapshots delete': snapshotOf,
  'snapshots dump': (flags: Flags) => ({ ...snapshotOf(flags), outputDocument: flags.get('output-document') }),
  'snapshots load': (flags: Flags) => ({ file: required(flags, 'file') }),
  /** `execute`: executes every block again. */
  'log verify': (flags: Flags) => ({ execute: isSet(flags, 'execute'), output: formatOf(flags) }),
  'log rebuild': (flags: Flags) => ({ output: formatOf(flags) }),
  /** `to`: the last position; undefined for the end of the log. */
  'log export': (flags: Flags) => ({
    from: wholeOf(flags, 'from') ?? 1n,
    to: wholeOf(flags, 'to'),
    outputDocument: flags.get('output-document'),
  }),
  /** `file`: lines of `log export`; undefined for standard input. */
  'log import': (flags: Flags) => ({ file: flags.get('file') }),
  /**
   * `file`: read the lines of a `log export` instead of the home. `from`: first position; without it `follow` begins
   * at the end of the log. `limit`: number of events. The others are conditions on the events; `tx` is a hash of 32
   * bytes.
   */
  'log show': (flags: Flags) => ({
    file: flags.get('file'),
    from: wholeOf(flags, 'from'),
    to: wholeOf(flags, 'to'),
    limit: limitOf(flags),
    types: flags.get('type')?.split(','),
    height: heightOf(flags),
    tx: hashOf(flags.get('tx')),
    follow: isSet(flags, 'follow'),
    output: formatOf(flags),
  }),
  /** A moment is a height, `latest`, or `@` with a position of the log. `store`: only rows of this store. */
  'log diff': (flags: Flags) => ({
    moments: [required(flags, 'moment-a'), required(flags, 'moment-b')] as const,
    store: flags.get('store'),
    limit: limitOf(flags),
    output: formatOf(flags),
  }),
  state: (flags: Flags) => ({
    at: flags.get('at') ?? 'latest',
    store: flags.get('store'),
    limit: limitOf(flags),
    output: formatOf(flags),
  }),
  /** `name`: plan name; `blocks`: number of blocks to execute after the upgrade's block. */
  'upgrade rehearse': (flags: Flags) => ({
    name: required(flags, 'name'),
    blocks: Math.min(Number(flags.get('blocks') ?? '3'), FIXED_LIMITS.rehearsalBlocks),
    output: formatOf(flags),
  }),
  'pre-upgrade': NONE,
} satisfies Record<DaemonCommand, (flags: Flags) => object>;

/** The arguments and flags of a command, besides the options that several commands share. */
export type CommandArguments<Name extends DaemonCommand = DaemonCommand> = ReturnType<(typeof READERS)[Name]>;

/** Reads the command's own arguments and flags; the command line has checked their texts. */
export function argumentsOf(name: DaemonCommand, flags: Flags): CommandArguments {
  return READERS[name](flags);
}

function isSet(flags: Flags, key: string): boolean {
  return flags.get(key) === 'true';
}

/** An argument that the command line requires. */
function required(flags: Flags, key: string): string {
  const value = flags.get(key);
  invariant(value !== undefined, `the command line requires ${key}`);
  return value;
}

function wholeOf(flags: Flags, key: string): bigint | undefined {
  const text = flags.get(key);
  return text === undefined ? undefined : BigInt(text);
}

/** The flag `height`: undefined, for the last height, if it is absent or -1 (as in the SDK). */
function heightOf(flags: Flags): bigint | undefined {
  return flags.get('height') === '-1' ? undefined : wholeOf(flags, 'height');
}

function snapshotOf(flags: Flags): { readonly height: bigint; readonly format: number } {
  return { height: BigInt(required(flags, 'height')), format: Number(required(flags, 'format')) };
}

function limitOf(flags: Flags): number {
  return Number(flags.get('limit') ?? '100');
}

function formatOf(flags: Flags): 'text' | 'json' {
  return flags.get('output') === 'text' ? 'text' : 'json';
}

function hashOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : bytesOfDigits(text.replace(/^0x/i, ''));
}
