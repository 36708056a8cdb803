import { publicKeyToJson } from '../../core/comet/json/validator-json.js';
import { upperHex } from '../../core/bytes/hex.js';
import type { ChainQueries } from '../../core/node-api.js';

/** Cache by genesis bytes: the genesis of a chain is always the same object. */
const views = new WeakMap<Uint8Array, Uint8Array>();

/**
 * The genesis document in CometBFT's format. The SDK's format (a `consensus` section, other member names, no
 * validator addresses) is converted; CometBFT's format is returned unchanged.
 */
export function genesisView(chain: Pick<ChainQueries, 'genesis' | 'validators'>): Uint8Array {
  const { json, initialHeight } = chain.genesis();
  const known = views.get(json);
  if (known !== undefined) return known;
  const document: {
    readonly [key: string]: unknown;
    readonly consensus?: {
      readonly params?: unknown;
      readonly validators?: readonly { readonly name?: string; readonly pub_key: { readonly value: string } }[];
    };
  } = JSON.parse(new TextDecoder().decode(json));
  const { consensus } = document;
  let view = json;
  if (consensus !== undefined) {
    const names = new Map(consensus.validators?.map(({ name, pub_key: key }) => [key.value, name ?? '']));
    const validators = (names.size === 0 ? [] : (chain.validators(initialHeight)?.validators ?? [])).flatMap(
      ({ address, pubKey, votingPower }) => {
        const key = publicKeyToJson(pubKey);
        return {
          address: upperHex(address),
          pub_key: key,
          power: String(votingPower),
          name: names.get(key.value) ?? '',
        };
      },
    );
    view = new TextEncoder().encode(
      JSON.stringify({
        genesis_time: document['genesis_time'],
        chain_id: document['chain_id'],
        initial_height: String(initialHeight),
        consensus_params: consensus.params,
        ...(validators.length > 0 && { validators }),
        app_hash: document['app_hash'] ?? '',
        app_state: document['app_state'],
      }),
    );
  }
  views.set(json, view);
  return view;
}
