/** eth_sendTransaction for accounts of the node, as JSON, ethers, viem and web3.js send it: each type and fee mix. */
import { JsonRpcProvider } from 'ethers';
import { createWalletClient, defineChain, http, numberToHex, publicActions, type Chain, type Hex } from 'viem';
import { mnemonicToAccount, signAuthorization } from 'viem/accounts';
import { Web3 } from 'web3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const CHAIN = 271_828;
const TO = '0x00000000000000000000000000000000000000aa';
const DELEGATE = `0x${'cc'.repeat(20)}` as const;
const PRICE = '0x77359400';
/** The tip that the node suggests. */
const TIP = '0x3b9aca00';
const ACCESS_LIST = [{ address: TO, storageKeys: [`0x${'00'.repeat(32)}`] }] as const;
const TYPES_OF_VIEM = ['legacy', 'eip2930', 'eip1559'];

interface Sent {
  readonly type: string;
  readonly gasPrice: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: readonly unknown[];
}

let daemon: DaemonProcess;
let url: string;
let chain: Chain;

const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  callEthereum<Result>(url, method, params);

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
  chain = defineChain({
    id: CHAIN,
    name: 'Chronicle',
    nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** The transaction of a hash, which must have succeeded. */
async function mined(hash: string): Promise<Sent> {
  expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  return ask<Sent>('eth_getTransactionByHash', hash);
}

interface Asked {
  readonly type?: '0x0' | '0x1' | '0x2';
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: typeof ACCESS_LIST;
}

/** The argument in the form of viem and ethers. */
function native({ type, accessList, ...fees }: Asked) {
  return {
    ...Object.fromEntries(Object.entries(fees).map(([name, value]) => [name, BigInt(value)])),
    ...(accessList !== undefined && {
      accessList: accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
    }),
    number: type === undefined ? undefined : Number(type),
  };
}

/** Requests, their transaction types, and the fields that they must have. */
const cases: readonly { readonly asked: Asked; readonly type: string; readonly has?: Partial<Sent> }[] = [
  { asked: {}, type: '0x2', has: { maxPriorityFeePerGas: TIP } },
  { asked: { type: '0x0' }, type: '0x0' },
  { asked: { type: '0x1' }, type: '0x1', has: { accessList: [] } },
  { asked: { type: '0x2' }, type: '0x2', has: { maxPriorityFeePerGas: TIP } },
  { asked: { gasPrice: PRICE }, type: '0x0', has: { gasPrice: PRICE } },
  { asked: { type: '0x0', gasPrice: PRICE }, type: '0x0', has: { gasPrice: PRICE } },
  { asked: { type: '0x1', gasPrice: PRICE }, type: '0x1', has: { gasPrice: PRICE } },
  { asked: { maxFeePerGas: PRICE }, type: '0x2', has: { maxFeePerGas: PRICE, maxPriorityFeePerGas: TIP } },
  { asked: { maxFeePerGas: PRICE, maxPriorityFeePerGas: '0x1' }, type: '0x2', has: { maxPriorityFeePerGas: '0x1' } },
  { asked: { accessList: ACCESS_LIST }, type: '0x2', has: { accessList: ACCESS_LIST } },
  { asked: { type: '0x1', accessList: ACCESS_LIST }, type: '0x1', has: { accessList: ACCESS_LIST } },
  {
    asked: { gasPrice: PRICE, accessList: ACCESS_LIST },
    type: '0x1',
    has: { gasPrice: PRICE, accessList: ACCESS_LIST },
  },
];

describe('an account of the node', () => {
  it.each(cases)('sends $asked for JSON, ethers and viem', async ({ asked, type, has = {} }) => {
    const [from, second, third = '0x'] = await ask<readonly Hex[]>('eth_accounts');
    const { number, ...members } = native(asked);
    const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 20, cacheTimeout: -1 });
    const signer = await provider.getSigner(second);
    const byEthers = await signer.sendTransaction({
      to: TO,
      ...members,
      ...(number !== undefined && { type: number }),
    });
    provider.destroy();
    const viem = createWalletClient({ chain, transport: http(url), account: third });
    const named = number === undefined ? {} : { type: TYPES_OF_VIEM[number] };
    const hashes = [
      await ask<string>('eth_sendTransaction', { from, to: TO, ...asked }),
      byEthers.hash,
      await viem.sendTransaction({ to: TO, ...members, ...named } as Parameters<typeof viem.sendTransaction>[0]),
    ];
    for (const hash of hashes) expect(await mined(hash)).toMatchObject({ type, ...has });
  });

  it('sends a transaction whose fields web3.js filled in', async () => {
    const web3 = new Web3(url);
    const [from = ''] = await web3.eth.getAccounts();
    for (const [asked, type] of [
      [{}, '0x2'],
      [{ type: '0x0' }, '0x0'],
      [{ type: '0x1' }, '0x1'],
      [{ gasPrice: PRICE }, '0x0'],
      [{ input: '0x1234' }, '0x2'],
      [{ data: '0x1234', input: '0x1234' }, '0x2'],
    ] as const) {
      const { transactionHash } = await web3.eth.sendTransaction({ from, to: TO, ...asked });
      expect(await mined(String(transactionHash))).toMatchObject({ type });
    }
  });

  it('sends a transaction with a tip alone, and estimates it with the fee that follows from the tip', async () => {
    const [from] = await ask<readonly Hex[]>('eth_accounts');
    const hash = await ask<string>('eth_sendTransaction', { from, to: TO, maxPriorityFeePerGas: '0x9502f900' });
    expect(await mined(hash)).toMatchObject({ type: '0x2', maxPriorityFeePerGas: '0x9502f900' });
  });

  it('executes GASPRICE with the price that it pays, in estimates too', async () => {
    const [from] = await ask<readonly Hex[]>('eth_accounts');
    // reverts if GASPRICE is zero: gasprice, push1 7, jumpi, push0, push0, revert, jumpdest
    const hash = await ask<string>('eth_sendTransaction', { from, data: '0x3a6007575f5ffd5b' });
    expect(await mined(hash)).toMatchObject({ type: '0x2' });
  });
});

