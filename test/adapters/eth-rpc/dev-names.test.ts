/** Commands of dev mode whose behaviour depends on the tool whose name is called, and commands of one tool only. */
import { recoverTypedDataAddress, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { argumentProblem } from '../../support/discovered.js';
import { CONTRACT, OTHER, SENDER, TOPIC, transfer } from './fake-node.js';
import { openFace, type Face } from './face.js';

const other = hexData(OTHER);
const word = hexData(TOPIC);

async function answer(face: Pick<Face, 'call'>, name: string, ...params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await face.call(name, ...params);
  return error === undefined ? result : [error.code, error.message];
}

it("a command without a result answers null under anvil's name and true under hardhat's", async () => {
  const face = openFace({ dev: true });
  for (const [suffix, ...params] of [
    ['addBalance', other, 1],
    ['autoImpersonateAccount', true],
    ['dropAllTransactions'],
    ['impersonateAccount', other],
    ['removePoolTransactions', other],
    ['reset'],
    ['setAutomine', true],
    ['setCoinbase', other],
    ['setLoggingEnabled', true],
    ['setNextBlockBaseFeePerGas', 1],
    ['setPrevRandao', word],
  ] as const) {
    expect(await answer(face, `anvil_${suffix}`, ...params)).toBeNull();
    expect(await answer(face, `hardhat_${suffix}`, ...params)).toBe(true);
  }
});

it('hardhat_stopImpersonatingAccount answers whether the account was impersonated', async () => {
  const face = openFace({ dev: true });
  expect(await answer(face, 'hardhat_stopImpersonatingAccount', other)).toBe(false);
  await answer(face, 'hardhat_impersonateAccount', other);
  expect(await answer(face, 'hardhat_stopImpersonatingAccount', other)).toBe(true);
  expect(await answer(face, 'anvil_stopImpersonatingAccount', other)).toBeNull();
});

it('anvil_reorg takes two arguments, or an object with both members, as alloy sends it', async () => {
  const face = openFace({ dev: true });
  const posted = async (method: string, params: unknown): Promise<unknown> =>
    JSON.parse((await face.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).text);
  expect(await answer(face, 'anvil_reorg', 2, [['0x01', 1]])).toBeNull();
  const named = { depth: 2, tx_block_pairs: [['0x01', 1]] };
  expect(await posted('anvil_reorg', named)).toMatchObject({ result: null });
  const expected = ['reorganize', 2, [[], [expect.any(Function)]]];
  expect(face.node.asked.dev).toEqual([expected, expected]);
  expect(await posted('anvil_reorg', {})).toMatchObject({
    error: { message: 'missing value for required argument 0' },
  });
  expect(await posted('anvil_rollback', { depth: 1 })).toMatchObject({ error: { message: 'non-array args' } });
});

it("a signature and its signer are two arguments, or anvil's single pair", async () => {
  const face = openFace({ dev: true });
  const signature = `0x${'11'.repeat(64)}1b`;
  expect(await answer(face, 'anvil_impersonateSignature', signature, other)).toBeNull();
  const pair: Pick<Face, 'call'> = { call: (name, ...params) => face.callOtherwise(name, ...params) };
  expect(await answer(pair, 'anvil_impersonateSignature', [signature, other])).toBeNull();
  const expected = ['setBlockFacts', { impersonatedSignature: { signature: expect.any(Uint8Array), signer: OTHER } }];
  expect(face.node.asked.dev).toEqual([expected, expected]);
  expect([
    await answer(face, 'anvil_impersonateSignature', [signature]),
    await answer(face, 'anvil_impersonateSignature', [signature, other], other),
    await answer(face, 'anvil_impersonateSignature', ['0x11', other]),
  ]).toEqual([
    [-32602, 'missing value for required argument 1'],
    [-32602, expect.stringContaining('invalid argument 0: ')],
    [-32602, 'invalid argument 0: not a signature of 65 bytes'],
  ]);
});

it('evm_mine_detailed returns the last blocks that it made, although others were made meanwhile', async () => {
  const face = openFace({ dev: true });
  const { api } = face.node;
  // The head at the time of the command, before it began to wait.
  Object.assign(api, { blockNumber: () => toHeight(1n) });
  const blocks = (await answer(face, 'evm_mine_detailed', { blocks: 2 })) as readonly { readonly number: string }[];
  expect(blocks.map(({ number }) => number)).toEqual(['0x3', '0x4']);
});

describe('hardhat_setNonce', () => {
  it('refuses a nonce below that of the account', async () => {
    const face = openFace({ dev: true });
    expect(await answer(face, 'hardhat_setNonce', hexData(SENDER), '0x4')).toEqual([
      -32000,
      'New nonce (4) must not be smaller than the existing nonce (5)',
    ]);
    expect(face.node.asked.dev).toEqual([]);
    expect(await answer(face, 'hardhat_setNonce', hexData(SENDER), '0x5')).toBe(true);
    expect(await answer(face, 'anvil_setNonce', hexData(SENDER), '0x4')).toBeNull();
  });

  it.each(['pending', 'queued'] as const)('refuses a nonce while a transaction is %s', async (place) => {
    const face = openFace({ dev: true });
    face.node[place].push({ hash: TOPIC, from: SENDER, transaction: transfer });
    expect(await answer(face, 'hardhat_setNonce', other, '0x9')).toEqual([
      -32000,
      'Cannot set account nonce when the transaction pool is not empty',
    ]);
    expect(await answer(face, 'evm_setAccountNonce', other, '0x9')).toBe(true);
  });
});

it('hardhat_dropTransaction refuses a mined transaction, and anvil_dropTransaction answers null', async () => {
  const face = openFace({ dev: true });
  face.node.dev.isWaiting = false;
  const mined = hexData(face.node.blocks[2]?.transactions[0]?.hash ?? new Uint8Array());
  expect(await answer(face, 'hardhat_dropTransaction', mined)).toEqual([
    -32602,
    `Transaction ${mined} cannot be dropped because it's already mined`,
  ]);
  expect(await answer(face, 'anvil_dropTransaction', mined)).toBeNull();
  expect(await answer(face, 'hardhat_dropTransaction', word)).toBe(false);
});

it("Tenderly's commands take lists of addresses and ignore duplicates", async () => {
  const face = openFace({ dev: true });
  expect(await answer(face, 'tenderly_setBalance', [other, hexData(CONTRACT), other], '0x5')).toBeNull();
  expect(await answer(face, 'tenderly_addBalance', [other], '0x6')).toBeNull();
  expect(await answer(face, 'tenderly_addBalance', other, '0x7')).toBeNull();
  expect(face.node.asked.dev).toEqual([
    ['setBalance', [OTHER, CONTRACT], 5n],
    ['addBalance', [OTHER], 6n],
    ['addBalance', [OTHER], 7n],
  ]);
  const many = Array.from({ length: FIXED_LIMITS.devListedAccounts + 1 }, () => other);
  expect(await answer(face, 'tenderly_setBalance', many.slice(1), '0x5')).toBeNull();
  // All transactions are in one block.
  expect(FIXED_LIMITS.devListedAccounts).toBeLessThanOrEqual(DEFAULT_LIMITS.devWaiting);
  for (const [name, list] of [
    ['anvil_setBalance', [other]],
    ['tenderly_setBalance', []],
    ['tenderly_setBalance', [other, '0x12']],
    ['tenderly_setBalance', many],
  ] as const)
    expect(await answer(face, name, list, '0x5')).toEqual([-32602, expect.stringContaining('invalid argument 0: ')]);
  expect(await answer(face, 'tenderly_setBalance', many, '0x5')).toEqual([
    -32602,
    'invalid argument 0: 257 addresses, limit devListedAccounts (256)',
  ]);
  expect(await answer(face, 'tenderly_setBalance', [], '0x5')).toEqual([
    -32602,
    'invalid argument 0: the list has no addresses',
  ]);
});

it("the shortest and longest interval of hardhat's random mining are in milliseconds under every name", async () => {
  const face = openFace({ dev: true });
  // A schema cannot say that one number is at most the other.
  const paired: Pick<Face, 'call'> = { call: (name, ...params) => face.callOtherwise(name, ...params) };
  for (const name of ['evm_setIntervalMining', 'hardhat_setIntervalMining']) {
    expect(await answer(paired, name, [300, 2_500])).toBe(name.startsWith('hardhat_') || null);
    expect(face.node.api.dev?.mining()).toEqual({ kind: 'interval', intervalMs: 300, longestMs: 2_500 });
  }
  expect(await answer(face, 'anvil_getIntervalMining')).toEqual([0.3, 2.5]);
  expect(await answer(paired, 'evm_setIntervalMining', [0, 1])).toBeNull();
  expect(face.node.api.dev?.mining()).toEqual({ kind: 'interval', intervalMs: 1, longestMs: 1 });
  for (const name of ['evm_setIntervalMining', 'hardhat_setIntervalMining']) {
    await answer(paired, name, [300, 2_500]);
    expect(await answer(paired, name, [0, 0])).toBe(name.startsWith('hardhat_') || null);
    expect(face.node.api.dev?.mining()).toEqual({ kind: 'manual' });
  }
  for (const [range, message] of [
    [[3, 2], 'Minimum value in range is greater than maximum value'],
    [[1], 'not the shortest and the longest number of milliseconds between blocks'],
    [[1, 2, 3], 'not the shortest and the longest number of milliseconds between blocks'],
    [[1, 'x'], 'not the shortest and the longest number of milliseconds between blocks'],
    [[1, 3_000_000_000], 'not a number of seconds between blocks'],
  ] as const)
    expect(await answer(face, 'evm_setIntervalMining', range)).toEqual([-32602, `invalid argument 0: ${message}`]);
});

it("hardhat_addCompilationResult names contracts, and hardhat's count of failed stack traces is 0", async () => {
  const face = openFace({ dev: true });
  const output = {
    contracts: {
      'a.sol': { Token: { abi: [], evm: { deployedBytecode: { object: '6001' } } }, Nothing: { abi: [] } },
      'b.sol': { Token: { abi: [{ type: 'error', name: 'No', inputs: [] }] } },
    },
  };
  expect(await answer(face, 'hardhat_addCompilationResult', '0.8.30', {}, output)).toBe(true);
  expect(face.node.asked.dev).toEqual([['addContracts', ['a.sol:Token', 'b.sol:Token']]]);
  expect(await answer(face, 'hardhat_addCompilationResult', '0.8.30', {}, {})).toEqual([
    -32602,
    'invalid argument 2: the output has no contracts',
  ]);
  expect(argumentProblem('hardhat_addCompilationResult', ['0.8.30', {}, {}])).toBeDefined();
  expect(argumentProblem('hardhat_addCompilationResult', ['0.8.30', {}, { contracts: {} }])).toBeUndefined();
  expect(await answer(face, 'hardhat_addCompilationResult', '0.8.30', 'x', output)).toEqual([
    -32602,
    'invalid argument 1: json: cannot unmarshal string into Go value of type object',
  ]);
  expect(await answer(face, 'hardhat_getStackTraceFailuresCount')).toBe(0);
  expect(await answer(face, 'hardhat_intervalMine')).toBe(true);
  expect(face.node.asked.dev).toHaveLength(2);
});

describe("ganache's methods", () => {
  it('add and remove accounts whose keys the node holds', async () => {
    const face = openFace({ dev: true });
    const sender = hexData(SENDER);
    expect(await answer(face, 'personal_unlockAccount', other, 'password')).toBe(false);
    expect(await answer(face, 'evm_addAccount', other, 'password')).toBe(true);
    expect(await answer(face, 'evm_addAccount', other, 'password')).toBe(false);
    expect(await answer(face, 'evm_addAccount', sender, 'password')).toBe(false);
    expect(await answer(face, 'personal_listAccounts')).toEqual([sender, other]);
    expect(await answer(face, 'personal_unlockAccount', other, 'password')).toBe(true);
    expect(await answer(face, 'evm_removeAccount', other, 'password')).toBe(true);
    expect(await answer(face, 'evm_removeAccount', other, 'password')).toBe(false);
    expect(await answer(face, 'evm_removeAccount', sender, 'password')).toBe(true);
    expect(await answer(face, 'personal_listAccounts')).toEqual([]);
    expect(await answer(face, 'evm_addAccount', other)).toEqual([-32602, 'missing value for required argument 1']);
  });

  it('set fields of mined blocks, and when blocks are mined', async () => {
    const face = openFace({ dev: true });
    expect(await answer(face, 'miner_setEtherbase', other)).toBe(true);
    expect(await answer(face, 'miner_setExtra', '0x0102')).toBe(true);
    expect(face.node.asked.dev).toEqual([
      ['setBlockFacts', { coinbase: OTHER }],
      ['setBlockFacts', { extraData: Uint8Array.of(1, 2) }],
    ]);
    expect(await answer(face, 'miner_stop')).toBe(true);
    expect(await answer(face, 'eth_mining')).toBe(false);
    expect(await answer(face, 'miner_start', 4)).toBe(true);
    expect(await answer(face, 'eth_mining')).toBe(true);
    expect(await answer(face, 'miner_start', 'x')).toEqual([-32602, 'invalid argument 0: not a number: string']);
  });

  it('refuse a number that is no whole number in range, with the reason', async () => {
    const face = openFace({ dev: true });
    for (const number of [-5, 1.5, 1e30])
      expect(await answer(face, 'evm_increaseTime', number)).toEqual([
        -32602,
        `invalid argument 0: ${number} is no whole number from 0 to 9007199254740991`,
      ]);
  });

  it('quote the gas price of miner_setGasPrice, and send at it when no fee is given', async () => {
    const face = openFace({ dev: true });
    const filled = async (fees: object) => {
      const { tx } = (await answer(face, 'eth_fillTransaction', { from: other, to: other, ...fees })) as { tx: object };
      return tx;
    };
    expect(await filled({})).toMatchObject({ type: '0x2' });
    expect(await answer(face, 'miner_setGasPrice', '0x12a05f200')).toBe(true);
    expect(await answer(face, 'eth_gasPrice')).toBe('0x12a05f200');
    expect(await filled({})).toMatchObject({ type: '0x0', gasPrice: '0x12a05f200' });
    expect(await filled({ type: '0x1' })).toMatchObject({ type: '0x1', gasPrice: '0x12a05f200' });
    expect(await filled({ type: '0x2' })).toMatchObject({ type: '0x2' });
    expect(await filled({ maxFeePerGas: '0x77359400' })).toMatchObject({ type: '0x2', maxFeePerGas: '0x77359400' });
    expect(await filled({ gasPrice: '0x7' })).toMatchObject({ type: '0x0', gasPrice: '0x7' });
  });

  it('sign a transaction and return its bytes', async () => {
    const face = openFace({ dev: true });
    const args = { from: hexData(SENDER), to: other, gasPrice: '0x7', gas: '0x5208' };
    const signed = (await answer(face, 'eth_signTransaction', args)) as { readonly raw: string };
    expect(await answer(face, 'personal_signTransaction', args, 'password')).toBe(signed.raw);
    expect(await answer(face, 'personal_signTransaction', { ...args, from: other }, 'password')).toEqual([
      -32000,
      'unknown account',
    ]);
  });
});

it('methods for features that the chain lacks answer as other nodes do without the feature', async () => {
  const face = openFace({ dev: true });
  const answers: Readonly<Record<string, readonly [readonly unknown[], unknown]>> = {
    anvil_classifyTransaction: [['0x01'], { lane: 'general', payment: false, reason: 'not_tempo' }],
    anvil_getBlobByHash: [[word], null],
    anvil_getBlobsByTransactionHash: [[word], null],
    eth_getCompilers: [[], []],
    eth_getWork: [[], []],
    eth_submitHashrate: [[word, word], false],
    eth_submitWork: [['0x0000000000000001', word, word], false],
  };
  for (const [name, [params, result]] of Object.entries(answers))
    expect([name, await answer(face, name, ...params)]).toEqual([name, result]);
  expect(await answer(face, 'anvil_setFeeToken', other, other)).toEqual([
    -32602,
    'anvil_setFeeToken is not supported: this is no chain of Tempo',
  ]);
  expect(await answer(face, 'eth_submitHashrate', word)).toEqual([-32602, 'missing value for required argument 1']);
  expect(await answer(face, 'db_getHex', 'db')).toEqual([
    -32601,
    'the method db_getHex does not exist/is not available',
  ]);
});

it('eth_signTypedData_v3 signs like version 4, and refuses arrays', async () => {
  const face = openFace({ dev: true });
  const document = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    domain: { name: 'Chronicle' },
    message: { text: 'hi' },
  } as const;
  const signature = (await answer(face, 'eth_signTypedData_v3', hexData(SENDER), document)) as Hex;
  expect((await recoverTypedDataAddress({ ...document, signature })).toLowerCase()).toBe(hexData(SENDER));
  const types = { ...document.types, Note: [{ name: 'text', type: 'string[]' }] };
  const withArray = { ...document, types, message: { text: ['hi'] } };
  expect(await answer(face, 'eth_signTypedData_v3', hexData(SENDER), withArray)).toEqual([
    -32602,
    'invalid argument 1: version 3 has no arrays: use eth_signTypedData_v4',
  ]);
  expect(await answer(face, 'eth_signTypedData_v4', hexData(SENDER), withArray)).toMatch(/^0x/);
});

