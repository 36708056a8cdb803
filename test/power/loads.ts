/** Loads for power cuts: each is a run of real nodes and commands with clients. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { call } from '../e2e/comet-client.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, signed, signedEither, signEthereum, UNSIGNED, type Signed } from '../e2e/load.js';
import { anyOf } from '../support/sign-tx.js';
import { temporaryFolder } from '../support/temporary.js';
import { Recorder, type RecordedNode } from './recorder.js';
import type { Trace } from './trace.js';

const MANUAL = ['--mining', 'manual'];
/** The first checkpoint of the trees is that of height 1,000. */
const INITIAL_HEIGHT = 990;

const LOADS = {
  bursts,
  'bursts, synced': burstsSynced,
  transfers,
  'empty blocks': emptyBlocks,
  'mined runs': minedRuns,
  indexes,
  lives,
  pruning,
  reverts,
} as const satisfies Readonly<Record<string, (recorder: Recorder, size: LoadSize) => Promise<void>>>;

/** `short` is for a recording that is a fixture or is made in a test. */
export type LoadSize = 'short' | 'long';

export type LoadName = keyof typeof LOADS;

export const LOAD_NAMES: readonly LoadName[] = Object.keys(LOADS).filter(isLoadName);

function isLoadName(name: string): name is LoadName {
  return name in LOADS;
}

/**
 * Runs a load with the build `program` (`recording-build.ts`) for some seconds. Returns the trace of its disk.
 */
export async function record(name: LoadName, program: string, size: LoadSize): Promise<Trace> {
  const recorder = new Recorder(program);
  await LOADS[name](recorder, size);
  return recorder.trace(name);
}

/** Large concurrent transactions with few blocks: most of the log is unsynced admissions. */
async function bursts(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'bursts' }, ['--mining', 'interval', '--block-time', '0.1']);
  await burst(node, size === 'short' ? 3 : 12, false);
  await node.end('SIGTERM');
}

/** Bursts of admissions that are synced before they are answered. */
async function burstsSynced(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'synced bursts', args: ['--log.sync', 'always'] }, [
    '--mining',
    'interval',
    '--block-time',
    '0.1',
    '--log.sync',
    'always',
  ]);
  await burst(node, size === 'short' ? 2 : 6, true);
  await node.end('SIGTERM');
}

async function burst(node: RecordedNode, rounds: number, synced: boolean): Promise<void> {
  const senders = [0, 1, 2, 3];
  await beside(node, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const hashes = await Promise.all(
        senders.flatMap((account) =>
          Array.from({ length: 4 }, async (_, index) => {
            const sent = largeTransfer(account, BigInt(round * 4 + index), 4_096);
            const hash = await callEthereum<string>(node.eth, 'eth_sendRawTransaction', [sent.ethereum?.raw]);
            if (synced) node.told({ kind: 'admitted', hash: sent.hash });
            return hash;
          }),
        ),
      );
      await Promise.all(hashes.map((hash) => node.seeReceipt(hash)));
    }
  });
}

/** One block for each transfer, from four clients. */
async function transfers(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'transfers' });
  await Promise.all(
    [0, 1, 2, 3].map(async (account) => {
      for (let sent = 0; sent < (size === 'short' ? 8 : 40); sent += 1) await transfer(node, account);
    }),
  );
  await node.end('SIGTERM');
}

async function emptyBlocks(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'empty blocks' }, MANUAL);
  await beside(node, async () => {
    for (let block = 0; block < (size === 'short' ? 40 : 150); block += 1) await callEthereum(node.eth, 'evm_mine');
  });
  await node.end('SIGTERM');
}

/** Many blocks by one command, while other clients send and read. */
async function minedRuns(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'mined runs' });
  let over = false;
  const others = [0, 1, 2].map(async (account) => {
    while (!over) await transfer(node, account);
  });
  await beside(node, async () => {
    for (let run = 0; run < (size === 'short' ? 1 : 4); run += 1) {
      await callEthereum(node.eth, 'anvil_mine', [size === 'short' ? '0x20' : '0x64']);
      await node.seeHead();
    }
    over = true;
    await Promise.all(others);
  });
  await node.end('SIGKILL');
}

