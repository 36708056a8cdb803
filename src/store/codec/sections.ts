import type { ByteReader, ByteWriter } from '../bytes.js';

/** Section numbers of a record; number 0 is the record row itself. */
export const SECTION = { envelope: 1, transactions: 2, results: 3, writes: 4, trace: 5, other: 6 } as const;
export type SectionName = keyof typeof SECTION;
export const SECTION_NAMES: readonly SectionName[] = [
  'envelope',
  'transactions',
  'results',
  'writes',
  'trace',
  'other',
];

/** The writers of the sections of one record. */
export type SectionWriters = { readonly [Name in SectionName]: ByteWriter };
/**
 * Readers of the sections of one record. The fields of an absent section decode as empty; the envelope is always
 * present.
 */
export type SectionReaders = { readonly [Name in SectionName]: ByteReader | undefined } & {
  readonly envelope: ByteReader;
};
