/**
 * Rules that hold after every block, whatever the block contained. Each rule finds violations by reading only the state
 * and the results.
 */
import { create } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../../../src/core/application-requests.js';
import { anyText } from '../../../src/core/bytes/any-text.js';
import { text, utf8 } from '../../../src/core/bytes/bytes.js';
import { prefixRange } from '../../../src/core/bytes/key-order.js';
import { readBe64 } from '../../../src/core/bytes/big-endian.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { ethereumBlockOf } from '../../../src/core/ethereum/block-of.js';
import {
  FEE_COLLECTOR,
  accountKey,
  ACCOUNT_PREFIX,
  decodeAccount,
  STORE as ACCOUNTS,
  type Account,
} from '../../../src/core/modules/auth/accounts.js';
import { headerJson } from '../../../src/core/ethereum/json/block-json.js';
import { hashOfShown } from '../../support/shown-header.js';
import { moduleAddress } from '../../../src/core/sdk/codec/address.js';
import type { EthereumBlock } from '../../../src/core/ethereum/block-view.js';
import { BALANCE_PREFIX, decodeAmount, STORE as BANK, SUPPLY_PREFIX } from '../../../src/core/modules/bank/balances.js';
import type { Event, ExecTxResult } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import type { StateReader } from '../../../src/core/state/state.js';
import { chain, type DevChain } from './dev-chain.js';
import { responseOf } from './recorded-evm.js';
import { BURN_TOPIC } from './random-programs.js';
import { crypto, fromHex, toHex } from './support.js';

export type Executed = Extract<FinalizeBlockResult, { kind: 'executed' }>;
const GAS_LIMIT = 30_000_000n;
const EVM_DENOM = chain.baseDenom;

/** A result or write as text, with all its parts: bytes in hex. */
export const shown = (value: unknown): string =>
  JSON.stringify(
    value,
    (_key, part: unknown) => (part instanceof Uint8Array ? toHex(part) : typeof part === 'bigint' ? `${part}` : part),
    1,
  );

const ofType = (events: readonly Event[], type: string): readonly Event[] =>
  events.filter((event) => event.type === type);
