/**
 * `eth_simulateV1` over a dev chain: the rules that the recordings of execution-apis (`tests/eth_simulateV1`) show,
 * with inputs of our own.
 */
import { decodeFunctionResult, encodeFunctionData, hexToBytes, parseAbi, type Hex } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { wordOf } from '../../../../src/core/bytes/big-endian.js';
import type { EvmFork } from '../../../../src/core/evm/transaction.js';
import type { EthereumCall } from '../../../../src/core/ethereum/call.js';
import type { Simulation, SimulationResult } from '../../../../src/core/ethereum/simulation.js';
import { getBlockHashes } from '../../../../src/core/modules/evm/block-hashes.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { runSimulation } from '../../../../src/runtime/pool/run-simulation.js';
import { addressOf, bytesOf, ethereumChain, evm, GWEI, signer, tx } from '../../app/ethereum-chain.js';
import { DevChain } from '../../app/dev-chain.js';
import { toHex } from '../../app/support.js';

let dev: DevChain;
beforeAll(async () => {
  dev = ethereumChain();
  dev.block(await tx(0, { nonce: 0, to: `0x${'77'.repeat(20)}`, value: 5n }));
});

const RICH = addressOf(1);
const POOR = new Uint8Array(20).fill(0xc0);
const NEXT = new Uint8Array(20).fill(0xc1);
const CODE = new Uint8Array(20).fill(0xc2);
const CHR = 10n ** 18n;
const SYSTEM = bytesOf('fffffffffffffffffffffffffffffffffffffffe');
/** The contract of EIP-4788 and its code. */
const BEACON_ROOTS = bytesOf('000f3df6d732807ef1319fb7b8bb8522d0beac02');
const BEACON_CODE = bytesOf(
  '3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
);
/** The contract of EIP-2935 and its code. */
const HISTORY = bytesOf('0000f90827f1c53a10cb7a02335b175320002935');
const HISTORY_CODE = bytesOf(
  '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
);
/** The staking precompile. */
const CONTRACT = bytesOf('800'.padStart(40, '0'));
const STAKING = parseAbi([
  'struct Coin { string denom; uint256 amount; }',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
  'function delegation(address delegator, string validator) view returns (uint256 shares, Coin balance)',
]);
const NAME: Hex = `0x${toHex(NEXT)}`;
const OPERATOR = encodeAddress('chronvaloper', addressOf(0));

type Asked = Partial<Omit<Simulation, 'blocks'>> & {
  readonly blocks: readonly Partial<Simulation['blocks'][number]>[];
};

/** Genesis sections of a chain that keeps the hashes of consensus blocks. */
const PLAIN_HASHES = { dev: { enabled: true } };

/** Hash of the last block, hex. */
function lastHash(chain: DevChain): string {
  const hashes = getBlockHashes({ store: new CacheStore(chain.state) });
  return toHex(hashes?.ethereum ?? new Uint8Array());
}

function run(
  { blocks, ...flags }: Asked,
  isLate = () => false,
  maxBytes = 1_000_000,
  chain: DevChain = dev,
): SimulationResult {
  const { ethereum } = chain.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const at = { ...chain.at(), hash: new Uint8Array(32).fill(9), proposer: new Uint8Array(20) };
  const simulation: Simulation = {
    traceTransfers: false,
    validation: false,
    fullTransactions: false,
    failureCodes: { revert: 3, halt: -32_015 },
    ...flags,
    blocks: blocks.map((block) => ({ block: {}, accounts: [], calls: [], ...block })),
  };
  return runSimulation(ethereum.simulate(chain.state, at, simulation), { simulation, maxBytes }, isLate);
}

interface Shown {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly gasUsed: string;
  readonly baseFeePerGas: string;
  readonly miner: string;
  readonly mixHash: string;
  readonly withdrawals: readonly unknown[];
  readonly parentBeaconBlockRoot: string;
  readonly transactions: readonly (string | { readonly hash: string; readonly from: string })[];
  readonly calls: readonly {
    readonly status: string;
    readonly returnData: string;
    readonly gasUsed: string;
    readonly maxUsedGas: string;
    readonly logs: readonly {
      readonly address: string;
      readonly topics: readonly string[];
      readonly data: string;
      readonly logIndex: string;
      readonly blockHash: string;
    }[];
    readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
  }[];
}

