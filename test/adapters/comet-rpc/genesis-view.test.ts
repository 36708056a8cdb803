import { expect, it } from 'vitest';
import { genesisView } from '../../../src/adapters/comet-rpc/genesis-view.js';
import { ed25519Address } from '../../../src/core/comet/address.js';
import { toBase64 } from '../../../src/core/bytes/base64.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../../node/simulated-node.js';

it('genesis is shown as by CometBFT, with heights as texts and addresses of validators, and is made once', async () => {
  const { node } = await simulate({ store: new MemoryStore() });
  const { chain } = node.api.queries;
  const view = genesisView(chain);
  const file = JSON.parse(new TextDecoder().decode(chain.genesis().json));
  const key: Uint8Array = Uint8Array.from(Buffer.from(file.consensus.validators[0].pub_key.value, 'base64'));
  expect(JSON.parse(new TextDecoder().decode(view))).toEqual({
    genesis_time: file.genesis_time,
    chain_id: file.chain_id,
    initial_height: '1',
    consensus_params: file.consensus.params,
    validators: [
      {
        address: upperHex(ed25519Address(createPureCrypto(), key)),
        pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(key) },
        power: file.consensus.validators[0].power,
        name: file.consensus.validators[0].name,
      },
    ],
    app_hash: '',
    app_state: file.app_state,
  });
  expect(genesisView(chain)).toBe(view);
  await node.stop();
});

it('genesis has no validators when the document has none: they come from the application', () => {
  const json = new TextEncoder().encode(
    '{"genesis_time":"t","chain_id":"x","initial_height":5,"app_hash":null,"app_state":{},"consensus":{"params":{"block":{}}}}',
  );
  const validators = () => {
    throw new Error('nobody is asked');
  };
  expect(
    new TextDecoder().decode(
      genesisView({ genesis: () => ({ json, chainId: 'x', initialHeight: toHeight(5n) }), validators }),
    ),
  ).toBe(
    '{"genesis_time":"t","chain_id":"x","initial_height":"5","consensus_params":{"block":{}},"app_hash":"","app_state":{}}',
  );
});

it("a document in CometBFT's form is returned byte for byte", () => {
  const json = new TextEncoder().encode('{"initial_height": "1",  "consensus_params":{},"app_state":{"a":"<"}}');
  const genesis = () => ({ json, chainId: 'x', initialHeight: toHeight(1n) });
  expect(genesisView({ genesis, validators: () => undefined })).toBe(json);
});