const attribute = ({ attributes }: Event, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value;

/** Balances by denom and owner (lower-case hex). */
function balancesIn(state: StateReader): ReadonlyMap<string, ReadonlyMap<string, bigint>> {
  const balances = new Map<string, Map<string, bigint>>();
  for (const { key, value } of state.range(BANK, prefixRange(BALANCE_PREFIX))) {
    const end = 2 + (key[1] ?? 0);
    const denom = text(key.subarray(end));
    const owners = balances.get(denom) ?? new Map<string, bigint>();
    balances.set(denom, owners.set(toHex(key.subarray(2, end)), decodeAmount(value)));
  }
  return balances;
}

function supplyIn(state: StateReader): ReadonlyMap<string, bigint> {
  return new Map(
    Array.from(state.range(BANK, prefixRange(SUPPLY_PREFIX)), ({ key, value }) => [
      text(key.subarray(1)),
      decodeAmount(value),
    ]),
  );
}

/** Accounts by address (lower-case hex). */
function accountsIn(state: StateReader): ReadonlyMap<string, Account> {
  return new Map(
    Array.from(state.range(ACCOUNTS, prefixRange(ACCOUNT_PREFIX)), ({ key, value }) => [
      toHex(key.subarray(1)),
      decodeAccount(value),
    ]),
  );
}

/** Parses a coin as events write it, such as `5achr`. */
function coinOf(amount: string | undefined): readonly [denom: string, amount: bigint] {
  const [, digits = '', denom = ''] = /^(\d+)(.*)$/.exec(amount ?? '') ?? [];
  return [denom, BigInt(digits)];
}

/**
 * The supply of each denom is the sum of its balances. It changes by the inflation of the block, by what
 * edits minted and burned, and by what contracts destroyed.
 */
export function supplyRule(
  before: StateReader,
  after: StateReader,
  { results: { events: blockEvents, txResults } }: Executed,
  block: EthereumBlock,
): void {
  const expected = new Map(supplyIn(before));
  const change = (denom: string, by: bigint): void => void expected.set(denom, (expected.get(denom) ?? 0n) + by);
  change(EVM_DENOM, inflationIn(blockEvents));
  for (const { events } of txResults) {
    const moved = [
      ...ofType(events, 'coinbase').map((event) => ({ event, sign: 1n })),
      ...ofType(events, 'burn').map((event) => ({ event, sign: -1n })),
    ];
    if (moved.length > 0)
      expect(
        ofType(events, 'message').some((event) => attribute(event, 'action') === '/chronicle.dev.v1.MsgSetBalance'),
      ).toBe(true);
    for (const { event, sign } of moved) {
      const [denom, amount] = coinOf(attribute(event, 'amount'));
      change(denom, sign * amount);
    }
  }
  for (const { receipt } of block.transactions) {
    for (const { topics, data } of receipt.logs)
      if (topics[0]?.[31] === BURN_TOPIC) change(EVM_DENOM, -BigInt(`0x${toHex(data)}`));
  }
  const supply = supplyIn(after);
  expect(supply).toEqual(new Map([...expected].filter(([, amount]) => amount > 0n)));
  expect(
    new Map(
      [...balancesIn(after)].map(([denom, owners]) => [
        denom,
        [...owners.values()].reduce((sum, amount) => sum + amount, 0n),
      ]),
    ),
  ).toEqual(supply);
}

/** New coins of a block, in the base denom. */
const inflationIn = (events: readonly Event[]): bigint =>
  ofType(events, 'mint').reduce((sum, event) => sum + BigInt(attribute(event, 'amount') ?? 0), 0n);

/**
 * The fee collector received the fees that receipts and Cosmos transactions report. x/distribution took what it had
 * before, except in the first block, whose inflation stays there.
 */
export function feeRule(
  after: StateReader,
  { results: { events: blockEvents, txResults } }: Executed,
  block: EthereumBlock,
): void {
  const collector = toHex(moduleAddress(crypto, FEE_COLLECTOR));
  const held = balancesIn(after).get(EVM_DENOM)?.get(collector) ?? 0n;
  const executed = block.transactions.filter(({ receipt }) => receipt.failure?.message !== FAILED_OUTSIDE_EVM);
  const byGas = executed.reduce((sum, { receipt }) => sum + receipt.gasUsed * receipt.effectiveGasPrice, 0n);
  // the receipt of an Ethereum transaction has the fee paid in advance, less the refund, unless the transaction failed
  // outside of the EVM
  const inAdvance = txResults
    .filter(({ code, events }) => code !== 0 || ofType(events, 'ethereum_tx').length === 0)
    .flatMap(({ events }) => ofType(events, 'tx').flatMap((event) => attribute(event, 'fee') ?? []))
    .reduce((sum, fee) => sum + (fee === '' ? 0n : coinOf(fee)[1]), 0n);
  expect(held).toBe(byGas + inAdvance + (block.height === 1n ? inflationIn(blockEvents) : 0n));
}

/** Text in the receipt of a transaction that paid and was not executed. */
const FAILED_OUTSIDE_EVM = 'failed to execute message';

/** The EVM, x/auth and x/bank agree on balance and nonce of every account, and so does `BALANCE` in a call. */
export function oneWorldRule(dev: DevChain, named: readonly string[]): void {
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const accounts = accountsIn(dev.state);
  const wei = balancesIn(dev.state).get(EVM_DENOM);
  const addresses = [...new Set([...accounts.keys(), ...(wei?.keys() ?? []), ...named])];
  const code = addresses
    .map((address, index) => `73${address}3161${(32 * index).toString(16).padStart(4, '0')}52`)
    .join('');
  const to = new Uint8Array(20).fill(0xee);
  const seen = ethereum.call(
    dev.state,
    { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) },
    { to },
    [{ address: to, code: fromHex(`${code}61${(32 * addresses.length).toString(16).padStart(4, '0')}6000f3`) }],
    {},
  );
  if (seen.kind !== 'success') throw new Error(seen.kind);
  addresses.forEach((address, index) => {
    const { balance, nonce } = ethereum.account(dev.state, dev.at(), fromHex(address));
    const owned = wei?.get(address) ?? 0n;
    expect({
      address,
      balance,
      nonce,
      seen: BigInt(`0x${toHex(seen.output.subarray(32 * index, 32 * index + 32))}`),
    }).toEqual({ address, balance: owned, nonce: accounts.get(address)?.base.sequence ?? 0n, seen: owned });
  });
}

