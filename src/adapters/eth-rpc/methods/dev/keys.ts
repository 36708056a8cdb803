/** Keys that a node in dev mode is given (geth up to v1.13 `internal/ethapi`); passwords are not kept. */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { fromHex, hexData } from '../../../../core/bytes/hex.js';
import { type Method, method } from '../../method.js';
import { bad, good, type Param, required } from '../../params/param.js';
import { answerOf } from './names.js';
import * as schema from '../../schema.js';

const KEY_DIGITS = 64;

const PRIVATE_KEY: schema.Schema = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' };

/** Hex digits of a key; with 0x, too, which geth refuses. */
const privateKey: Param<Uint8Array> = required('key', PRIVATE_KEY, (value) => {
  if (typeof value !== 'string') return bad('not a private key');
  const digits = value.replace(/^0x/u, '');
  if (!/^[0-9a-fA-F]*$/u.test(digits)) return bad('invalid hex data for private key');
  return digits.length === KEY_DIGITS ? good(fromHex(digits)) : bad('invalid length, need 256 bits');
});
const password: Param<undefined> = required('password', schema.TEXT, () => good(undefined));
const addressJson = (address: Uint8Array): string => `"${hexData(address)}"`;

export function keyCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    method('personal_newAccount', 'Makes a key and holds it', [password], schema.ADDRESS, () =>
      answerOf(dev.holdKey(undefined), addressJson),
    ),
    method('personal_importRawKey', 'Holds a private key', [privateKey, password], schema.ADDRESS, ([key]) =>
      answerOf(dev.holdKey(key), addressJson),
    ),
  ];
}
