import { equals } from '@bufbuild/protobuf';
import type { ChainState } from '../../core/chain/chain-state.js';
import type { LoggedChunks } from '../../core/log-events.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { partRow, type Anchor } from '../../store/log/anchor.js';
import { CorruptionError } from '../../store/errors.js';
import { History } from '../../store/history/history.js';
import type { WriteBehind } from '../../store/rows/write-behind.js';

/**
 * Replaces the validator and parameter rows derived from a snapshot by those of the anchor. Throws CorruptionError when
 * they contradict the state after the snapshot's block.
 */
export async function anchoredHistory(
  store: Pick<KeyValueStore, 'get' | 'range' | 'commit'>,
  { history: rows }: Anchor,
  restored: History,
  state: ChainState,
): Promise<History> {
  const operations = [
    ...restored.keys().map((key): StoreOperation => ({ type: 'delete', key })),
    ...rows.map((row): StoreOperation => ({ type: 'put', ...row })),
  ];
  await store.commit(operations, { sync: false });
  const history = await History.open(store);
  const next = toHeight(state.height + 1n);
  const [validators, params] = [history.validators(next), history.consensusParams(next)];
  if (
    validators === undefined ||
    params === undefined ||
    !equals(ValidatorSetSchema, validators, state.validators) ||
    !equals(ConsensusParamsSchema, params, state.consensusParams)
  )
    throw new CorruptionError('validators or parameters of the anchor are not those of its snapshot');
  return history;
}

/** Passes the parts of an anchor's snapshot through, writing each one before it is read. */
export async function* writtenParts(
  store: Pick<WriteBehind, 'commit' | 'flush'>,
  height: Height,
  chunks: LoggedChunks,
): AsyncGenerator<Uint8Array> {
  let index = 0;
  for await (const part of chunks) {
    await store.commit([partRow(height, index, part)], { sync: false });
    await store.flush();
    index += 1;
    yield part;
  }
}
