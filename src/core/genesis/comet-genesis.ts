import { asObject } from '../text/json-object.js';

/**
 * Converts a genesis document to CometBFT's form (CometBFT v0.38 `types/genesis.go`). The SDK's form has a
 * `consensus` section, other field names and no validator addresses (cosmos-sdk v0.53 `x/genutil/types/genesis.go`).
 * A document in CometBFT's form is returned unchanged. Undefined when `consensus` is not an object. `addressOf` maps
 * a base64 public key to its address in upper-case hex.
 */
export function cometGenesis(
  document: Readonly<Record<string, unknown>>,
  addressOf: (key: string) => string,
): Readonly<Record<string, unknown>> | undefined {
  if (document['consensus'] === undefined) return document;
  const consensus = asObject(document['consensus']);
  if (consensus === undefined) return undefined;
  const given = Array.isArray(consensus['validators']) ? consensus['validators'] : [];
  const validators = given.map((one: unknown) => {
    const validator = asObject(one) ?? {};
    const key = asObject(validator['pub_key'])?.['value'];
    const name = typeof validator['name'] === 'string' ? validator['name'] : '';
    return {
      address: addressOf(typeof key === 'string' ? key : ''),
      pub_key: validator['pub_key'],
      power: String(validator['power']),
      name,
    };
  });
  return {
    genesis_time: document['genesis_time'],
    chain_id: document['chain_id'],
    initial_height: String(document['initial_height']),
    consensus_params: consensus['params'],
    ...(validators.length > 0 && { validators }),
    app_hash: document['app_hash'] ?? '',
    app_state: document['app_state'],
  };
}