describe('authorizations', () => {
  const authority = mnemonicToAccount(MNEMONIC, { addressIndex: 8 });
  const authorization = async (nonce: number) => {
    const privateKey: Hex = `0x${Buffer.from(authority.getHdKey().privateKey ?? []).toString('hex')}`;
    const { r, s, yParity } = await signAuthorization({ privateKey, chainId: CHAIN, address: DELEGATE, nonce });
    return {
      chainId: numberToHex(CHAIN),
      address: DELEGATE,
      nonce: numberToHex(nonce),
      yParity: numberToHex(yParity ?? 0),
      r: numberToHex(BigInt(r)),
      s: numberToHex(BigInt(s)),
    };
  };
  const code = `0xef0100${'cc'.repeat(20)}`;

  it('delegate an account in a transaction that the node signs', async () => {
    const [from] = await ask<readonly Hex[]>('eth_accounts');
    const args = { from, to: TO, authorizationList: [await authorization(0)] };
    expect(await mined(await ask<string>('eth_sendTransaction', args))).toMatchObject({ type: '0x4' });
    expect(await ask('eth_getCode', authority.address, 'latest')).toBe(code);
    await expect(ask('eth_sendTransaction', { from, to: TO, authorizationList: [] })).rejects.toThrow(
      'set code tx must have at least one authorization tuple',
    );
  });

  it('delegate an account in a transaction of an impersonated account', async () => {
    const nobody = `0x${'ab'.repeat(20)}`;
    await ask('anvil_setBalance', nobody, '0xde0b6b3a7640000');
    await ask('anvil_setCode', authority.address, '0x');
    await ask('anvil_impersonateAccount', nobody);
    const nonce = Number(await ask<string>('eth_getTransactionCount', authority.address, 'latest'));
    const args = { from: nobody, to: TO, authorizationList: [await authorization(nonce)] };
    expect(await mined(await ask<string>('eth_sendTransaction', args))).toMatchObject({ type: '0x4', from: nobody });
    expect(await ask('eth_getCode', authority.address, 'latest')).toBe(code);
  });

  it('are estimated, signed by the client, and sent in a raw transaction', async () => {
    const client = createWalletClient({ chain, transport: http(url), account: authority, pollingInterval: 20 }).extend(
      publicActions,
    );
    const signed = await client.signAuthorization({ contractAddress: DELEGATE, executor: 'self' });
    const hash = await client.sendTransaction({ to: TO, authorizationList: [signed] });
    expect(await mined(hash)).toMatchObject({ type: '0x4' });
  });
});
