import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeRlp } from '../../../src/core/ethereum/rlp.js';
import { type StateTest, runStateTest, stateRoot } from './state-test-case.js';
import { MapState, address, createEngine, crypto, fromHex, toHex } from './support.js';

/**
 * A checkout of ethereum/tests (GeneralStateTests) or of the fixtures of execution-spec-tests (state_tests), or a
 * folder of them.
 */
const OFFICIAL = process.env['CHRONICLED_STATE_TESTS'];
/**
 * EIP-7610 (creation at an address with storage but neither nonce nor code): real chains never reach this rule, and
 * the engine's port cannot ask for it.
 */
const EIP_7610 =
  /RevertInCreateInInit|create2collisionStorage|dynamicAccountOverwriteEmpty|InitCollision|eip7610|collision_empty_but_nonstorage/i;

/** 1,024 frames with a megabyte each exceed the 128 MiB that the engine allows one transaction. */
const BEYOND_MEMORY = /Call1MB1024Calldepth/;

interface Counts {
  passed: number;
  failed: string[];
  skipped: number;
}

function runFolder(folder: string): Counts {
  const counts: Counts = { passed: 0, failed: [], skipped: 0 };
  const engine = createEngine();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  for (const file of files.toSorted()) {
    const tests: Readonly<Record<string, StateTest>> = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [name, one] of Object.entries(tests)) {
      if (one.transaction === undefined || one.env === undefined || one.post === undefined) continue;
      for (const { fork, index, verdict } of runStateTest(one, engine)) {
        if (verdict === 'failed')
          counts.failed.push(`${relative(folder, join(folder, file))} ${name} ${fork} ${index}`);
        else counts[verdict] += 1;
      }
    }
  }
  return counts;
}

describe('the runner of official state tests', () => {
  const COINBASE = address(0xc0de);
  const THERE = address(0xd00d);
  const KEY = '45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8';
  const SENDER = fromHex('a94f5374fce5edbc8e2a8697c15331677e6ebf0b');
  /** A transfer of 5 wei at gas price 10 with base fee 7: the coinbase gets 3 wei for each of 21,000 gas. */
  const transfer = (hash: string): StateTest => ({
    env: {
      currentBaseFee: '0x7',
      currentCoinbase: `0x${toHex(COINBASE)}`,
      currentGasLimit: '0xffffff',
      currentNumber: '0x1',
      currentTimestamp: '0x3e8',
    },
    pre: { [`0x${toHex(SENDER)}`]: { balance: '0x0f4240', nonce: '0x00', code: '0x', storage: {} } },
    transaction: {
      data: ['0x'],
      gasLimit: ['0x5208'],
      value: ['0x05'],
      nonce: '0x00',
      to: `0x${toHex(THERE)}`,
      gasPrice: '0x0a',
      secretKey: KEY,
    },
    post: {
      Shanghai: [{ hash, logs: `0x${toHex(crypto.keccak256(encodeRlp([])))}`, indexes: { data: 0, gas: 0, value: 0 } }],
    },
  });
  const verdicts = (test: StateTest): readonly string[] =>
    [...runStateTest(test, createEngine())].map(({ verdict }) => verdict);

  test('passes a test with the right state root and fails one with another root', () => {
    const after = new MapState()
      .fund(SENDER, 1_000_000n - 210_000n - 5n, 1n)
      .fund(THERE, 5n)
      .fund(COINBASE, 63_000n);
    expect(verdicts(transfer(`0x${toHex(stateRoot(after))}`))).toEqual(['passed']);
    expect(verdicts(transfer(`0x${toHex(stateRoot(after.fund(THERE, 6n)))}`))).toEqual(['failed']);
  });
});

test.skipIf(OFFICIAL === undefined)(
  'the official state tests pass, except those of EIP-7610 and of a gigabyte of memory',
  () => {
    const { passed, failed, skipped } = runFolder(OFFICIAL ?? '');
    const unexpected = failed.filter((name) => !EIP_7610.test(name) && !BEYOND_MEMORY.test(name));
    console.log(
      `official state tests: ${passed} passed, ${failed.length} failed (${failed.length - unexpected.length} of EIP-7610 and of a gigabyte of memory), ${skipped} skipped (blobs, forks before London)`,
    );
    expect(unexpected.slice(0, 20)).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  },
  3_600_000,
);

if (OFFICIAL === undefined) console.log('official state tests skipped: CHRONICLED_STATE_TESTS is not set');
