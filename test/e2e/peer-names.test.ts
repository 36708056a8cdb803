/**
 * Methods of anvil, reth and hardhat that execute something, over a real node. Their answers agree with other
 * methods.
 */
import { Contract, ContractFactory, HDNodeWallet, JsonRpcProvider, keccak256 } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Token } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const STRANGER = `0x${'33'.repeat(20)}`;
const abi = JSON.stringify(Token.abi);
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

let daemon: DaemonProcess;
let url: string;
let provider: JsonRpcProvider;
let owner: HDNodeWallet;
let token: Contract;
let address: string;
let sentHash: string;

const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  callEthereum<Result>(url, method, params);
const transfers = (value: bigint) => ({
  from: owner.address,
  to: address,
  data: token.interface.encodeFunctionData('transfer', [STRANGER, value]),
});
const balanceOf = (): object => ({
  to: address,
  data: token.interface.encodeFunctionData('balanceOf', [STRANGER]),
});

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
  provider = new JsonRpcProvider(url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
  owner = HDNodeWallet.fromPhrase(MNEMONIC, undefined, "m/44'/60'/0'/0/0").connect(provider);
  const deployed = await new ContractFactory(abi, Token.bytecode, owner).deploy('Token', 'TKN', 1_000n);
  await deployed.waitForDeployment();
  address = (await deployed.getAddress()).toLowerCase();
  token = new Contract(address, abi, owner);
  const sent = await token.getFunction('transfer')(STRANGER, 5n);
  sentHash = sent.hash as string;
  await sent.wait();
});

