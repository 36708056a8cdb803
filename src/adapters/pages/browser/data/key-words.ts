/** Candidate mapping keys from a transaction. */
import { bytesOf } from './crypto.js';
import type { EthereumTx, Receipt } from './ethereum.js';

/** Maximum number of candidates. */
const WORDS = 48;
const DIGITS = 64;

/** Candidate keys: sender, receiver, known accounts, call arguments and log contents. */
export function wordsOf(tx: EthereumTx, { logs }: Receipt, accounts: readonly string[]): readonly Uint8Array[] {
  return wordsOfTexts([
    tx.from,
    tx.to ?? '',
    ...wordsIn(tx.input.slice(10)),
    ...logs.flatMap(({ topics, data }) => [...topics.slice(1), ...wordsIn(data.slice(2))]),
    ...accounts,
  ]);
}

/** Converts addresses and other hex texts to 32-byte words. */
export function wordsOfTexts(texts: readonly string[]): readonly Uint8Array[] {
  const words = texts.filter((text) => text !== '').map((text) => text.replace('0x', '').toLowerCase());
  const padded = words.map((digits) => `0x${digits.padStart(DIGITS, '0')}`);
  return [...new Set(padded)].slice(0, WORDS).flatMap((text) => bytesOf(text) ?? []);
}

function wordsIn(digits: string): readonly string[] {
  return digits.match(/.{64}/g) ?? [];
}
