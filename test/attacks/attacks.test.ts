/**
 * Hostile clients against a daemon, each in its own process, together with a well-behaved client. Each run asserts
 * the refusals that limit the attack, and the answers to the well-behaved client meanwhile. `node scripts/attacks.js`
 * runs the long forms and prints its response times, which depend on the machine and are not asserted.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validatorSetHash } from '../../src/core/comet/validator-set.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../src/core/limits/limits.js';
import { MsgSubmitMisbehaviourSchema } from '../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { type Header, MisbehaviourSchema } from '../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { ValidatorSetSchema } from '../../src/core/proto/tendermint/types/validator_pb.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { packAny } from '../../src/core/sdk/codec/any.js';
import { crypto } from '../core/app/support.js';
import { anyOf, commitOf, IbcChain, Signer } from '../core/modules/ibc/chains/chain.js';
import { headerOf } from '../core/modules/ibc/chains/relay.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, signEthereum, UNSIGNED } from '../e2e/load.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { ownEnvironment } from '../support/own-environment.js';
import { quantile, startProbe } from './probe.js';

const ATTACKER = fileURLToPath(new URL('attacker.js', import.meta.url));
const program = process.env['CHRONICLED_PROGRAM'];
const built = program === undefined ? {} : { program };
/** Home of an existing chain, as `scripts/large-chain.js` makes it. */
const home = process.env['CHRONICLED_ATTACKS_HOME'];
const isLong = process.env['CHRONICLED_ATTACKS'] === 'long';
const run = promisify(execFile);
/** The node refuses while the body arrives; a client that keeps sending may lose the answer. */
const REFUSED = /limit json\w+ \(\d+\) exceeded|EPIPE|ECONNRESET/;
/** LOG0 of a megabyte of zeros. */
const LARGE_LOG = '620f42406000a000';
/** LOG0 without data until 65,535 gas are left. */
const MANY_LOGS = '5b5f5fa061ffff5a10600e575f565b00';
const ONE_LOG = '5f5fa000';
/** Fields that the transactions of the attacks have in common. */
const DYNAMIC = {
  ...UNSIGNED,
  type: 2,
  chainId: 271_828n,
  value: 0n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
  accessList: [],
} as const;
let daemon: DaemonProcess;

beforeAll(async () => {
  daemon = await startDaemonProcess({ ...built, ...(home !== undefined && { home }) });
  // empty blocks lower the base fee that full blocks raised
  if (home !== undefined) await callEthereum(daemon.endpoints.eth_http ?? '', 'anvil_mine', ['0x80']);
}, 120_000);

afterAll(async () => {
  expect([await daemon.kill('SIGTERM'), daemon.stderr()]).toEqual([{ code: 0, signal: null }, expect.any(String)]);
});

/** A transaction in a block: hash and height in Ethereum's form. */
interface Mined {
  readonly hash: string;
  readonly height: string;
}

interface Sizes {
  readonly short: number;
  readonly long: number;
  /** Duration of the long form in seconds; 0 runs it once. */
  readonly seconds: number;
}

/** Attacks a daemon. Returns the answers that the attacker got, as text. */
async function attack(
  { endpoints, pid }: DaemonProcess,
  name: string,
  { short, long, seconds }: Sizes,
): Promise<string> {
  const probe = startProbe(endpoints.eth_http ?? '', pid);
  const words = [
    ATTACKER,
    name,
    JSON.stringify(endpoints),
    String(isLong ? seconds : 0),
    String(isLong ? long : short),
  ];
  const { stdout } = await run(process.execPath, words, { env: ownEnvironment() });
  const { asked, worked, mined } = await probe.stop();
  const { milliseconds, answers } = JSON.parse(stdout) as {
    readonly milliseconds: number;
    readonly answers: Readonly<Record<string, number>>;
  };
  expect(asked.length).toBeGreaterThan(1);
  expect(mined.length).toBeGreaterThan(0);
  if (isLong) {
    const [shown, work] = [asked, worked].map((list) =>
      [0.5, 0.99, 1].map((share) => quantile(list, share).toFixed(1)).join(' '),
    );
    const worst = quantile(mined, 1).toFixed(0);
    process.stdout.write(
      `${name}: ${milliseconds} ms; eth_blockNumber p50 p99 max ${shown} ms (${asked.length}), of CPU ${work} ms; ` +
        `in a block at most ${worst} ms (${mined.length}); memory ${memoryOf(pid)} MiB; load ${(loadavg()[0] ?? 0).toFixed(1)}\n`,
    );
  }
  return Object.entries(answers)
    .map(([answer, count]) => `${count} x ${answer}`)
    .join('\n');
}

