/** Executes the recorded chain in both programs, so that each module has data to query. */
import { create } from '@bufbuild/protobuf';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { blockFromJson } from '../../../src/core/comet/json/block-json.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import {
  type Misbehavior,
  MisbehaviorSchema,
  MisbehaviorType,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import type { Pair } from '../pair.js';

/** Plays the heights from 1 to `last`. Throws at the first difference. */
export async function playRecorded(pair: Pair, last: number): Promise<void> {
  let before: bigint | undefined;
  for (const { height, block } of readRecordedChain().slice(0, last)) {
    const { data, lastCommit } = blockFromJson(block.block);
    const { time, misbehavior } = blockFacts(blockFromJson(block.block), undefined);
    const signed = new Set(
      lastCommit?.signatures.map(({ validatorAddress }) => Buffer.from(validatorAddress).toString('hex')),
    );
    const { difference } = await pair.block(data?.txs ?? [], {
      seconds: before === undefined ? 1 : Number(time - before) / 1e9,
      absent: new Set([...pair.validators().keys()].filter((address) => !signed.has(address))),
      misbehavior: misbehavior.map(onTheWire),
    });
    if (difference !== undefined) throw new Error(`height ${height}: ${difference}`);
    before = time;
  }
}

function onTheWire(of: ReturnType<typeof blockFacts>['misbehavior'][number]): Misbehavior {
  const { address, power, height, totalVotingPower } = of;
  const type = of.kind === 'duplicate vote' ? MisbehaviorType.DUPLICATE_VOTE : MisbehaviorType.LIGHT_CLIENT_ATTACK;
  const validator = { address, power };
  return create(MisbehaviorSchema, { type, validator, height, time: toTimestamp(of.time), totalVotingPower });
}
