import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { afterBlock, genesisChainState, ValidatorsRefused } from '../../../src/core/chain/chain-state.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { encodeResults } from '../../../src/core/comet/results-codec.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import { BlockIDSchema, CommitSchema, HeaderSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { nodeCrypto } from '../comet/node-crypto.js';

const power = (votingPower: bigint): ValidatorUpdate =>
  create(ValidatorUpdateSchema, {
    pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: new Uint8Array(32).fill(1) } }),
    power: votingPower,
  });

const time = toTimeNs(0n);
const state = genesisChainState(nodeCrypto, {
  chainId: 'chain-1',
  initialHeight: toHeight(1n),
  time,
  validators: [power(1n)],
  consensusParams: create(ConsensusParamsSchema),
});

function after(validatorUpdates: readonly ValidatorUpdate[]) {
  return afterBlock(nodeCrypto, state, {
    block: create(BlockSchema, { header: create(HeaderSchema, { height: 1n, time: toTimestamp(time) }) }),
    blockId: create(BlockIDSchema),
    commit: create(CommitSchema),
    results: new EncodedResults(encodeResults({ events: [], txResults: [], validatorUpdates })),
    consensusParamUpdates: undefined,
    appHash: new Uint8Array(32),
  });
}

test('a block whose updates remove the last validator is refused with an error that names its height', () => {
  expect(after([power(2n)]).nextValidators.validators).toHaveLength(1);
  expect(() => after([power(0n)])).toThrow(ValidatorsRefused);
  expect(() => after([power(0n)])).toThrow(
    'validator updates of height 1: applying the validator changes would result in empty set',
  );
});
