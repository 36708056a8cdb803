import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { compactText } from '../../../src/core/sdk/compact-text.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';

/** Made by `ConsensusParams.String` of CometBFT 0.38.21. */
it.each([
  [
    {
      block: { maxBytes: 2000n, maxGas: 500_000n },
      evidence: { maxAgeNumBlocks: 100n, maxAgeDuration: { seconds: 1000n }, maxBytes: 1000n },
      validator: { pubKeyTypes: ['ed25519'] },
      version: {},
    },
    'block:<max_bytes:2000 max_gas:500000 > evidence:<max_age_num_blocks:100 max_age_duration:<seconds:1000 > max_bytes:1000 > validator:<pub_key_types:"ed25519" > version:<> ',
  ],
  [
    {
      block: { maxBytes: 2000n, maxGas: -1n },
      evidence: { maxAgeNumBlocks: 100n, maxAgeDuration: { seconds: 1n, nanos: 500_000_000 } },
      validator: { pubKeyTypes: ['ed25519', 'secp256k1'] },
      version: {},
      abci: {},
    },
    'block:<max_bytes:2000 max_gas:-1 > evidence:<max_age_num_blocks:100 max_age_duration:<seconds:1 nanos:500000000 > > validator:<pub_key_types:"ed25519" pub_key_types:"secp256k1" > version:<> abci:<> ',
  ],
  [
    { evidence: { maxAgeDuration: { nanos: 7 } }, abci: { voteExtensionsEnableHeight: 5n } },
    'evidence:<max_age_duration:<nanos:7 > > abci:<vote_extensions_enable_height:5 > ',
  ],
])('%# as Go shows it', (params, text) => {
  expect(compactText(ConsensusParamsSchema, create(ConsensusParamsSchema, params))).toBe(text);
});