/** Current and peak resident memory of a process in MiB. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return ['VmRSS', 'VmHWM']
    .map((name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024))
    .join(', at most ');
}

describe('a good client is answered during an attack', () => {
  it.each<readonly [name: string, sizes: Sizes, answered: RegExp]>([
    ['nothing', { short: 1, long: 100, seconds: 10 }, /^$/],
    ['frames', { short: 4, long: 60, seconds: 10 }, /limit jsonSpaceBytes \(\d+\) exceeded/],
    ['flood', { short: 1_000, long: 10_000, seconds: 10 }, /all of the calls answered/],
    ['blanks', { short: 8, long: 120, seconds: 10 }, REFUSED],
    ['texts', { short: 2, long: 120, seconds: 10 }, /200 \{"jsonrpc":"2.0","id":1,"result":"0x/],
    ['depth', { short: 1, long: 8, seconds: 10 }, /200 .*parse error/],
    ['names', { short: 1, long: 20, seconds: 10 }, REFUSED],
    ['numbers', { short: 1, long: 20, seconds: 10 }, REFUSED],
    ['echo', { short: 1, long: 20, seconds: 10 }, /limit idCharacters \(\d+\) exceeded[^]*limit idCharacters/],
    ['resets', { short: 2_000, long: 20_000, seconds: 10 }, /GOAWAY 11/],
    ['traces', { short: 3, long: 50, seconds: 10 }, /limit ethTraceBytes \(\d+\) exceeded/],
    ['streams', { short: 4, long: 50, seconds: 10 }, /"structLogs":\[/],
    [
      'loops',
      { short: 8, long: 1_000, seconds: 0 },
      isLong ? /some calls of the batch timed out/ : /no calls of the batch timed out/,
    ],
    ['messages', { short: 23_000, long: 23_000, seconds: 10 }, /limit txMessages/],
  ])(
    '%s',
    async (name, sizes, answered) => {
      expect(await attack(daemon, name, sizes)).toMatch(answered);
    },
    600_000,
  );

  it('headers: misbehaviour with as many signatures as CheckTx verifies before a fee is paid', async () => {
    const headers = Buffer.from(misbehaviour(DEFAULT_LIMITS.commitSignatures)).toString('base64');
    const told = { ...daemon, endpoints: { ...daemon.endpoints, headers } };
    expect(await attack(told, 'headers', { short: 2, long: 8, seconds: 10 })).toMatch(/set did not commit to header/);
  }, 600_000);

  it('logs: reads of a log of a megabyte and of many logs', async () => {
    const url = daemon.endpoints.eth_http ?? '';
    const logs = [
      await mine(url, 12_000_000n, LARGE_LOG),
      await mine(url, isLong ? 29_000_000n : 4_300_000n, MANY_LOGS),
    ];
    const told = { ...daemon, endpoints: { ...daemon.endpoints, logs } };
    expect(await attack(told, 'logs', { short: 1, long: 2, seconds: 10 })).toMatch(
      /query returned more than 10000 results[^]*all of the reads answered/,
    );
  }, 600_000);

  it('blocks: reads of whole blocks that are not in memory', async () => {
    const url = daemon.endpoints.eth_http ?? '';
    const { height } = await mine(url, 200_000n, ONE_LOG);
    const others = `0x${FIXED_LIMITS.ethereumBlocks.toString(16)}`;
    await callEthereum(url, 'anvil_mine', [others]);
    // reads the blocks above, which take the places in memory
    await callEthereum(url, 'eth_feeHistory', [others, 'latest']);
    const heights = home === undefined ? [height] : await fullestBlocks(url, height);
    const told = { ...daemon, endpoints: { ...daemon.endpoints, heights } };
    expect(await attack(told, 'blocks', { short: 2, long: 4, seconds: 10 })).toMatch(/all of the reads answered/);
  }, 600_000);

  it('pool: repeated requests for the content of the pool', async () => {
    const url = daemon.endpoints.eth_http ?? '';
    await callEthereum(url, 'evm_setAutomine', [false]);
    await callEthereum(url, 'evm_setIntervalMining', [1_000]);
    await fillPool(url, isLong ? 4_990 : 200);
    expect(await attack(daemon, 'pool', { short: 2, long: 4, seconds: 10 })).toMatch(
      /200 \{"jsonrpc":"2.0","id":1,"result":\{/,
    );
  }, 600_000);
});

/** A transaction with two headers whose signatures are all verified; the last one decides and is wrong. */
function misbehaviour(signatures: number): Uint8Array {
  const [here, there, signer] = [new IbcChain('alpha-1'), new IbcChain('beta-4'), new Signer(3)];
  const each = Array.from({ length: signatures / 2 }, () => signer);
  const validators = each.map((_, index) => signer.validator(index === each.length - 1 ? 10_000n : 1n));
  const set = create(ValidatorSetSchema, { validators, proposer: signer.validator(1n) });
  const header = { ...there.decide(), height: 9n, validatorsHash: validatorSetHash(crypto, set) };
  const headerBy = (last: Signer): Header =>
    headerOf(there, 1n, { header, commit: commitOf(header, each.with(-1, last)) }, set, there.validators);
  const clientId = '07-tendermint-0';
  const sent = create(MisbehaviourSchema, { clientId, header1: headerBy(signer), header2: headerBy(new Signer(4)) });
  return here.tx(0, [
    anyOf(MsgSubmitMisbehaviourSchema, {
      clientId,
      misbehaviour: packAny(MisbehaviourSchema, sent),
      signer: encodeAddress('chron', new Uint8Array(20)),
    }),
  ]);
}

