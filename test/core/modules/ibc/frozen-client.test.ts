/** The status of a client: evmd reads no consensus state of a frozen client, which its gas shows. */
import { create } from '@bufbuild/protobuf';
import { expect, it, vi } from 'vitest';
import { statusOf } from '../../../../src/core/modules/ibc/client/tendermint.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
} from '../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';

it.each([
  ['Frozen', 0, { revisionNumber: 19n, revisionHeight: 4n }],
  ['Frozen', 0, { revisionHeight: 1n }],
  ['Active', 1, {}],
  ['Active', 1, undefined],
])('statusOf answers %s after reading the latest consensus state %i times (case %#)', (status, reads, frozenHeight) => {
  const latest = create(ConsensusStateSchema, { timestamp: { seconds: 5n } });
  const readLatest = vi.fn(() => latest);
  const client = create(ClientStateSchema, { trustingPeriod: { seconds: 10n }, ...(frozenHeight && { frozenHeight }) });
  expect(statusOf(client, readLatest, 6_000_000_000n)).toBe(status);
  expect(readLatest).toHaveBeenCalledTimes(reads);
});
