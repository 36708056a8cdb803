import { expect, test } from 'vitest';
import { upperHex } from '../../src/core/bytes/hex.js';
import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import { toHeight } from '../../src/core/primitives.js';
import { ExecutorLost, type Executor } from '../../src/runtime/executor/executor.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { MemoryStore } from '../support/memory-store.js';
import { plan, send, simulate, type SimulatedNode } from './simulated-node.js';
import { reopenable } from '../support/reopenable.js';

async function broadcast({ node }: SimulatedNode, tx: Uint8Array): Promise<number> {
  const answer = await node.api.commands.broadcastTx(tx);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.code;
}

/** A chain of ten blocks with a transfer in most of them; all of its content as one text. */
async function tenBlocks(wrap?: (executor: Executor) => Executor): Promise<string> {
  const simulated = await simulate({ store: new MemoryStore(), ...(wrap && { wrap }) });
  for (let height = 1n; height <= 10n; height += 1n) {
    if (height % 3n !== 0n)
      expect(
        await broadcast(
          simulated,
          send(0, 1, height, BigInt(Math.floor(Number(height) - 1 - Math.floor(Number(height - 1n) / 3)))),
        ),
      ).toBe(0);
    await simulated.mineTo(height);
  }
  const { chain } = simulated.node.api.queries;
  const headers = Array.from({ length: 10 }, (_, index) =>
    upperHex(chain.block(toHeight(BigInt(index + 1)))?.blockId.hash ?? new Uint8Array()),
  );
  await simulated.node.stop();
  return [...headers, upperHex(chain.head().appHash)].join('\n');
}

test('two runs with the same inputs give the same blocks and app hash', async () => {
  expect(await tenBlocks()).toBe(await tenBlocks());
});

test('an executor that is lost at any request is replaced, and the chain stays the same', async () => {
  const undisturbed = await tenBlocks();
  for (const victim of ['execute', 'commit'] as const) {
    let calls = 0;
    let losses = 0;
    const chain = await tenBlocks((executor) => {
      const fragile =
        <Arguments extends readonly unknown[], Value>(run: (...values: Arguments) => Promise<Value>) =>
        (...values: Arguments): Promise<Value> => {
          calls += 1;
          if (calls % 4 !== 0) return run(...values);
          losses += 1;
          return Promise.reject(new ExecutorLost('killed by the test'));
        };
      return victim === 'execute'
        ? { ...executor, execute: fragile((request) => executor.execute(request)) }
        : { ...executor, commit: fragile((height) => executor.commit(height)) };
    });
    expect(chain).toBe(undisturbed);
    expect(losses).toBeGreaterThan(1);
  }
});

/** Makes three blocks; the height and the step of the consensus at the beginning of each execution. */
async function executionsOfThreeBlocks(absentPower?: bigint): Promise<readonly string[]> {
  const begun: string[] = [];
  let stepNow = (): string => 'starting';
  const simulated = await simulate({
    store: new MemoryStore(),
    ...(absentPower !== undefined && { absentPower }),
    wrap: (executor) => ({
      ...executor,
      execute: (request) => {
        begun.push(`${request.height} ${stepNow()}`);
        return executor.execute(request);
      },
    }),
  });
  stepNow = () => simulated.node.consensus.view.roundState()?.step ?? 'none';
  await simulated.mineTo(3n);
  await simulated.node.stop();
  return begun;
}

test('a sole validator executes its proposal once, before it votes', async () => {
  expect(await executionsOfThreeBlocks()).toEqual(['1 Propose', '2 Propose', '3 Propose']);
});

test.each([
  { at: 3n, expected: ['1 after 0', '2 after 1', '3 after 3'] },
  // A plan may name the height of the block that schedules it: it is due at the next one.
  { at: 1n, expected: ['1 after 0', '2 after 2'] },
])(
  'the block of an upgrade is executed only after its decision is in the log (plan at $at)',
  async ({ at, expected }) => {
    const decidedAt: string[] = [];
    let decided = (): bigint => 0n;
    const simulated = await simulate({
      store: new MemoryStore(),
      wrap: (executor) => ({
        ...executor,
        execute: (request) => {
          decidedAt.push(`${request.height} after ${decided()}`);
          return executor.execute(request);
        },
      }),
    });
    decided = () => simulated.node.eventLog.head().decided;
    expect(await broadcast(simulated, plan('v2', at, 0n))).toBe(0);
    await simulated.mineTo(at === 1n ? 1n : at - 1n);
    void simulated.node.consensus.mine();
    await simulated.time.advance(0);
    await simulated.node.halted;
    expect(decidedAt).toEqual(expected);
    await simulated.node.stop();
  },
);

