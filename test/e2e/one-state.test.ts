/**
 * Ethereum and Cosmos as one state, with unmodified viem and cosmjs together: a Solidity contract delegates and votes
 * through precompiles, and cosmjs sees it; a call that reverts undoes it.
 */
import {
  createPublicClient,
  createWalletClient,
  decodeEventLog,
  getAddress,
  defineChain,
  type Hex,
  hexToBytes,
  http,
  parseAbi,
  parseEther,
  type TransactionReceipt,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { Staker } from '../contracts/index.js';
import { CHR, coins, type DevChain, type Json, MNEMONIC, startDevChain } from './cosmos-wallets.js';

const STAKING = '0x0000000000000000000000000000000000000800';
const COIN: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const TOKEN = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);
const EVENTS = parseAbi([
  'event Delegate(address indexed delegator, address indexed validator, uint256 amount, uint256 shares)',
]);
const [, NO] = [1, 3];

let chain: DevChain;
let validator = '';
let staker: Hex;
let ethereum: ReturnType<typeof clientsOf>;

function clientsOf(url: string, id: number) {
  const network = defineChain({
    id,
    name: 'dev',
    nativeCurrency: { name: 'CHR', symbol: 'CHR', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: 1 });
  return {
    account,
    wallet: createWalletClient({ account, chain: network, transport: http() }),
    reader: createPublicClient({ chain: network, transport: http(), pollingInterval: 20, cacheTime: 0 }),
  };
}

beforeAll(async () => {
  chain = await startDevChain(3);
  const { validators } = await chain.rest('/cosmos/staking/v1beta1/validators');
  validator = String((validators as readonly Json[])[0]?.['operator_address']);
  const url = chain.daemon.endpoints.eth_http ?? '';
  const id = await createPublicClient({ transport: http(url) }).getChainId();
  ethereum = clientsOf(url, id);
  const { contractAddress } = await mined(await ethereum.wallet.deployContract(Staker));
  if (contractAddress === null || contractAddress === undefined) throw new Error('not deployed');
  staker = contractAddress;
  await mined(await ethereum.wallet.sendTransaction({ to: staker, value: parseEther('100') }));
});

const mined = (hash: Hex): Promise<TransactionReceipt> => ethereum.reader.waitForTransactionReceipt({ hash });
const nameOf = (address: Hex): string => encodeAddress('chron', hexToBytes(address));

/** Sends a call of the contract without a gas estimate, because it may revert. */
async function perform(functionName: string, args: readonly unknown[], value = 0n): Promise<TransactionReceipt> {
  return mined(
    await ethereum.wallet.writeContract({
      address: staker,
      abi: Staker.abi,
      functionName,
      args,
      value,
      gas: 1_000_000n,
    }),
  );
}

/** Delegation and coins of the contract, read by cosmjs. */
async function seenByCosmjs(): Promise<{ readonly staked: bigint; readonly coins: bigint }> {
  const delegation = await chain.client.getDelegation(nameOf(staker), validator).catch(() => null);
  return { staked: BigInt(delegation?.amount ?? 0), coins: await chain.balance(nameOf(staker)) };
}

it('a contract delegates its coins, and cosmjs sees the delegation', async () => {
  const { status, logs } = await perform('stake', [validator, 40n * CHR]);
  expect(status).toBe('success');
  expect(await seenByCosmjs()).toEqual({ staked: 40n * CHR, coins: 60n * CHR });
  expect(await ethereum.reader.getBalance({ address: staker })).toBe(60n * CHR);
  expect(
    await ethereum.reader.readContract({ address: staker, abi: Staker.abi, functionName: 'staked', args: [validator] }),
  ).toBe(40n * CHR);
  expect(logs.map(({ address }) => address)).toEqual([STAKING, staker.toLowerCase()]);
  const [first] = logs;
  if (first === undefined) throw new Error('no log');
  expect(decodeEventLog({ abi: EVENTS, ...first })).toMatchObject({
    args: { delegator: getAddress(staker), amount: 40n * CHR },
  });
});

it('an outer call that reverts undoes the delegation, and returns the value', async () => {
  const before = await seenByCosmjs();
  const { status, logs } = await perform('stakeAndRevert', [validator, 10n * CHR], 5n);
  expect([status, logs]).toEqual(['reverted', []]);
  expect(await seenByCosmjs()).toEqual(before);
});

it('an inner call that reverts undoes the delegation alone', async () => {
  const before = await seenByCosmjs();
  const { status, logs } = await perform('tryToStake', [validator, 10n * CHR], 5n);
  expect([status, logs.map(({ address }) => address)]).toEqual(['success', [staker.toLowerCase()]]);
  expect(await seenByCosmjs()).toEqual({ ...before, coins: before.coins + 5n });
});

it('a precompile refuses a forbidden call with the error of the module, and changes nothing', async () => {
  const before = await seenByCosmjs();
  const tooMuch = { address: staker, abi: Staker.abi, functionName: 'stake', args: [validator, 10_000n * CHR] };
  await expect(ethereum.reader.simulateContract({ ...tooMuch, account: ethereum.account })).rejects.toThrow(
    /insufficient funds|smaller than/,
  );
  expect((await perform('stake', [validator, 10_000n * CHR])).status).toBe('reverted');
  expect(await seenByCosmjs()).toEqual(before);
});

it('a contract votes on a proposal of cosmjs with the weight of its delegation', async () => {
  const [, , proposer = ''] = chain.accounts;
  await chain.send(proposer, {
    typeUrl: '/cosmos.gov.v1.MsgSubmitProposal',
    value: {
      messages: [],
      initialDeposit: coins(10n * CHR),
      proposer,
      metadata: 'm',
      title: 't',
      summary: 's',
      expedited: false,
    },
  });
  expect((await perform('vote', [1n, NO])).status).toBe('success');
  const { vote } = await chain.rest(`/cosmos/gov/v1/proposals/1/votes/${nameOf(staker)}`);
  expect(vote).toMatchObject({ voter: nameOf(staker), options: [{ option: 'VOTE_OPTION_NO' }] });
  const { tally } = await chain.rest('/cosmos/gov/v1/proposals/1/tally');
  expect(tally).toMatchObject({ no_count: (40n * CHR).toString(), yes_count: '0' });
  expect((await perform('vote', [2n, NO])).status).toBe('reverted');
});

it('a transfer of the native coin through its ERC-20 precompile moves the bank balance', async () => {
  const [, , other = ''] = chain.accounts;
  const to = mnemonicToAccount(MNEMONIC, { addressIndex: 2 }).address;
  const before = await chain.balance(other);
  const { status } = await mined(
    await ethereum.wallet.writeContract({ address: COIN, abi: TOKEN, functionName: 'transfer', args: [to, 3n * CHR] }),
  );
  expect(status).toBe('success');
  expect(await chain.balance(other)).toBe(before + 3n * CHR);
  expect(await ethereum.reader.getBalance({ address: to })).toBe(before + 3n * CHR);
  expect(await ethereum.reader.readContract({ address: COIN, abi: TOKEN, functionName: 'balanceOf', args: [to] })).toBe(
    before + 3n * CHR,
  );
});