it('on a chain without development transactions their commands are absent, with the reason', async () => {
  const face = openFace({ dev: 'plain' });
  for (const name of ['anvil_setBalance', 'hardhat_impersonateAccount', 'evm_setBlockGasLimit', 'anvil_loadState']) {
    expect(face.rpc.methods).not.toContain(name);
    expect(await answer(face, name, other, '0x1')).toEqual([
      -32601,
      `the method ${name} does not exist/is not available: the genesis of this chain does not enable development transactions (app_state.dev.enabled)`,
    ]);
  }
  const withheld = openFace({ dev: true }).rpc.methods.filter((name) => !face.rpc.methods.includes(name));
  const suffixes = new Set(withheld.map((name) => name.replace(/^[a-z]+_/, '')));
  expect([...suffixes].toSorted()).toEqual(
    `addAccount addBalance autoImpersonateAccount dealERC20 expireClient impersonateAccount impersonateSignature loadState
    lockUnknownAccount sendUnsignedTransaction setAccountBalance setAccountCode setAccountNonce setAccountStorageAt
    setBalance setBlockGasLimit setCode setCoinbase setERC20Allowance setERC20Balance setEtherbase setExtra
    setNextBlockBaseFeePerGas setNextBlockPrevRandao setNonce setPrevRandao setStorageAt stopImpersonatingAccount
    unlockUnknownAccount`.split(/\s+/),
  );
  expect(await answer(face, 'evm_mine')).toBe('0x0');
});