function shown(asked: Asked, chain?: DevChain): readonly Shown[] {
  const result = run(asked, undefined, undefined, chain);
  if (result.kind !== 'blocks') throw new Error(JSON.stringify(result));
  return JSON.parse(result.json) as readonly Shown[];
}

function refused(asked: Asked): readonly unknown[] {
  const result = run(asked);
  return result.kind === 'refused' ? [result.reason, result.message] : [result.kind];
}

const send = (from: Uint8Array, to: Uint8Array, value = 0n, more: EthereumCall = {}): EthereumCall => ({
  from,
  to,
  value,
  ...more,
});
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
/** Code that returns the word that `code` leaves on the stack. */
const returning = (code: string): Uint8Array => bytesOf(`${code}5f5260205ff3`);

describe('a simulation', () => {
  it('makes calls with blobs transactions of type 3, which pay for their blobs', () => {
    const hash = bytesOf('01'.padEnd(64, 'a'));
    const gasPerBlob = 131_072n;
    // BLOBHASH of 0, then BLOBBASEFEE, then the balance of the sender
    const sees = bytesOf(`0x5f495f524a60205273${toHex(POOR)}3160405260605ff3`);
    const call = { from: POOR, to: CODE, gas: 100_000n, maxFeePerGas: 16n, maxFeePerBlobGas: 10n, blobHashes: [hash] };
    const balance = 10n ** 9n;
    const blocks = shown({
      blocks: [
        {
          block: { baseFee: 15n, blobBaseFee: 7n },
          accounts: [
            { address: POOR, balance },
            { address: CODE, code: sees },
          ],
          calls: [call, { from: POOR, to: NEXT, gas: 21_000n, maxFeePerGas: 16n }],
        },
        // the next block has the blob base fee of the chain
        { block: { baseFee: 15n }, calls: [{ ...call, blobHashes: [hash, hash] }] },
      ],
      validation: true,
      fullTransactions: true,
    });
    const returned = (fee: bigint, left: bigint): string =>
      `0x${toHex(hash)}${word(fee).slice(2)}${word(left).slice(2)}`;
    expect(blocks).toMatchObject([
      {
        blobGasUsed: '0x20000',
        excessBlobGas: '0x0',
        calls: [{ status: '0x1', returnData: returned(7n, balance - 100_000n * 15n - 7n * gasPerBlob) }, {}],
        transactions: [
          { type: '0x3', maxFeePerBlobGas: '0xa', blobVersionedHashes: [`0x${toHex(hash)}`], accessList: [] },
          { type: '0x2' },
        ],
      },
      { blobGasUsed: '0x40000' },
    ]);
    expect(blocks[1]?.calls[0]?.returnData.slice(66, 130)).toBe(word(1n).slice(2));
  });

  it('refuses calls with blobs as the EVM of a block does', () => {
    const blobHashes = [bytesOf('01'.padEnd(64, 'a'))];
    const of = (call: EthereumCall, validation: boolean): readonly unknown[] =>
      refused({
        blocks: [{ block: { blobBaseFee: 7n, baseFee: 0n }, calls: [{ from: RICH, gas: 100_000n, ...call }] }],
        validation,
      });
    const words = (text: string) => ['internal', `err: ${text} (supplied gas 100000)`];
    expect(of({ blobHashes }, false)).toEqual(words('blob transaction of type create'));
    expect(of({ to: CODE, blobHashes: [] }, false)).toEqual(words('blob transaction missing blob hashes'));
    expect(of({ to: CODE, blobHashes, nonce: 0n, maxFeePerBlobGas: 6n }, true)).toEqual([
      'internal',
      expect.stringMatching(/blobGasFeeCap: 6, blobBaseFee: 7 \(/),
    ]);
    expect(of({ to: CODE, blobHashes, nonce: 0n }, true)).toEqual([
      'internal',
      expect.stringMatching(/blobGasFeeCap: 0, blobBaseFee: 7 \(/),
    ]);
    // without validation a call that names no fee for its blobs pays nothing
    expect(shown({ blocks: [{ calls: [{ from: NEXT, to: CODE, blobHashes }] }] })[0]?.calls[0]?.status).toBe('0x1');
  });

  it('keeps the writes of calls over calls and blocks, and does not change the chain', () => {
    const [first, second] = shown({
      blocks: [
        { accounts: [{ address: POOR, balance: 1_000n }], calls: [send(POOR, NEXT, 1_000n), send(NEXT, POOR, 400n)] },
        {
          accounts: [{ address: CODE, code: returning(`73${toHex(NEXT)}31`) }],
          calls: [send(RICH, CODE)],
        },
      ],
    });
    expect(first?.calls.map(({ status, gasUsed }) => [status, gasUsed])).toEqual([
      ['0x1', '0x5208'],
      ['0x1', '0x5208'],
    ]);
    expect([first?.gasUsed, first?.baseFeePerGas]).toEqual(['0xa410', '0x0']);
    expect(second?.calls[0]?.returnData).toBe(word(600n));
    expect([second?.parentHash, BigInt(second?.number ?? 0) - BigInt(first?.number ?? 0)]).toEqual([first?.hash, 1n]);
    expect(dev.app.ethereum?.account(dev.state, dev.at(), NEXT).balance).toBe(0n);
    expect(shown({ blocks: [{ calls: [send(RICH, NEXT)] }] })).toHaveLength(1);
  });

  it('keeps the writes of precompiles, unless the call reverts', () => {
    const amount = ({ calls: [, call] }: Shown): bigint =>
      decodeFunctionResult({ abi: STAKING, functionName: 'delegation', data: call?.returnData as Hex })[1].amount;
    const asks = send(NEXT, CONTRACT, 0n, {
      data: hexToBytes(encodeFunctionData({ abi: STAKING, functionName: 'delegation', args: [NAME, OPERATOR] })),
    });
    const delegates = (value: bigint): EthereumCall =>
      send(NEXT, CONTRACT, 0n, {
        data: hexToBytes(encodeFunctionData({ abi: STAKING, functionName: 'delegate', args: [NAME, OPERATOR, value] })),
      });
    const paid = send(NEXT, POOR, 1_000n - 7n);
    const blocks = shown({
      traceTransfers: true,
      blocks: [
        // NEXT owns what the calls before have sent
        { accounts: [{ address: POOR, balance: 1_000n }], calls: [send(POOR, NEXT, 1_000n), delegates(5n)] },
        { calls: [delegates(2n), asks] },
        { calls: [delegates(1_000n), asks] },
        { calls: [paid, asks] },
      ],
    });
    expect(blocks.flatMap(({ calls }) => calls.map(({ status }) => status)).join()).toBe(
      '0x1,0x1,0x1,0x1,0x0,0x1,0x1,0x1',
    );
    expect(blocks.slice(1).map(amount)).toEqual([7n, 7n, 7n]);
    expect(blocks[0]?.calls[1]?.logs.map(({ address }) => address)).toEqual([`0x${toHex(CONTRACT)}`]);
    expect(dev.app.ethereum?.account(dev.state, dev.at(), NEXT).balance).toBe(0n);
  });

  it('runs code that an override puts at the address of a precompile', () => {
    const accounts = [{ address: CONTRACT, code: returning('602a') }];
    const [first] = shown({ blocks: [{ accounts, calls: [send(RICH, CONTRACT)] }] });
    expect(first?.calls[0]?.returnData).toBe(word(42n));
  });

  it('gives PREVRANDAO the value in the header: zero, unless the block overrides it', () => {
    const accounts = [{ address: CODE, code: returning('44') }];
    const blocks = shown({
      blocks: [
        { accounts, calls: [send(RICH, CODE)] },
        { block: { prevRandao: bytesOf('12'.repeat(32)) }, calls: [send(RICH, CODE)] },
        { calls: [send(RICH, CODE)] },
      ],
    });
    expect(blocks.map(({ mixHash, calls }) => [mixHash, calls[0]?.returnData])).toEqual(
      [word(0n), `0x${'12'.repeat(32)}`, word(0n)].map((value) => [value, value]),
    );
  });

  it('shows transfers as logs on request, and none of calls that reverted', () => {
    // sends its value on to NEXT, logs, and reverts when it was given data
    const code = bytesOf(`5f5f5f5f3473${toHex(NEXT)}5af1505f5fa03615602a5760006000fd5b00`);
    const accounts = [{ address: CODE, code }];
    const quiet = shown({ blocks: [{ accounts, calls: [send(RICH, CODE, 7n)] }] });
    expect(quiet[0]?.calls[0]?.logs).toHaveLength(1);
    const [block] = shown({
      traceTransfers: true,
      blocks: [{ accounts, calls: [send(RICH, CODE, 7n), send(RICH, CODE, 7n, { data: bytesOf('01') })] }],
    });
    const native = `0x${'ee'.repeat(20)}`;
    const transfer = (from: Uint8Array, to: Uint8Array) => [
      native,
      [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${'00'.repeat(12)}${toHex(from)}`,
        `0x${'00'.repeat(12)}${toHex(to)}`,
      ],
      word(7n),
    ];
    expect(block?.calls[0]?.logs.map(({ address, topics, data }) => [address, topics, data])).toEqual([
      transfer(RICH, CODE),
      transfer(CODE, NEXT),
      [`0x${toHex(CODE)}`, [], '0x'],
    ]);
    expect(block?.calls[0]?.logs.map(({ logIndex, blockHash }) => [logIndex, blockHash])).toEqual(
      ['0x0', '0x1', '0x2'].map((index) => [index, block?.hash]),
    );
    expect([block?.calls[1]?.status, block?.calls[1]?.logs]).toEqual(['0x0', []]);
  });

  it('returns failures of calls as results with error codes', () => {
    const reason = `08c379a0${word(32n).slice(2)}${word(2n).slice(2)}6e6f${'00'.repeat(30)}`;
    const reverting = bytesOf(`6064600c5f3960645ffd${'00'.repeat(2)}${reason}`);
    const [block] = shown({
      blocks: [
        {
          accounts: [
            { address: CODE, code: reverting },
            { address: NEXT, code: bytesOf('fe') },
          ],
          calls: [send(RICH, CODE), send(RICH, NEXT, 0n, { gas: 30_000n })],
        },
      ],
    });
    expect(block?.calls.map(({ status, returnData, error }) => [status, returnData, error])).toEqual([
      ['0x0', '0x', { message: 'execution reverted: no', code: 3, data: `0x${reason}` }],
      ['0x0', '0x', { message: 'invalid opcode: INVALID', code: -32015 }],
    ]);
  });

  it('checks nonces, fees and balances with validation only', () => {
    const free = {
      blocks: [{ accounts: [{ address: POOR, nonce: 10n }], calls: [send(POOR, NEXT, 0n, { nonce: 3n })] }],
    };
    expect(shown(free)[0]?.calls[0]?.status).toBe('0x1');
    const strict = (call: EthereumCall, block: Asked['blocks'][number]['block'] = { baseFee: 10n }) =>
      refused({
        validation: true,
        blocks: [{ block, accounts: [{ address: POOR, nonce: 10n, balance: 10n ** 15n }], calls: [call] }],
      });
    const priced = { maxFeePerGas: 10n, gas: 21_000n };
    expect(strict(send(POOR, NEXT, 0n, { ...priced, nonce: 3n }))).toEqual([
      'nonce-too-low',
      'err: nonce too low: address 0xC0C0c0c0C0C0c0c0c0C0c0C0C0C0C0C0C0C0c0c0, tx: 3 state: 10 (supplied gas 21000)',
    ]);
    expect(strict(send(POOR, NEXT, 0n, { ...priced, nonce: 11n }))[0]).toBe('nonce-too-high');
    expect(strict(send(POOR, NEXT))[0]).toBe('base-fee-too-low');
    expect(strict(send(POOR, NEXT, CHR, priced))[0]).toBe('insufficient-funds');
    expect(strict(send(POOR, NEXT, 0n, { ...priced, maxPriorityFeePerGas: 11n }))[0]).toBe('invalid-params');
    expect(strict(send(POOR, NEXT, 0n, { ...priced, gas: 20_999n }))[0]).toBe('intrinsic-gas');
    expect(strict(send(POOR, NEXT, 0n, priced))).toEqual(['blocks']);
    expect(refused({ blocks: [{ calls: [send(POOR, NEXT, 1n)] }] })[0]).toBe('insufficient-funds');
    expect(refused({ blocks: [{ calls: [send(RICH, NEXT, 0n, { gas: 100_000_000n })] }] })).toEqual([
      'block-gas-limit',
      'block gas limit reached: remaining: 30000000, required: 100000000',
    ]);
    expect(refused({ blocks: [{ calls: [{ from: RICH, data: new Uint8Array(49_153) }] }] })[0]).toBe('initcode-size');
  });

  it('refuses an empty list of authorizations', () => {
    const { address } = signer(1);
    for (const validation of [false, true])
      expect(
        refused({
          blocks: [{ calls: [send(RICH, POOR, 0n, { gas: 50_000n, maxFeePerGas: 2n * GWEI, authorizations: [] })] }],
          validation,
        }),
      ).toEqual([
        'internal',
        `err: EIP-7702 transaction with empty auth list (sender ${address}) (supplied gas 50000)`,
      ]);
  });

  it('refuses a derived time or base fee that fits into no block', () => {
    const highest = (1n << 64n) - 1n;
    expect(refused({ blocks: [{ block: { timestamp: highest } }, {}] })).toEqual([
      'invalid-params',
      'block time 18446744073709551627 does not fit',
    ]);
    const full = {
      block: { baseFee: highest, gasLimit: 30_000n },
      accounts: [{ address: POOR, balance: 1n << 90n }],
      calls: [send(POOR, NEXT, 0n, { gas: 21_000n, maxFeePerGas: highest })],
    };
    expect(refused({ validation: true, blocks: [full, {}] })).toEqual([
      'invalid-params',
      expect.stringMatching(/^base fee \d+ does not fit$/u),
    ]);
    expect(refused({ blocks: [full, {}] })).toEqual(['blocks']);
  });

  it('derives the base fee from the block before with validation', () => {
    const blocks = shown({
      validation: true,
      blocks: [{ block: { baseFee: 7n } }, {}, { block: { baseFee: 80n } }, {}],
    });
    expect(blocks.map(({ baseFeePerGas }) => baseFeePerGas)).toEqual(['0x7', '0x7', '0x50', '0x46']);
  });

  it('pays the tip to the fee recipient, and burns the rest of the gas price', () => {
    const [block] = shown({
      validation: true,
      blocks: [
        {
          block: { coinbase: NEXT, baseFee: 10n },
          accounts: [{ address: CODE, code: returning(`73${toHex(NEXT)}31`) }],
          calls: [
            send(RICH, POOR, 0n, { maxFeePerGas: 15n, maxPriorityFeePerGas: 3n, gas: 50_000n }),
            send(RICH, CODE, 0n, { maxFeePerGas: 10n }),
          ],
        },
      ],
    });
    expect(block?.calls[1]?.returnData).toBe(word(3n * 21_000n));
    expect(block?.miner).toBe(`0x${toHex(NEXT)}`);
  });

  it('shows contracts the overridden block, hashes of earlier blocks, withdrawals and beacon roots', () => {
    const number = BigInt(dev.at().height);
    const hashOf = (of: bigint) => returning(`67${of.toString(16).padStart(16, '0')}40`);
    const seen = (code: string) => ({
      accounts: [{ address: CODE, code: returning(code) }],
      calls: [send(RICH, CODE)],
    });
    const blocks = shown({
      blocks: [
        { block: { number: number + 2n, timestamp: 9_999_999_999n, gasLimit: 77_777n }, ...seen('42') },
        seen('43'),
        seen('45'),
        { accounts: [{ address: CODE, code: hashOf(number + 1n) }], calls: [send(RICH, CODE)] },
        { accounts: [{ address: CODE, code: hashOf(number) }], calls: [send(RICH, CODE)] },
        {
          block: {
            beaconRoot: new Uint8Array(32).fill(0xab),
            withdrawals: [{ index: 0n, validatorIndex: 1n, address: POOR, amount: 5n }],
          },
        },
        seen(`73${toHex(POOR)}31`),
      ],
    });
    const answers = blocks.map(({ calls }) => calls[0]?.returnData);
    expect(answers).toEqual([
      undefined,
      word(9_999_999_999n),
      word(number + 3n),
      word(77_777n),
      blocks[0]?.hash,
      `0x${lastHash(dev)}`,
      undefined,
      word(5_000_000_000n),
    ]);
    const sixth = blocks[6];
    expect(sixth?.withdrawals).toEqual([
      { index: '0x0', validatorIndex: '0x1', address: `0x${toHex(POOR)}`, amount: '0x5' },
    ]);
    expect(sixth?.parentBeaconBlockRoot).toBe(`0x${'ab'.repeat(32)}`);
  });

  it('calls the system contracts before the first call of each block', () => {
    const blocks = shown({
      blocks: [
        {
          block: { timestamp: 9_999_999_000n, beaconRoot: new Uint8Array(32).fill(0xab) },
          accounts: [
            { address: BEACON_ROOTS, code: BEACON_CODE },
            { address: HISTORY, code: HISTORY_CODE },
          ],
          calls: [send(RICH, BEACON_ROOTS, 0n, { data: wordOf(9_999_999_000n) })],
        },
        {
          block: { timestamp: 9_999_999_012n, beaconRoot: new Uint8Array(32).fill(0xcd) },
          calls: [
            send(RICH, BEACON_ROOTS, 0n, { data: wordOf(9_999_999_000n) }),
            send(RICH, BEACON_ROOTS, 0n, { data: wordOf(9_999_999_012n) }),
            send(RICH, BEACON_ROOTS, 0n, { data: wordOf(9_999_999_011n) }),
            ...[0n, 1n].map((back) => send(RICH, HISTORY, 0n, { data: wordOf(BigInt(dev.at().height) + back) })),
          ],
        },
      ],
    });
    const [first, second] = blocks;
    expect(first?.calls.map(({ status, returnData }) => [status, returnData])).toEqual([
      ['0x1', `0x${'ab'.repeat(32)}`],
    ]);
    expect(second?.calls.map(({ status, returnData }) => [status, returnData])).toEqual([
      ['0x1', `0x${'ab'.repeat(32)}`],
      ['0x1', `0x${'cd'.repeat(32)}`],
      ['0x0', '0x'],
      ['0x1', `0x${lastHash(dev)}`],
      ['0x1', first?.hash],
    ]);
    // the calls of the system are no transactions: they use no gas of the block, and leave no nonce
    expect(first?.gasUsed).toBe(first?.calls[0]?.gasUsed);
    const [system] = shown({
      blocks: [
        {
          accounts: [
            { address: HISTORY, code: HISTORY_CODE },
            { address: SYSTEM, balance: CHR },
          ],
          calls: [send(SYSTEM, POOR, 0n, { nonce: 0n, maxFeePerGas: 2n * GWEI })],
        },
      ],
      validation: true,
    });
    expect(system?.calls[0]?.status).toBe('0x1');
  });

  it('calls any code at the addresses of the system contracts, and undoes a call that fails', () => {
    const chain = new DevChain({ evm }, 4, true, PLAIN_HASHES);
    chain.block();
    // stores its gas, its caller and the first word of its input
    const noted = (end: string): unknown =>
      shown(
        {
          blocks: [
            { accounts: [{ address: HISTORY, code: bytesOf(`5a5f55336001555f35600255${end}`) }] },
            {
              accounts: [{ address: HISTORY, code: bytesOf('5f545f5260015460205260025460405260605ff3') }],
              calls: [send(RICH, HISTORY)],
            },
          ],
        },
        chain,
      )[1]?.calls[0]?.returnData;
    const kept = [word(29_999_998n), `${'0'.repeat(24)}${toHex(SYSTEM)}`, '09'.repeat(32)].join('');
    expect(noted('00')).toBe(kept);
    for (const failing of ['5f5ffd', 'fe', '5b600c56']) expect(noted(failing)).toBe(`0x${'0'.repeat(192)}`);
  });

  it('calls the system contracts of the fork, even when calls need a permission', () => {
    const { evm: section } = dev.genesis.appState as { evm: { params: object } };
    const all = { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] };
    const call = { access_type: 'ACCESS_TYPE_PERMISSIONED', access_control_list: [signer(1).address] };
    const sections = {
      evm: { ...section, params: { ...section.params, access_control: { create: all, call } } },
      ...PLAIN_HASHES,
    };
    const told = (fork: EvmFork): unknown => {
      const version = { ...chronicle, evm: { ...chronicle.evm, fork } };
      const chain = new DevChain({ evm, version }, 4, true, sections);
      chain.block();
      const time = 9_999_999_000n;
      const [block] = shown(
        {
          blocks: [
            {
              block: { timestamp: time, beaconRoot: new Uint8Array(32).fill(0xab) },
              accounts: [{ address: BEACON_ROOTS, code: BEACON_CODE }],
              calls: [
                send(RICH, BEACON_ROOTS, 0n, { data: wordOf(time) }),
                send(RICH, HISTORY, 0n, { data: wordOf(BigInt(chain.at().height)) }),
              ],
            },
          ],
        },
        chain,
      );
      return block?.calls.map(({ returnData }) => returnData);
    };
    expect(told('osaka')).toEqual([`0x${'ab'.repeat(32)}`, `0x${'09'.repeat(32)}`]);
    expect(told('cancun')).toEqual([`0x${'ab'.repeat(32)}`, word(0n)]);
    expect(told('shanghai')).toEqual(['0x', word(0n)]);
  });

  it('can be stopped after the system calls of each block', () => {
    const endless = { accounts: [{ address: HISTORY, code: bytesOf('5b5f56') }] };
    let late = 0;
    expect(run({ blocks: [endless, endless] }, () => (late += 1) > 1).kind).toBe('timeout');
    expect(late).toBe(2);
  });

  it('raises the nonce with each creation, and shows whole transactions on request', () => {
    const init = bytesOf('6001600c60003960016000f300');
    const [block] = shown({
      fullTransactions: true,
      blocks: [
        {
          calls: [
            { from: RICH, data: init },
            { from: RICH, data: init },
          ],
        },
      ],
    });
    expect(block?.calls.map(({ status }) => status)).toEqual(['0x1', '0x1']);
    expect(block?.transactions).toMatchObject([
      { from: `0x${toHex(RICH)}`, nonce: '0x0', type: '0x2', to: null },
      { from: `0x${toHex(RICH)}`, nonce: '0x1' },
    ]);
  });

  it('moves Ethereum precompiles, and runs code at the address that one left', () => {
    const identity = Uint8Array.from({ length: 20 }, (_, at) => (at === 19 ? 4 : 0));
    const [block, after] = shown({
      blocks: [
        {
          accounts: [{ address: identity, movePrecompileTo: NEXT, code: returning('602a') }],
          calls: [send(RICH, NEXT, 0n, { data: bytesOf('abcd') }), send(RICH, identity)],
        },
        { calls: [send(RICH, identity, 0n, { data: bytesOf('ef') })] },
      ],
    });
    expect(block?.calls.map(({ returnData }) => returnData)).toEqual(['0xabcd', word(42n)]);
    expect(after?.calls[0]?.returnData).toBe('0xef');
    const move = (address: Uint8Array, to: Uint8Array) => ({ address, movePrecompileTo: to });
    expect(refused({ blocks: [{ accounts: [move(POOR, NEXT)] }] })).toEqual([
      'plain',
      'account 0xC0C0c0c0C0C0c0c0c0C0c0C0C0C0C0C0C0C0c0c0 is not a precompile',
    ]);
    expect(refused({ blocks: [{ accounts: [move(identity, NEXT), { address: NEXT, nonce: 1n }] }] })[1]).toContain(
      'is already overridden',
    );
  });

  it('stops when it takes too long, and when its answer is too long', () => {
    const calls = Array.from({ length: 5 }, () => send(RICH, NEXT));
    let steps = 0;
    expect(run({ blocks: [{ calls }] }, () => ++steps === 3)).toEqual({ kind: 'timeout' });
    expect(steps).toBe(3);
    expect(run({ blocks: [{ calls }] }, () => false, 100)).toMatchObject({ kind: 'refused', reason: 'client-limit' });
    expect(shown({ blocks: [{ calls }] })[0]?.calls).toHaveLength(5);
  });
});
