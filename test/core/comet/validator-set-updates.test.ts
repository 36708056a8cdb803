import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { commitEvents } from '../../../src/core/chain/commit-events.js';
import { updatedValidators } from '../../../src/core/chain/commits.js';
import { fromBase64 } from '../../../src/core/bytes/base64.js';
import { toPosition } from '../../../src/core/primitives.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { nodeCrypto } from './node-crypto.js';

const KEYS = ['DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw=', 'KTeVrjP7NJIufvgMJsQRxZ3xcg/hMXWuju+Kv+zAVGE='];

/** Values of the ValidatorSetUpdates events of a block with these updates. */
function shown(powers: readonly bigint[]): readonly unknown[] {
  const validatorUpdates = powers.map((power, index) =>
    create(ValidatorUpdateSchema, {
      power,
      pubKey: { sum: { case: 'ed25519', value: fromBase64(KEYS[index] ?? '') } },
    }),
  );
  const events = commitEvents({
    position: toPosition(1n),
    block: create(BlockSchema, { header: { height: 5n }, data: {} }),
    blockId: create(BlockIDSchema),
    txHashes: [],
    results: EncodedResults.of({ events: [], txResults: [], validatorUpdates }),
    validatorUpdates: updatedValidators(nodeCrypto, validatorUpdates),
  });
  return events
    .filter(({ type }) => type === 'ValidatorSetUpdates')
    .map(({ dataType, value }) => ({ type: dataType, value: JSON.parse(value) }));
}

it.skipIf(!hasGolden)('a power change gives the ValidatorSetUpdates event that CometBFT published', () => {
  const frame = goldenLines<{ readonly frame?: string }>('faces/comet-ws.jsonl')
    .map((line) => line.frame ?? '')
    .find((text) => text.includes('tendermint/event/ValidatorSetUpdates') && text.includes('1009'));
  const recorded: { readonly result: { readonly data: unknown } } = JSON.parse(frame ?? '');
  expect(shown([1009n])).toEqual([recorded.result.data]);
});

it('a ValidatorSetUpdates event shows a removed validator with power 0, in the order of the updates', () => {
  const value = expect.objectContaining({ proposer_priority: '0' });
  expect(shown([7n, 0n])).toEqual([
    { type: 'tendermint/event/ValidatorSetUpdates', value: { validator_updates: [value, value] } },
  ]);
  expect(shown([7n, 0n])).toMatchObject([
    {
      value: {
        validator_updates: [
          { voting_power: '7', address: '2E1CA93285D58942BA2E22FD893CCAC7C924C3A1' },
          { voting_power: '0', pub_key: { type: 'tendermint/PubKeyEd25519', value: KEYS[1] } },
        ],
      },
    },
  ]);
});

it('a block without validator updates has no ValidatorSetUpdates event', () => {
  expect(shown([])).toEqual([]);
});