/**
 * Each account has a unique number and an index entry for it. An account that owns coins, has signed or belongs to a
 * module is never removed.
 */
export function accountRule(before: StateReader, after: StateReader): void {
  const accounts = accountsIn(after);
  const index = Array.from(
    after.range(ACCOUNTS, prefixRange(utf8('accountNumber'))),
    ({ key, value }) => `${readBe64(key.subarray(-8))} ${toHex(value)}`,
  );
  expect(index).toEqual(
    [...accounts]
      .toSorted(([, a], [, b]) => Number(a.base.accountNumber - b.base.accountNumber))
      .map(([address, { base }]) => `${base.accountNumber} ${address}`),
  );
  for (const owners of balancesIn(after).values())
    for (const owner of owners.keys()) expect([owner, accounts.has(owner)]).toEqual([owner, true]);
  const others = [...balancesIn(before)].flatMap(([denom, owners]) => (denom === EVM_DENOM ? [] : [...owners.keys()]));
  for (const [address, { kind, base }] of accountsIn(before)) {
    if (kind === 'base' && base.sequence === 0n && base.pubKey === undefined && !others.includes(address)) continue;
    const now = after.get(ACCOUNTS, accountKey(fromHex(address)));
    const { kind: kindNow, base: baseNow } = now === undefined ? { kind: 'gone', base: undefined } : decodeAccount(now);
    expect([address, kindNow, baseNow?.accountNumber]).toEqual([address, kind, base.accountNumber]);
  }
}

/**
 * Gas that the block counts for a transaction. A Cosmos transaction may have run out of its own gas at an access that
 * it then did not pay.
 */
const taken = ({ gasUsed, gasWanted }: ExecTxResult): bigint => (gasUsed < gasWanted ? gasUsed : gasWanted);

/**
 * A transaction uses no more gas than it wanted, and a block no more than its limit; the block counts the gas that its
 * transactions took.
 */
export function gasRule({ results: { txResults, events } }: Executed): void {
  const outOfGas = 11;
  expect(txResults.filter(({ code, gasUsed, gasWanted }) => code !== outOfGas && gasUsed > gasWanted)).toEqual([]);
  const counted = blockGas(events);
  expect(counted <= GAS_LIMIT).toBe(true);
  const sum = txResults.reduce((all, result) => all + taken(result), 0n);
  expect(counted).toBe(sum < GAS_LIMIT ? sum : GAS_LIMIT);
}

export const blockGas = (events: readonly Event[]): bigint =>
  BigInt(ofType(events, 'block_gas').map((event) => attribute(event, 'amount'))[0] ?? -1);

/** Base fee of a block in 10^-18 wei. */
export function baseFeeIn(events: readonly Event[]): bigint {
  const [whole = '', fraction = ''] = (
    ofType(events, 'fee_market').map((event) => attribute(event, 'base_fee'))[0] ?? ''
  ).split('.');
  return BigInt(`${whole}${fraction.padEnd(18, '0')}`);
}

const WEI = 10n ** 18n;

/** EIP-1559 in whole wei, with an eighth and half of the limit. */
export function baseFeeRule(
  parent: { readonly baseFee: bigint; readonly gas: bigint },
  { results: { events } }: Executed,
): void {
  const target = GAS_LIMIT / 2n;
  const before = parent.baseFee / WEI;
  const change = (difference: bigint): bigint => (before * difference) / target / 8n;
  const rise = change(parent.gas - target);
  const expected = parent.gas > target ? before + (rise > 1n ? rise : 1n) : before - change(target - parent.gas);
  expect(baseFeeIn(events)).toBe(expected * WEI);
}

/** The block as Ethereum clients see it. */
export function ethereumView(request: FinalizeBlockRequest, { results }: Executed): EthereumBlock {
  const { txs, height, time, hash, proposerAddress, previousAppHash: appHash } = request;
  const header = { height, time: toTimestamp(time), appHash, proposerAddress };
  const block = create(BlockSchema, { header, data: { txs: [...txs] } });
  return ethereumBlockOf(crypto, { block, blockId: create(BlockIDSchema, { hash }), size: 0 }, results, {
    miner: proposerAddress,
    maxGas: GAS_LIMIT,
    genesisHash: new Uint8Array(32),
    prevRandao: new Uint8Array(32).fill(0xff),
  });
}

