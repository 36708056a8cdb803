/**
 * Transfer packet data in Solidity ABI encoding: one tuple of four strings and a number (ibc-go v10
 * `modules/apps/transfer/types/solidity_abi.go`; docs.soliditylang.org, "Contract ABI Specification"). Errors are
 * those of go-ethereum v1.15 `accounts/abi`.
 */
import { bigintOfBytes, wordOf } from '../../bytes/big-endian.js';
import { concat, concatAll, text, utf8 } from '../../bytes/bytes.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { transferErrors } from './errors.js';
import type { PacketTexts } from './packet-data.js';

const WORD = 32;
/** Fields in tuple order. */
const FIELDS = ['denom', 'sender', 'receiver', 'amount', 'memo'] as const;

const refuse = (reason: string): SdkError =>
  new SdkError(transferErrors.abiDecoding, `failed to unpack data: ${reason}`);

/** Encodes the tuple after its offset: a word per field, then the strings. */
export function encodeTuple(texts: PacketTexts): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tailOffset = FIELDS.length * WORD;
  for (const name of FIELDS) {
    if (name === 'amount') {
      heads.push(wordOf(BigInt(texts.amount)));
      continue;
    }
    const bytes = utf8(texts[name]);
    heads.push(wordOf(BigInt(tailOffset)));
    const tail = concat(wordOf(BigInt(bytes.length)), bytes, new Uint8Array(-bytes.length & (WORD - 1)));
    tails.push(tail);
    tailOffset += tail.length;
  }
  return concatAll([wordOf(BigInt(WORD)), ...heads, ...tails]);
}

/** Decodes the tuple; throws SdkError for malformed bytes. */
export function decodeTuple(bytes: Uint8Array): PacketTexts {
  if (bytes.length === 0) throw refuse('abi: attempting to unmarshal an empty string while arguments are expected');
  const offset = wordAt(bytes, 0);
  if (offset > BigInt(bytes.length))
    throw refuse(
      `abi: cannot marshal in to go slice: offset ${offset} would go over slice boundary (len=${bytes.length})`,
    );
  const tuple = bytes.subarray(Number(offset));
  const [denom, sender, receiver] = [0, 1, 2].map((index) => textAt(tuple, index * WORD));
  const amount = wordAt(tuple, 3 * WORD).toString();
  return { denom: denom ?? '', sender: sender ?? '', receiver: receiver ?? '', amount, memo: textAt(tuple, 4 * WORD) };
}

function wordAt(bytes: Uint8Array, at: number): bigint {
  if (at + WORD > bytes.length)
    throw refuse(`abi: cannot marshal in to go type: length insufficient ${bytes.length} require ${at + WORD}`);
  return bigintOfBytes(bytes.subarray(at, at + WORD));
}

/** Decodes the string whose offset is at a position. */
function textAt(bytes: Uint8Array, at: number): string {
  const begin = wordAt(bytes, at) + BigInt(WORD);
  const size = BigInt(bytes.length);
  if (begin > size)
    throw refuse(`abi: cannot marshal in to go slice: offset ${begin} would go over slice boundary (len=${size})`);
  const end = begin + bigintOfBytes(bytes.subarray(Number(begin) - WORD, Number(begin)));
  if (end > size) throw refuse(`abi: cannot marshal in to go type: length insufficient ${size} require ${end}`);
  return text(bytes.subarray(Number(begin), Number(end)));
}