/** A contract creation in a block. */
async function mine(url: string, gasLimit: bigint, initCode: string): Promise<Mined> {
  const nonce = BigInt(await callEthereum<string>(url, 'eth_getTransactionCount', [ACCOUNTS[3]?.hex, 'pending']));
  const data = new Uint8Array(Buffer.from(initCode, 'hex'));
  const { ethereum } = signEthereum(3, { ...DYNAMIC, nonce, gasLimit, to: undefined, data });
  const hash = await callEthereum<string>(url, 'eth_sendRawTransaction', [ethereum?.raw]);
  for (;;) {
    const { blockNumber } = await callEthereum<{ blockNumber: string | null }>(url, 'eth_getTransactionByHash', [hash]);
    if (blockNumber !== null) return { hash, height: blockNumber };
  }
}

/** Heights up to `last` whose blocks have at least half as many transactions as the fullest one. */
async function fullestBlocks(url: string, last: string): Promise<readonly string[]> {
  const heights = Array.from({ length: Number(last) }, (_, below) => `0x${(below + 1).toString(16)}`);
  const counted: number[] = [];
  for (const height of heights)
    counted.push(Number(await callEthereum<string>(url, 'eth_getBlockTransactionCountByNumber', [height])));
  const most = Math.max(...counted);
  return heights.filter((_, at) => 2 * (counted[at] ?? 0) >= most);
}

/** Valid transactions of which only one fits into a block. */
async function fillPool(url: string, count: number): Promise<void> {
  const data = new Uint8Array(1_000);
  const senders = ACCOUNTS.slice(0, 3).map(({ hex }) => callEthereum(url, 'eth_getTransactionCount', [hex, 'pending']));
  const nonces = await Promise.all(senders);
  for (let index = 0; index < count; index += 1) {
    const { ethereum } = signEthereum(index % 3, {
      ...DYNAMIC,
      nonce: BigInt(String(nonces[index % 3])) + BigInt(Math.floor(index / 3)),
      gasLimit: 29_000_000n,
      to: new Uint8Array(20),
      data,
    });
    await callEthereum(url, 'eth_sendRawTransaction', [ethereum?.raw]);
  }
}