/**
 * The block hash computed by the execution equals the hash that clients compute from the JSON header, and the next
 * block is linked to it. `parent`: the hash of the block before; undefined before the first block.
 */
export function headerRule(view: EthereumBlock, parent: Uint8Array | undefined): void {
  expect(hashOfShown(JSON.parse(headerJson(view)))).toBe(`0x${toHex(view.hash)}`);
  expect(view.hash).not.toEqual(view.consensusHash);
  if (parent !== undefined) expect(toHex(view.parentHash)).toBe(toHex(parent));
}

/**
 * Each Ethereum transaction that paid has a receipt; gas and logs are counted through the block, and blooms hold the
 * logs.
 */
export function receiptRule({ results: { events, txResults } }: Executed, block: EthereumBlock): void {
  const paid = txResults.filter(({ events: told }) => ofType(told, 'ethereum_tx').length > 0);
  expect(block.transactions).toHaveLength(paid.length);
  let [gas, logs] = [0n, 0];
  block.transactions.forEach(({ hash, index, receipt }, position) => {
    const result = paid[position];
    if (result === undefined) throw new Error('no result');
    // a transaction that crosses the limit fails and is counted in full, as in the SDK; no transaction starts after it
    expect(gas < GAS_LIMIT).toBe(true);
    gas += result.gasUsed;
    expect([index, receipt.gasUsed, receipt.cumulativeGasUsed]).toEqual([position, result.gasUsed, gas]);
    expect(receipt.logs.map(({ logIndex }) => logIndex)).toEqual(receipt.logs.map((_, at) => logs + at));
    logs += receipt.logs.length;
    expect(toHex(receipt.logsBloom)).toBe(toHex(bloomOf(receipt.logs)));
    const response = result.code === 0 ? responseOf(result.data) : undefined;
    expect(receipt.status).toBe(response?.vmError === '' ? 'success' : 'failed');
    if (response === undefined) return;
    expect([response.hash, response.gasUsed, response.logs.map((log) => Number(log.index))]).toEqual([
      `0x${toHex(hash)}`,
      result.gasUsed,
      receipt.logs.map(({ logIndex }) => logIndex),
    ]);
  });
  const all = bloomOf(block.transactions.flatMap(({ receipt }) => receipt.logs));
  expect([toHex(block.logsBloom), attribute(ofType(events, 'block_bloom')[0] ?? raise(), 'bloom')]).toEqual([
    toHex(all),
    anyText(all),
  ]);
}

function raise(): never {
  throw new Error('no event');
}

/**
 * Yellow paper 4.3.1: each address and topic sets three bits. The number of a bit, counted from the right, is the low
 * 11 bits of two bytes of the hash.
 */
function bloomOf(
  logs: readonly { readonly address: Uint8Array; readonly topics: readonly Uint8Array[] }[],
): Uint8Array {
  let bits = 0n;
  for (const part of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = Buffer.from(crypto.keccak256(part));
    for (const at of [0, 2, 4]) bits |= 1n << BigInt(hash.readUInt16BE(at) % 2_048);
  }
  return fromHex(bits.toString(16).padStart(512, '0'));
}

/** The last transaction, executed again, changes rows that the block wrote; blockers may write them too. */
export function changesRule(
  { app }: DevChain,
  before: StateReader,
  request: FinalizeBlockRequest,
  executed: Executed,
): void {
  const running = app.ethereum?.changedBy(before, request, request.txs.length - 1);
  let step = running?.next();
  while (step !== undefined && step.done !== true) step = running?.next();
  const written = new Map(executed.writes.map(({ store, key, value }) => [`${store} ${toHex(key)}`, value]));
  const empty = app.finalizeBlock(before, { ...request, txs: [] });
  if (empty.kind !== 'executed') throw new Error(empty.reason);
  const ofPhases = new Set(empty.writes.map(({ store, key }) => `${store} ${toHex(key)}`));
  for (const { store, key, after } of step?.value ?? []) {
    const name = `${store} ${toHex(key)}`;
    expect(written.has(name), name).toBe(true);
    if (!ofPhases.has(name)) expect(shown(written.get(name)), name).toBe(shown(after));
  }
}