afterAll(async () => {
  provider.destroy();
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

it('eth_callMany shows each call the changes of earlier calls, and changes no state', async () => {
  const bundles = [
    { transactions: [transfers(7n), balanceOf(), transfers(1n << 255n)] },
    { transactions: [transfers(8n), balanceOf()] },
  ];
  const [first, second] = await ask<readonly (readonly { value?: string; error?: string }[])[]>(
    'eth_callMany',
    bundles,
  );
  expect(first?.map(({ value }) => value)).toEqual([word(1n), word(12n), undefined]);
  expect(first?.[2]?.error).toMatch(/^(?!execution failed)/);
  expect(second?.[1]?.value).toBe(word(20n));
  expect(await ask('eth_call', balanceOf())).toBe(word(5n));
});

it('trace_callMany traces a call as trace_call does, on the state after the earlier calls', async () => {
  const kinds = ['trace', 'stateDiff', 'vmTrace'];
  const alone = await ask<object>('trace_call', transfers(7n), kinds);
  const [first, second] = await ask<readonly { readonly output: string; readonly trace: readonly object[] }[]>(
    'trace_callMany',
    [
      [transfers(7n), kinds],
      [balanceOf(), ['trace']],
    ],
  );
  expect(first).toEqual(alone);
  expect(second).toMatchObject({ output: word(12n), stateDiff: null, vmTrace: null, trace: [{ type: 'call' }] });
});

it('the stateDiff of trace_call has the new account and the raised nonce of the sender', async () => {
  const nonce = await ask<string>('eth_getTransactionCount', owner.address);
  const fresh = `0x${'de'.repeat(20)}`;
  const call = { from: owner.address, to: fresh, value: '0x7' };
  const { stateDiff } = await ask<{ stateDiff: Record<string, object> }>('trace_call', call, ['stateDiff']);
  expect(stateDiff).toEqual({
    [owner.address.toLowerCase()]: {
      balance: { '*': expect.anything() },
      code: '=',
      nonce: { '*': { from: nonce, to: `0x${(BigInt(nonce) + 1n).toString(16)}` } },
      storage: {},
    },
    [fresh]: { balance: { '+': '0x7' }, code: { '+': '0x' }, nonce: { '+': '0x0' }, storage: {} },
  });
});

it('trace_rawTransaction before a send equals trace_replayTransaction afterwards', async () => {
  const nonce = await ask<string>('eth_getTransactionCount', owner.address);
  const fields = { ...(await owner.populateTransaction(transfers(9n))), nonce: Number(nonce) };
  const raw = await owner.signTransaction(fields);
  const before = await ask<{ stateDiff: Record<string, unknown> }>('trace_rawTransaction', raw, ['trace', 'stateDiff']);
  await expect(ask('trace_rawTransaction', await owner.signTransaction({ ...fields, nonce: 99 }), [])).rejects.toThrow(
    'nonce too high',
  );
  const bundle = await ask<object>('eth_callBundle', { txs: [raw], blockNumber: '0x99', stateBlockNumber: 'latest' });
  const { status } = await ask<{ status: string }>('eth_sendRawTransactionSync', raw);
  const hash = keccak256(raw);
  const { gasUsed, effectiveGasPrice } = await ask<Record<string, string>>('eth_getTransactionReceipt', hash);
  expect(status).toBe('0x1');
  const after = await ask<typeof before>('trace_replayTransaction', hash, ['trace', 'stateDiff']);
  const withoutFees = ({ stateDiff, ...rest }: typeof before) => ({ ...rest, token: stateDiff[address] });
  expect(withoutFees(before)).toEqual(withoutFees(after));
  expect(Object.keys(before.stateDiff).toSorted()).toEqual(Object.keys(after.stateDiff).toSorted());
  expect(bundle).toMatchObject({
    totalGasUsed: Number(gasUsed),
    results: [{ txHash: hash, fromAddress: owner.address.toLowerCase(), toAddress: address, value: word(1n) }],
  });
  expect(BigInt(effectiveGasPrice ?? 0)).toBeGreaterThan(0n);
});

it('trace_transactionOpcodeGas adds up to the gas of the transaction without its intrinsic gas', async () => {
  const { gasUsed, blockNumber } = await ask<Record<string, string>>('eth_getTransactionReceipt', sentHash);
  const traced = await ask<{ opcodeGas: readonly { opcode: string; count: number; gasUsed: number }[] }>(
    'trace_transactionOpcodeGas',
    sentHash,
  );
  const { structLogs } = await ask<{ structLogs: readonly { op: string }[] }>('debug_traceTransaction', sentHash);
  const { input } = await ask<{ input: string }>('eth_getTransactionByHash', sentHash);
  const bytes = Buffer.from(input.slice(2), 'hex');
  const intrinsic = 21_000 + bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0);
  expect(traced.opcodeGas.reduce((sum, { count }) => sum + count, 0)).toBe(structLogs.length);
  expect(traced.opcodeGas.reduce((sum, one) => sum + one.gasUsed, intrinsic)).toBe(Number(gasUsed));
  expect(await ask('trace_blockOpcodeGas', blockNumber)).toMatchObject({ transactions: [traced] });
});

it('debug_codeByHash returns code, and debug_accountInfoAt an account after a transaction', async () => {
  const { codeHash, nonce } = await ask<{ codeHash: string; nonce: string }>('eth_getAccount', address);
  const code = await ask('eth_getCode', address);
  expect(await ask('debug_codeByHash', codeHash)).toBe(code);
  expect(await ask('debug_dbGet', `0x63${codeHash.slice(2)}`)).toBe(code);
  expect(await ask('debug_codeByHash', codeHash, 'earliest')).toBeNull();
  expect(await ask('debug_codeByHash', keccak256('0x'))).toBe('0x');
  const { storageHash } = await ask<{ storageHash: string }>('eth_getProof', address, []);
  expect(await ask('eth_getAccount', address)).toMatchObject({ storageRoot: storageHash });
  expect(await ask('eth_getAccountInfo', address)).toEqual({ balance: '0x0', nonce, code });
  await ask('evm_setAutomine', false);
  const start = Number(await ask<string>('eth_getTransactionCount', owner.address));
  for (const value of [1n, 2n])
    await ask('eth_sendTransaction', { from: owner.address, to: `0x${'44'.repeat(20)}`, value: `0x${value}` });
  await ask('evm_mine');
  const [one, two] = await Promise.all(
    ['0x0', '0x1'].map((index) =>
      ask<{ balance: string; nonce: string }>('debug_accountInfoAt', 'latest', index, `0x${'44'.repeat(20)}`),
    ),
  );
  expect([one?.balance, two?.balance]).toEqual(['0x1', '0x3']);
  const sender = await ask<{ nonce: string }>('debug_accountInfoAt', 'latest', '0x0', owner.address);
  expect(Number(sender.nonce)).toBe(start + 1);
  await ask('evm_setAutomine', true);
});

it('the node log names calls by the output of hardhat_addCompilationResult', async () => {
  const output = {
    contracts: {
      'a.sol': {
        Renamed: { abi: Token.abi, evm: { deployedBytecode: { object: await ask<string>('eth_getCode', address) } } },
      },
    },
  };
  expect(await ask('hardhat_addCompilationResult', '0.8.30', {}, output)).toBe(true);
  await expect
    .poll(
      async () => {
        await ask('eth_sendTransactionSync', transfers(1n));
        return daemon.stderr();
      },
      { timeout: 20_000 },
    )
    .toContain('Renamed');
});