test('a proposal that other validators may outvote is executed when it is decided', async () => {
  expect(await executionsOfThreeBlocks(1n)).toEqual(['1 Commit', '2 Commit', '3 Commit']);
});

test.each([
  ['chainId', 'chronicle_271828-1', 'other_7-1', 'the chain id'],
  ['evmChainId', '271828', '7', 'the EIP-155 chain id'],
  ['bech32Prefix', 'chron', 'cosmos', 'addresses with the prefix'],
  ['preset', 'chronicle', 'evmd', 'the preset'],
] as const)('a home whose %s is %s starts with that option, and not with %s', async (fact, own, other, words) => {
  const store = reopenable();
  const first = await simulate({ store });
  await first.mineTo(1n);
  await first.node.stop();
  await expect(simulate({ store, named: [{ fact, value: other, origin: '--it' }] })).rejects.toThrow(
    `--it: the chain of this home has ${words} ${own}, not ${other}; for another chain name another --home`,
  );
  const second = await simulate({ store, named: [{ fact, value: own, origin: '--it' }] });
  await second.mineTo(2n);
  await second.node.stop();
});

test('a genesis whose chain id differs from the option is refused', async () => {
  const store = reopenable();
  const named = [{ fact: 'chainId', value: 'other_7-1', origin: '--chain-id' }] as const;
  await expect(simulate({ store, named })).rejects.toThrow(
    '--chain-id: the genesis has the chain id chronicle_271828-1, not other_7-1',
  );
  const second = await simulate({ store });
  await second.mineTo(1n);
  await second.node.stop();
});

test('the pool checks signatures with the account number of the genesis before the first block', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  expect(await broadcast(simulated, send(1, 2, 5n, 0n, 0n))).toBe(4);
  expect(await broadcast(simulated, send(1, 2, 5n, 0n))).toBe(0);
  await simulated.mineTo(1n);
  expect(simulated.node.api.queries.chain.results(toHeight(1n))?.txResults.map(({ code }) => code)).toEqual([0]);
  await simulated.node.stop();
});

test('polls for a transaction read the store once per head, and find it after its block', async () => {
  const store = reopenable();
  const rows: string[] = [];
  const watched: KeyValueStore = { ...store, get: (key) => (rows.push(upperHex(key)), store.get(key)) };
  const simulated = await simulate({ store: watched });
  await simulated.mineTo(1n);
  const tx = send(0, 2, 5n, 0n);
  const hash = createPureCrypto().sha256(tx);
  const { chain } = simulated.node.api.queries;
  const polls = (): number => {
    rows.length = 0;
    for (let poll = 0; poll < 5; poll += 1) expect(chain.tx(hash)).toBeUndefined();
    return rows.filter((row) => row.endsWith(upperHex(hash))).length;
  };
  expect(polls()).toBe(1);
  await simulated.mineTo(2n);
  expect(polls()).toBe(1);
  expect(await broadcast(simulated, tx)).toBe(0);
  expect(polls()).toBe(0);
  await simulated.mineTo(3n);
  expect(chain.tx(hash)?.height).toBe(3n);
  // a text that is not a hash is not remembered
  rows.length = 0;
  for (let poll = 0; poll < 2; poll += 1) expect(chain.tx(new Uint8Array(40))).toBeUndefined();
  expect(rows.filter((row) => row.endsWith('00'.repeat(40))).length).toBe(2);
  await simulated.node.stop();
});

test('a block that kills every executor stops block production and changes nothing', async () => {
  const store = reopenable();
  const first = await simulate({ store });
  await first.mineTo(2n);
  await first.node.stop();
  const doomed = await simulate({
    store,
    wrap: (executor) => ({ ...executor, execute: () => Promise.reject(new ExecutorLost('always')) }),
  });
  await expect(doomed.mineTo(3n)).rejects.toThrow('executor lost');
  expect(doomed.node.api.queries.chain.head().height).toBe(2n);
  await doomed.node.stop();
  const after = await simulate({ store });
  await after.mineTo(4n);
  await after.node.stop();
});