/** Both kinds of transactions with logs and attributes, and filters: log switches between batches of indexes. */
async function indexes(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'indexes' }, ['--mining', 'interval', '--block-time', '0.05']);
  const filters = await Promise.all(
    ['eth_newBlockFilter', 'eth_newPendingTransactionFilter'].map((method) => callEthereum<string>(node.eth, method)),
  );
  await beside(node, async () => {
    await node.seeHead();
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (account) => {
        for (let sequence = 0n; sequence < (size === 'short' ? 8n : 40n); sequence += 1n) {
          const sent = signedEither(account, sequence);
          await call(node.comet, 'broadcast_tx_sync', { tx: sent.tx });
          if (sequence % 8n !== 7n) continue;
          await callEthereum(node.eth, 'eth_getFilterChanges', [filters[account % filters.length]]);
          if (sent.ethereum !== undefined) await node.seeReceipt(sent.ethereum.hash);
        }
      }),
    );
  });
  await node.end('SIGTERM');
}

/**
 * Creation of a chain, a checkpoint of the trees, an upgrade, a rebuild, a rollback, a reset, and a second creation.
 */
async function lives(recorder: Recorder): Promise<void> {
  await recorder.run({ name: 'init' }, ['init']);
  const genesis = ['--genesis', lateGenesis(recorder.home)];
  const first = await recorder.start({ name: 'founding' }, [...MANUAL, ...genesis]);
  await mine(first);
  await send(first, [0, 1, 2], 0n);
  await mine(first);
  await callEthereum(first.eth, 'anvil_mine', ['0x20']);
  await callEthereum(first.eth, 'evm_snapshot');
  await mine(first);
  await first.end('SIGTERM');

  const second = await recorder.start({ name: 'upgrade' }, MANUAL);
  const height = BigInt(await second.seeHead());
  const plan = { name: 'v2', height: height + 3n, info: '' };
  const { tx } = signed(0, 1n, [anyOf(MsgSoftwareUpgradeSchema, { authority: ACCOUNTS[0]?.bech32 ?? '', plan })]);
  await call(second.comet, 'broadcast_tx_sync', { tx });
  await mine(second);
  await mine(second);
  // The block of the halt is decided but not executed.
  await callEthereum(second.eth, 'evm_mine').catch(() => undefined);
  await second.end('SIGKILL');

  const args = ['--app-version', 'v2'];
  const third = await recorder.start({ name: 'upgraded', args }, [...MANUAL, ...args]);
  await send(third, [1, 2], 1n);
  await mine(third);
  await send(third, [1, 2], 2n);
  await third.end('SIGTERM');

  await recorder.run({ name: 'log rebuild', args }, ['log', 'rebuild']);
  const fourth = await recorder.start({ name: 'rebuilt', args }, [...MANUAL, ...args]);
  await mine(fourth);
  await mine(fourth);
  await fourth.end('SIGTERM');
  await recorder.run({ name: 'rollback', args, takesBack: true }, ['rollback', ...args]);
  const fifth = await recorder.start({ name: 'rolled back', args }, [...MANUAL, ...args]);
  await mine(fifth);
  await fifth.end('SIGTERM');
  await recorder.run({ name: 'reset', removes: true }, ['reset', '-y']);
  const sixth = await recorder.start({ name: 'founding again' }, MANUAL);
  await mine(sixth);
  await sixth.end('SIGTERM');
}

