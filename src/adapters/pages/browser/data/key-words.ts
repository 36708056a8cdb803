/** Words of a transaction that may be keys of mappings. */
import { bytesOf } from './crypto.js';
import type { EthereumTx, Receipt } from './ethereum.js';

/** Words that are tried. */
const WORDS = 48;
const DIGITS = 64;

/** Words that may be keys of mappings: sender, receiver, known accounts, arguments and what the logs hold. */
export function wordsOf(tx: EthereumTx, { logs }: Receipt, accounts: readonly string[]): readonly Uint8Array[] {
  return wordsOfTexts([
    tx.from,
    tx.to ?? '',
    ...wordsIn(tx.input.slice(10)),
    ...logs.flatMap(({ topics, data }) => [...topics.slice(1), ...wordsIn(data.slice(2))]),
    ...accounts,
  ]);
}

/** Words of addresses and of other bytes in hexadecimal. */
export function wordsOfTexts(texts: readonly string[]): readonly Uint8Array[] {
  const words = texts.filter((text) => text !== '').map((text) => text.replace('0x', '').toLowerCase());
  const padded = words.map((digits) => `0x${digits.padStart(DIGITS, '0')}`);
  return [...new Set(padded)].slice(0, WORDS).flatMap((text) => bytesOf(text) ?? []);
}

function wordsIn(digits: string): readonly string[] {
  return digits.match(/.{64}/g) ?? [];
}
