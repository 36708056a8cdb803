import { create, type DescMessage } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { MsgDelegateSchema, MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { MsgTransferSchema } from '../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { compactText } from '../../../../src/core/sdk/go/compact-text.js';
import { ConsensusParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';

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
])('consensus params are shown as in Go (case %#)', (params, text) => {
  expect(compactText(ConsensusParamsSchema, create(ConsensusParamsSchema, params))).toBe(text);
});

/** Texts that evmd v0.6.0 wrote into the logs of executions that it refused. */
it.each([
  [
    MsgTransferSchema,
    { sourcePort: 'transfer', token: { denom: 'atest', amount: '10' } },
    'source_port:"transfer" token:<denom:"atest" amount:"10" > timeout_height:<> ',
  ],
  [
    MsgSoftwareUpgradeSchema,
    { plan: { name: 'x', height: 5n } },
    'plan:<name:"x" time:<seconds:-62135596800 > height:5 > ',
  ],
  [MsgUpdateParamsSchema, { params: {} }, 'params:<min_commission_rate:"0" > '],
  [MsgUpdateParamsSchema, { params: { unbondingTime: {} } }, 'params:<min_commission_rate:"0" > '],
  [MsgDelegateSchema, {}, 'amount:<amount:"0" > '],
] as const)('parts that Go holds by value are always shown: $name (case %#)', (schema, message, text) => {
  expect(compactText<DescMessage>(schema, create<DescMessage>(schema, message))).toBe(text);
});