/** Prunes states, blocks and records, by the command and by a node. Clients read blocks that are kept. */
async function pruning(recorder: Recorder, size: LoadSize): Promise<void> {
  const first = await recorder.start({ name: 'before' }, MANUAL);
  await callEthereum(first.eth, 'anvil_mine', ['0x60']);
  await first.end('SIGTERM');
  const rules = ['--pruning', 'everything', '--min-retain-blocks', '20'];
  await recorder.run({ name: 'prune' }, ['prune', ...rules]);
  if (size === 'long') {
    const second = await recorder.start({ name: 'pruned' }, MANUAL);
    await callEthereum(second.eth, 'anvil_mine', ['0x50']);
    await second.end('SIGKILL');
    await recorder.run({ name: 'prune again' }, ['prune', ...rules]);
  }
  const third = await recorder.start({ name: 'going on' }, [...MANUAL, ...rules]);
  for (let block = 0; block < 5; block += 1) await mine(third);
  await third.end('SIGTERM');
}

/** Reverts of full blocks in dev mode while other clients send transactions: a revert is one large batch. */
async function reverts(recorder: Recorder, size: LoadSize): Promise<void> {
  const node = await recorder.start({ name: 'reverts' }, MANUAL);
  await mine(node);
  for (let round = 0; round < (size === 'short' ? 2 : 6); round += 1) {
    const through = await node.seeHead();
    const snapshot = await callEthereum<string>(node.eth, 'evm_snapshot');
    for (let block = 0; block < 3; block += 1) {
      await sendMany(node, size === 'short' ? 16 : 64);
      await mine(node);
    }
    // An answer counts from the next millisecond on.
    await delay(2);
    node.asks({ kind: 'reverting', through });
    await Promise.all([
      callEthereum(node.eth, 'evm_revert', [snapshot]).then(() => node.told({ kind: 'reverted' })),
      // During a revert the node refuses some of them.
      sendMany(node, 8).catch(() => undefined),
    ]);
    await mine(node);
  }
  await node.end('SIGKILL');
}

/** Sends transfers with data, which the node signs. */
async function sendMany(node: RecordedNode, count: number): Promise<void> {
  const data = `0x${'5a'.repeat(1_024)}`;
  const send = (index: number): Promise<unknown> =>
    callEthereum(node.eth, 'eth_sendTransaction', [
      { from: ACCOUNTS[index % 4]?.hex, to: ACCOUNTS[9]?.hex, value: '0x1', data },
    ]);
  await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

/** Runs `work` while a client keeps reading the newest block. */
async function beside(node: RecordedNode, work: () => Promise<void>): Promise<void> {
  let over = false;
  const looking = (async () => {
    while (!over) await node.seeHead();
  })();
  try {
    await work();
  } finally {
    over = true;
    await looking;
  }
}

async function mine(node: RecordedNode): Promise<void> {
  await callEthereum(node.eth, 'evm_mine');
  await node.seeHead();
}

async function send(node: RecordedNode, accounts: readonly number[], sequence: bigint): Promise<void> {
  for (const account of accounts)
    await call(node.comet, 'broadcast_tx_sync', { tx: signedEither(account, sequence).tx });
}

async function transfer(node: RecordedNode, account: number): Promise<void> {
  const sent = { from: ACCOUNTS[account]?.hex, to: ACCOUNTS[9]?.hex, value: '0x1' };
  await node.seeReceipt(await callEthereum<string>(node.eth, 'eth_sendTransaction', [sent]));
}

/** A transfer with so many bytes of data. */
export function largeTransfer(account: number, nonce: bigint, bytes: number): Signed {
  return signEthereum(account, {
    ...UNSIGNED,
    type: 2,
    chainId: 271_828n,
    nonce,
    to: Uint8Array.from(Buffer.from((ACCOUNTS[9]?.hex ?? '').slice(2), 'hex')),
    value: 1n,
    gasLimit: 1_500_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    data: new Uint8Array(bytes).fill(account + 1),
  });
}

/**
 * A genesis file beside the disk, equal to the home's except that its chain begins shortly before the first
 * checkpoint.
 */
function lateGenesis(home: string): string {
  const file = join(temporaryFolder(), 'genesis.json');
  const genesis: object = JSON.parse(readFileSync(join(home, 'config', 'genesis.json'), 'utf8'));
  writeFileSync(file, JSON.stringify({ ...genesis, initial_height: String(INITIAL_HEIGHT) }));
  return file;
}
