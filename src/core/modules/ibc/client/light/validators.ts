/**
 * Validates a validator set from untrusted bytes (CometBFT v0.38 `ValidatorSetFromProto` in
 * `types/validator_set.go`).
 */
import { equal } from '../../../../bytes/bytes.js';
import { upperHex } from '../../../../bytes/hex.js';
import type { Crypto } from '../../../../ports/crypto.js';
import type { Validator, ValidatorSet } from '../../../../proto/tendermint/types/validator_pb.js';
import { addressOf } from '../../../../comet/address.js';
import { MAX_TOTAL_POWER } from '../../../../comet/validator-set.js';
import { LightProblem } from './problem.js';

/** Names and lengths of public keys. */
const KEYS = { ed25519: { name: 'PubKeyEd25519', bytes: 32 }, secp256k1: { name: 'PubKeySecp256k1', bytes: 33 } };

type Hashes = Pick<Crypto, 'sha256' | 'ripemd160'>;

/**
 * Validates a set: rejects an empty set, keys of wrong length, addresses that do not match their key, negative power,
 * and a proposer that is not a member. Throws `LightProblem`.
 */
export function checkValidators(crypto: Hashes, set: ValidatorSet | undefined): ValidatorSet {
  if (set === undefined) throw new LightProblem('nil validator set');
  const { validators, proposer } = set;
  for (const validator of validators) checkKey(validator);
  if (proposer === undefined) throw new LightProblem('fromProto: validatorSet proposer error: nil validator');
  checkKey(proposer, 'fromProto: validatorSet proposer error: ');
  let total = 0n;
  for (const { votingPower } of validators) {
    total += votingPower;
    if (total > MAX_TOTAL_POWER)
      throw new LightProblem(
        `Total voting power should be guarded to not exceed ${MAX_TOTAL_POWER}; got: ${total}`,
        true,
      );
  }
  if (validators.length === 0) throw new LightProblem('validator set is nil or empty');
  for (const [index, validator] of validators.entries())
    checkValidator(crypto, validator, `invalid validator #${index}: `);
  checkValidator(crypto, proposer, 'proposer failed validate basic, error: ');
  if (!validators.some(({ address }) => equal(address, proposer.address)))
    throw new LightProblem('proposer not in validator set');
  return set;
}

function checkKey({ pubKey }: Validator, before = ''): void {
  const sum = pubKey?.sum;
  if (sum?.case === undefined) throw new LightProblem(`${before}fromproto: key type <nil> is not supported`);
  const { name, bytes } = KEYS[sum.case];
  if (sum.value.length !== bytes)
    throw new LightProblem(`${before}invalid size for ${name}. Got ${sum.value.length}, expected ${bytes}`);
}

function checkValidator(crypto: Hashes, { pubKey, votingPower, address }: Validator, before: string): void {
  if (pubKey === undefined) throw new LightProblem(`${before}validator does not have a public key`);
  if (votingPower < 0n) throw new LightProblem(`${before}validator has negative voting power`);
  const expected = addressOf(crypto, pubKey);
  if (!equal(address, expected))
    throw new LightProblem(
      `${before}validator address is incorrectly derived from pubkey. Exp: ${upperHex(expected)}, got ${upperHex(address)}`,
    );
}
