import { bytesOfDigits } from '../core/bytes/hex.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import type { CommandOptions, ReadingOptions } from './daemon-options.js';

/** Flags of single commands, which the command line has checked. */
export function commandOf(flags: ReadonlyMap<string, string>): CommandOptions {
  return {
    address: flags.get('address') ?? 'tcp://127.0.0.1:26658',
    overwrite: flags.get('overwrite') === 'true',
    validatorMnemonic: flags.get('recover'),
    hard: flags.get('hard') === 'true',
    execute: flags.get('execute') === 'true',
    yes: flags.get('yes') === 'true',
    from: flags.has('from') ? BigInt(flags.get('from') ?? '') : undefined,
    limit: Number(flags.get('limit') ?? '100'),
    to: flags.has('to') ? BigInt(flags.get('to') ?? '') : undefined,
    file: flags.get('file'),
    folder: flags.get('folder'),
    name: flags.get('name'),
    blocks: Math.min(Number(flags.get('blocks') ?? '3'), FIXED_LIMITS.rehearsalBlocks),
    output: flags.get('output') === 'text' ? 'text' : 'json',
    height: heightOf(flags.get('height')),
    outputDocument: flags.get('output-document'),
    format: flags.has('format') ? Number(flags.get('format')) : undefined,
    reading: readingOf(flags),
  };
}

/** Flags of commands that read the log or the state, which the command line has checked. */
function readingOf(flags: ReadonlyMap<string, string>): ReadingOptions {
  const tx = flags.get('tx');
  return {
    types: flags.get('type')?.split(','),
    tx: tx === undefined ? undefined : bytesOfDigits(tx.replace(/^0x/i, '')),
    follow: flags.get('follow') === 'true',
    moments: ['moment-a', 'moment-b', 'at'].flatMap((key) => flags.get(key) ?? []),
    store: flags.get('store'),
  };
}

/** A height that the command line has checked; -1 and undefined mean the last one. */
function heightOf(text: string | undefined): bigint | undefined {
  return text === undefined || text === '-1' ? undefined : BigInt(text);
}
