/** Plays one chain: blocks of random transactions, absent validators and evidence, given to both nodes. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { evmd as preset } from '../../../src/core/peers/evmd/preset.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { toTimeNs } from '../../../src/core/primitives.js';
import {
  QueryAccountInfoRequestSchema,
  QueryAccountInfoResponseSchema,
} from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import {
  type Misbehavior,
  MisbehaviorSchema,
  MisbehaviorType,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { MessageRouter } from '../../../src/core/sdk/module/message-router.js';
import { messageTypesOf } from '../../../src/core/sdk/module/version-types.js';
import { blockDifferences, type Difference, resultDifferences } from '../differences.js';
import type { BlockOptions, Pair } from '../pair.js';
import type { Random } from '../random.js';
import type { Actor } from './actors.js';
import { anyBytes } from './any.js';
import { transaction } from './envelope.js';
import { DENOMS, type Founded, PREFIX } from './genesis.js';
import { messageBytes } from './message.js';
import { noteIds } from './memory.js';
import { readParams } from './parameters.js';
import { NOTHING, readStanding } from './standing.js';
import { CALM, weightOf } from './weights.js';
import type { World } from './world.js';

export interface Played {
  readonly height: bigint;
  readonly txs: readonly Uint8Array[];
  readonly options: BlockOptions;
  readonly differences: readonly Difference[];
  /** Type of the first message and code of each transaction. */
  readonly results: readonly { readonly type: string; readonly code: number; readonly log: string }[];
}

const AUTHORITY = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';
const MODULES = [
  AUTHORITY,
  'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta',
  'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
  'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl',
  'cosmos1tygms3xhhs3yv487phx3dw4a95jn7t7lpm470r',
];

export function worldOf({ actors, chainId, coinMetadata }: Founded, random: Random): World {
  const router = new MessageRouter(preset);
  const types = messageTypesOf(preset);
  return {
    random,
    actors,
    chainId,
    prefix: PREFIX,
    denoms: DENOMS,
    authority: AUTHORITY,
    modules: MODULES,
    types,
    messages: [...types].flatMap((type) =>
      type.kind === 'message' && router.knows(`/${type.typeName}`) ? [type] : [],
    ),
    accounts: new Map(),
    params: new Map(),
    coinMetadata,
    standing: NOTHING,
    consensusKeys: Array.from({ length: 8 }, () => random.bytes(32)),
    ibcIds: [],
    proposals: 0,
    height: 0n,
    time: 0n,
    mischief: 0,
  };
}

/** `free`: accounts that sign nothing else in the block; one that does may have a sequence of its own by then. */
function randomTransaction(world: World, free: Actor[]): Uint8Array {
  const { random } = world;
  const one = (): Actor => {
    const from = free.length > 0 && random.chance(0.85) ? free : world.actors.slice(0, random.pick([1, 4, 7, 20]));
    const actor = random.pick(from);
    if (free.includes(actor)) free.splice(free.indexOf(actor), 1);
    return actor;
  };
  const signing = [...new Set(Array.from({ length: random.chance(0.1) ? random.pick([2, 2, 3]) : 1 }, one))];
  const count = random.pick([1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 6]);
  const order = Array.from({ length: Math.max(count, signing.length) }, (_, index) => signing[index % signing.length]);
  const messages = order.flatMap((actor) => {
    if (actor === undefined) return [];
    world.mischief = world.height < CALM ? 0 : random.pick([0, 0, 0, 0, 0.02, 0.15]);
    const desc = random.weighted(world.messages.map((each) => [weightOf(world, actor, each.typeName), each] as const));
    return [anyBytes(world, `/${desc.typeName}`, messageBytes({ world, actor, depth: 0, encode: messageBytes }, desc))];
  });
  world.mischief = world.height < CALM ? 0 : random.pick([0, 0, 0, 0, 0, 0, 0.05, 0.3]);
  return transaction(world, messages, signing);
}

async function refresh(world: World, { ours }: Pair): Promise<void> {
  for (const { bech32 } of world.actors) {
    const data = toBinary(QueryAccountInfoRequestSchema, create(QueryAccountInfoRequestSchema, { address: bech32 }));
    const answer = await ours.engine.query({
      path: '/cosmos.auth.v1beta1.Query/AccountInfo',
      data,
      height: 0n,
      prove: false,
    } as never);
    const { value } = answer as unknown as { readonly value: Uint8Array };
    const { info } = fromBinary(QueryAccountInfoResponseSchema, value);
    world.accounts.set(bech32, { number: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n });
  }
  await readParams(world, ours);
  world.standing = await readStanding(world, ours);
}

/** Executes a random block on both; `check`: its transactions are checked before. */
export async function playBlock(world: World, pair: Pair): Promise<Played> {
  const { random } = world;
  world.height = pair.height() + 1n;
  world.time = pair.time();
  if (world.height > 1n) await refresh(world, pair);
  const free = [...world.actors];
  const count = world.height === 1n ? 0 : random.pick([0, 1, 2, 4, 8, 12, 16]);
  const txs = Array.from({ length: count }, () => randomTransaction(world, free));
  const differences: Difference[] = [];
  if (random.chance(0.4))
    for (const [index, tx] of txs.entries()) {
      const { ours, theirs } = await pair.check(tx);
      differences.push(...resultDifferences(ours, theirs, index).map((each) => ({ ...each, of: `check: ${each.of}` })));
    }
  const options = optionsOf(world, pair);
  const { ours, theirs, height } = await pair.block(txs, options);
  differences.push(...blockDifferences(ours, theirs));
  noteIds(world, theirs);
  const results = theirs.txResults.map(({ code, log }, index) => ({ type: typeOf(txs[index]), code, log }));
  return { height, txs, options, differences, results };
}

function optionsOf({ random, height }: World, pair: Pair): BlockOptions {
  const validators = [...pair.validators()];
  const seconds = random.weighted([
    [6, 1],
    [2, random.next() * 5],
    [1, 12],
    [0.3, 60],
    [0.2, 0.001],
  ]);
  const phase = Number(height / 7n);
  const absent = new Set(
    validators.filter((_, index) => index > 0 && (phase + index) % 3 === 0 && random.chance(0.9)).map(([key]) => key),
  );
  const evidence = height > 20n && validators.length > 1 && random.chance(0.04);
  return { seconds, absent, misbehavior: evidence ? [misbehavior(random, pair)] : [] };
}

function misbehavior(random: Random, pair: Pair): Misbehavior {
  const validators = [...pair.validators().values()];
  const validator = validators[random.between(1, validators.length - 1)];
  const back = random.between(1, 10);
  return create(MisbehaviorSchema, {
    type: random.pick([MisbehaviorType.DUPLICATE_VOTE, MisbehaviorType.LIGHT_CLIENT_ATTACK]),
    validator: { address: validator?.address ?? new Uint8Array(20), power: validator?.power ?? 1n },
    height: pair.height() - BigInt(back),
    time: toTimestamp(toTimeNs(pair.time() - BigInt(back) * 1_000_000_000n)),
    totalVotingPower: validators.reduce((sum, { power }) => sum + power, 0n),
  });
}

function typeOf(tx: Uint8Array | undefined): string {
  try {
    const { bodyBytes } = fromBinary(TxRawSchema, tx ?? new Uint8Array());
    return fromBinary(TxBodySchema, bodyBytes).messages[0]?.typeUrl ?? 'none';
  } catch {
    return 'undecoded';
  }
}
