import type { OptionRow } from './command-table.js';
import type { Flags } from './flags.js';
import { wholeNumber } from '../values/whole-number.js';

/** The option that `sequencesOf` reads. */
export const SEQUENCES: OptionRow = { flag: '--sequences <list>', doc: 'sequences of packets, separated by commas' };

/** The sequence of a packet, as typed. */
export function sequenceOf(text: string): bigint {
  return wholeNumber(text, 'sequence');
}

/** `--sequences 1,2,3`: sequences of packets. */
export function sequencesOf(flags: Flags): bigint[] {
  const text = flags.text('sequences') ?? '';
  return text === '' ? [] : text.split(',').map((one) => wholeNumber(one, '--sequences'));
}
