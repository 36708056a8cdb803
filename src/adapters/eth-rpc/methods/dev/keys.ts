/**
 * Dev commands that add keys (geth up to v1.14.11 `internal/ethapi`) and accounts without keys, as in ganache (v7.9
 * `packages/ethereum/ethereum/src/wallet.ts`). Passwords are ignored, and accounts are never locked.
 */
import type { EthereumApi, EthereumDevApi } from '../../../../core/ethereum/api.js';
import { equal } from '../../../../core/bytes/bytes.js';
import { fromHex, hexData } from '../../../../core/bytes/hex.js';
import { type Method, method, ok } from '../../method.js';
import { address } from '../../params/hex.js';
import { bad, good, type Param, required } from '../../params/param.js';
import { password } from '../sign.js';
import { answerOf, toTrue, unsigned } from './names.js';
import * as schema from '../../schema.js';

const KEY_DIGITS = 64;

const PRIVATE_KEY: schema.Schema = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' };

/** A private key in hex, with or without 0x (geth rejects the prefix). */
const privateKey: Param<Uint8Array> = required('key', PRIVATE_KEY, (value) => {
  if (typeof value !== 'string') return bad('not a private key');
  const digits = value.replace(/^0x/u, '');
  if (!/^[0-9a-fA-F]*$/u.test(digits)) return bad('invalid hex data for private key');
  return digits.length === KEY_DIGITS ? good(fromHex(digits)) : bad('invalid length, need 256 bits');
});

function isKnown(api: EthereumApi, account: Uint8Array): boolean {
  return [...api.accounts(), ...(api.dev?.impersonation.addresses() ?? [])].some((one) => equal(one, account));
}

const addressJson = (address: Uint8Array): string => `"${hexData(address)}"`;

/** Creates the commands that add keys and impersonate accounts. */
export function keyCommands(dev: EthereumDevApi): readonly Method[] {
  const { impersonation } = dev;
  return [
    method('personal_newAccount', 'Makes a key and holds it', [password], schema.ADDRESS, () =>
      answerOf(dev.holdKey(undefined), addressJson),
    ),
    ...unsigned([
      method(
        'evm_addAccount',
        'Lets the node send for an account without its key; answers false where it does already',
        [address, password],
        schema.BOOLEAN,
        ([account], { api }) => (isKnown(api, account) ? ok('false') : answerOf(impersonation.start(account), toTrue)),
      ),
    ]),
    method(
      'evm_removeAccount',
      'Ends that the node sends for an account; answers whether it did',
      [address, password],
      schema.BOOLEAN,
      ([account]) => {
        const wasHeld = dev.releaseKey(account);
        return ok(String(impersonation.stop(account) || wasHeld));
      },
    ),
    method('personal_importRawKey', 'Holds a private key', [privateKey, password], schema.ADDRESS, ([key]) =>
      answerOf(dev.holdKey(key), addressJson),
    ),
  ];
}