it('eth_sendUnsignedTransaction exists only in dev mode', async () => {
  const args = { from: other, to: other, gas: '0x5208' };
  expect(await answer(openFace({ dev: true }), 'eth_sendUnsignedTransaction', args)).toMatch(/^0x/);
  expect(await answer(openFace(), 'eth_sendUnsignedTransaction', args)).toEqual([
    -32601,
    'the method eth_sendUnsignedTransaction does not exist/is not available',
  ]);
});

it("anvil's names return accounts, raw transactions and access lists of blocks", async () => {
  const face = openFace();
  expect(await answer(face, 'eth_networkId')).toBe(await answer(face, 'net_version'));
  expect(await answer(face, 'eth_getAccount', hexData(SENDER))).toEqual({
    balance: '0x56bc75e2d63100000',
    nonce: '0x5',
    codeHash: `0x${'00'.repeat(32)}`,
    storageRoot: `0x${'00'.repeat(32)}`,
  });
  expect(await answer(face, 'eth_getAccountInfo', hexData(CONTRACT), '0x3')).toEqual({
    balance: '0x0',
    nonce: '0x0',
    code: '0x6001',
  });
  expect(await answer(face, 'eth_getAccountInfo', hexData(CONTRACT), '0x99')).toEqual([-32000, 'header not found']);
  const dev = openFace({ dev: true });
  const raws = dev.node.blocks[3]?.transactions.map(({ raw }) => hexData(raw));
  expect(raws).toHaveLength(2);
  expect(await answer(dev, 'debug_getRawTransactions', '0x3')).toEqual(raws);
  expect(await answer(dev, 'debug_getRawTransactions', '0x99')).toEqual([]);
  for (const [name, block] of [
    ['eth_getBlockAccessList', '0x3'],
    ['eth_getBlockAccessListRaw', '0x99'],
    ['eth_getBlockAccessListByBlockNumber', 'latest'],
    ['eth_getBlockAccessListByBlockHash', word],
  ] as const)
    expect(await answer(face, name, block)).toBeNull();
});
