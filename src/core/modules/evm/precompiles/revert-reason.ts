import { concat, utf8 } from '../../../bytes/bytes.js';
import { wordOf } from '../../../bytes/big-endian.js';

/** Selector of Solidity's `Error(string)`. */
const ERROR = Uint8Array.of(0x08, 0xc3, 0x79, 0xa0);

/** Encodes text as revert data of Solidity's `require`. */
export function revertReason(text: string): Uint8Array {
  const bytes = utf8(text);
  return concat(ERROR, wordOf(32n), wordOf(BigInt(bytes.length)), bytes, new Uint8Array(-bytes.length & 31));
}
