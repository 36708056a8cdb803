/**
 * `personal_*` methods of geth up to v1.14.11 that change nothing: recovering signers, and listing the held accounts,
 * which are always unlocked.
 */
import { concat, utf8 } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { serverError } from '../errors.js';
import { failed, type Method, method, ok, quoted } from '../method.js';
import { address, data } from '../params/hex.js';
import { good, type Param, required, withDefault } from '../params/param.js';
import { holdsKey } from './fill.js';
import { listedAccounts } from './node.js';
import * as schema from '../schema.js';

const SIGNATURE_BYTES = 65;
/** Offset of v in a signature (yellow paper, appendix F). */
const FIRST_V = 27;

const ignored: Param<undefined> = withDefault(
  required('ignored', schema.ANYTHING, () => good(undefined)),
  undefined,
);

export const personalMethods: readonly Method[] = [
  method(
    'personal_listAccounts',
    'Accounts that the node signs for',
    [],
    schema.listOf(schema.ADDRESS),
    listedAccounts,
  ),
  method(
    'personal_unlockAccount',
    'Whether the node sends for an account: none is ever locked',
    [address, ignored, ignored],
    schema.BOOLEAN,
    ([account], { api }) => ok(String(holdsKey(api, account) || api.dev?.impersonation.has(account) === true)),
  ),
  method('personal_lockAccount', 'Answers false: held keys are always open', [address], schema.BOOLEAN, () =>
    ok('false'),
  ),
  method(
    'personal_ecRecover',
    'Account that signed a message',
    [data, data],
    schema.ADDRESS,
    ([message, signature], { crypto }) => {
      if (signature.length !== SIGNATURE_BYTES)
        return failed(serverError(`signature must be ${SIGNATURE_BYTES} bytes long`));
      const parity = (signature[SIGNATURE_BYTES - 1] ?? 0) - FIRST_V;
      if (parity !== 0 && parity !== 1) return failed(serverError('invalid Ethereum signature (V is not 27 or 28)'));
      const digest = crypto.keccak256(concat(utf8(`\u0019Ethereum Signed Message:\n${message.length}`), message));
      const key = crypto.recoverSecp256k1(digest, signature.slice(0, SIGNATURE_BYTES - 1), parity);
      return key === undefined
        ? failed(serverError('invalid signature'))
        : quoted(hexData(crypto.keccak256(key).slice(12)));
    },
  ),
];
