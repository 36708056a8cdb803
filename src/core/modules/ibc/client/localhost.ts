/**
 * Localhost client, which reads the chain's own store instead of a proof (ibc-go v10
 * `modules/light-clients/09-localhost/light_client_module.go`).
 */
import { equal, text, utf8 } from '../../../bytes/bytes.js';
import { has } from '../../../sdk/module/gas.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, commitmentErrors, invalidPath } from '../errors.js';
import { STORE } from '../store.js';
import type { Claim } from './tendermint-proofs.js';

/** Placeholder for the proof in messages. */
const SENTINEL_PROOF = utf8('\u0001');

/** Compares a claim with the chain's own store; throws SdkError when they differ. */
export function verifyOwnClaim({ store }: Context, { path, value, proof }: Claim): void {
  if (!equal(proof, SENTINEL_PROOF))
    throw new SdkError(commitmentErrors.invalidProof, `expected ${text(SENTINEL_PROOF)}, got ${text(proof)}`);
  const [, key] = path;
  if (path.length !== 2 || key === undefined)
    throw new SdkError(
      invalidPath,
      `path must be of length 2: [${path.map((part) => `[${part.join(' ')}]`).join(' ')}]`,
    );
  const named = `key_path:"${path.map((part) => text(part)).join('" key_path:"')}" `;
  if (value === undefined) {
    if (has(store, STORE, key)) throw new SdkError(clientErrors.noAbsence, `value found for path ${named}`);
    return;
  }
  const found = store.get(STORE, key);
  if (found === undefined) throw new SdkError(clientErrors.noMembership, `value not found for path ${named}`);
  if (!equal(found, value))
    throw new SdkError(clientErrors.noMembership, `value provided does not equal value stored at path: ${named}`);
}
