/** Otterscan finds transactions that called, paid or created an account in an internal call. */
import { getCreate2Address, getCreateAddress, keccak256 } from 'ethers';
import { beforeAll, expect, it } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { resultProblems } from '../support/openrpc.js';
import { temporaryFolder } from '../support/temporary.js';
import { callEthereum } from './ethereum-client.js';

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const PAYEE = `0x${'7a'.repeat(20)}`;
/** Deploys the code STOP. */
const CHILD = '600060005360016000f3';
/** CREATE2 with salt 0, then CREATE, of the child. */
const FACTORY = `69${CHILD}6000526000600a60166000f550600a60166000f05000`;
/** Calls the address in the first word with the received value. */
const PAYER = '6000600060006000346000355af15000';
/** Calls that address, then reverts. */
const REVERTING = '6000600060006000346000355af15060006000fd';

interface Page {
  readonly txs: readonly { readonly hash: string }[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}
interface Receipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly contractAddress: string;
}

let daemon: DaemonProcess;

async function ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
  const result = await callEthereum<Result>(daemon.endpoints.eth_http ?? '', method, params);
  expect(resultProblems(method, result)).toEqual([]);
  return result;
}

async function sent(transaction: object): Promise<Receipt> {
  const hash = await ask<string>('eth_sendTransaction', { from: OWNER, gas: '0xf4240', ...transaction });
  return ask<Receipt>('eth_getTransactionReceipt', hash);
}

const deployed = async (code: string): Promise<string> => {
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return (await sent({ data: `0x60${size}80600b6000396000f3${code}` })).contractAddress;
};

const word = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

/** Hashes of a page, and whether it is the first or the last page. */
async function search(direction: 'Before' | 'After', account: string, height: number, size: number) {
  const { txs, firstPage, lastPage } = await ask<Page>(`ots_searchTransactions${direction}`, account, height, size);
  return { hashes: txs.map(({ hash }) => hash), firstPage, lastPage };
}

const home = temporaryFolder();

beforeAll(async () => {
  daemon = await startDaemonProcess({ home });
});

it('Otterscan search finds the creation of a contract, and calls to it from another contract', async () => {
  const factory = await deployed(FACTORY);
  const payer = await deployed(PAYER);
  const made = await sent({ to: factory });
  const first = getCreate2Address(factory, `0x${'0'.repeat(64)}`, keccak256(`0x${CHILD}`)).toLowerCase();
  const second = getCreateAddress({ from: factory, nonce: 2 }).toLowerCase();
  for (const child of [first, second]) expect(await ask('eth_getCode', child, 'latest')).toBe('0x00');
  const called = await sent({ to: payer, data: word(first) });
  expect((await search('Before', first, 0, 10)).hashes).toEqual([called.transactionHash, made.transactionHash]);
  expect((await search('Before', second, 0, 10)).hashes).toEqual([made.transactionHash]);
});

it('Otterscan search pages in both directions through the payments of a contract', async () => {
  const payer = await deployed(PAYER);
  const paid: Receipt[] = [];
  for (let index = 0; index < 3; index += 1) paid.push(await sent({ to: payer, value: '0x1', data: word(PAYEE) }));
  const [one = '', two = '', three = ''] = paid.map(({ transactionHash }) => transactionHash);
  const heights = paid.map(({ blockNumber }) => Number(blockNumber));
  expect(await search('Before', PAYEE, 0, 2)).toEqual({ hashes: [three, two], firstPage: true, lastPage: false });
  expect(await search('Before', PAYEE, heights[1] ?? 0, 2)).toEqual({
    hashes: [one],
    firstPage: false,
    lastPage: true,
  });
  expect(await search('After', PAYEE, heights[0] ?? 0, 1)).toEqual({
    hashes: [two],
    firstPage: false,
    lastPage: false,
  });
  expect(await search('After', PAYEE, heights[1] ?? 0, 1)).toEqual({
    hashes: [three],
    firstPage: true,
    lastPage: false,
  });
});

it('Otterscan search finds calls of a failed transaction', async () => {
  const account = `0x${'7b'.repeat(20)}`;
  const reverting = await deployed(REVERTING);
  const { transactionHash } = await sent({ to: reverting, value: '0x1', data: word(account) });
  expect((await search('Before', account, 0, 10)).hashes).toEqual([transactionHash]);
  expect(await ask('eth_getBalance', account, 'latest')).toBe('0x0');
});

it('Otterscan search finds the same after the log is executed again and all rows are rebuilt', async () => {
  const before = await search('Before', PAYEE, 0, 10);
  expect(before.hashes).toHaveLength(3);
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { stdout } = await chronicledHere(['log', 'verify', '--execute', '--home', home]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
  expect(await chronicledHere(['log', 'rebuild', '--home', home])).toMatchObject({ code: 0 });
  daemon = await startDaemonProcess({ home });
  expect(await search('Before', PAYEE, 0, 10)).toEqual(before);
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 120_000);
