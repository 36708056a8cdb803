import { Hardfork, Mainnet, createCustomCommon } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, Address, bytesToHex } from '@ethereumjs/util';
import type { EvmBlock, EvmFork, EvmTransaction } from '../../../src/core/evm/transaction.js';
import { type MapState, address, asBigInt, crypto, fromHex, toHex } from './support.js';

const HARDFORKS: Readonly<Record<EvmFork, Hardfork>> = {
  london: Hardfork.London,
  paris: Hardfork.Paris,
  shanghai: Hardfork.Shanghai,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
  osaka: Hardfork.Osaka,
};
const PRECOMPILES: Readonly<Record<EvmFork, number>> = {
  london: 9,
  paris: 9,
  shanghai: 9,
  cancun: 10,
  prague: 17,
  osaka: 17,
};

export interface OracleResult {
  readonly status: 'success' | 'revert' | 'halt';
  readonly gasUsed: bigint;
  readonly gasRefunded: bigint;
  readonly output: string;
  readonly logs: readonly string[];
  /** Accounts and slots as text, in order. */
  readonly state: readonly string[];
}

/**
 * Executes the same transaction with @ethereumjs/evm, an independent interpreter. Intrinsic gas and refunds are
 * applied here.
 */
export async function executeByOracle(
  before: MapState,
  block: EvmBlock,
  transaction: EvmTransaction,
): Promise<OracleResult> {
  const common = createCustomCommon({ chainId: Number(block.chainId) }, Mainnet, { hardfork: HARDFORKS[block.fork] });
  const stateManager = new SimpleStateManager({ common });
  for (const [key, { balance, nonce, codeHash }] of before.accounts) {
    const at = new Address(fromHex(key));
    await stateManager.putAccount(at, new Account(nonce, balance));
    if (before.codes.has(toHex(codeHash))) await stateManager.putCode(at, before.code(codeHash));
    for (const [slot, value] of before.slots.get(key) ?? [])
      await stateManager.putStorage(at, fromHex(slot), stripped(value));
  }
  const evm = await createEVM({ common, stateManager });
  const to = transaction.to ?? new Uint8Array(20);
  const warm = [
    transaction.from,
    to,
    block.coinbase,
    ...Array.from({ length: PRECOMPILES[block.fork] }, (_, index) => address(index + 1)),
    ...(block.fork === 'osaka' ? [address(0x100)] : []),
  ];
  for (const one of warm) evm.journal.addAlwaysWarmAddress(bytesToHex(one));
  const intrinsic = 21_000n + transaction.data.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  const header = {
    number: block.number,
    coinbase: new Address(block.coinbase),
    timestamp: block.timestamp,
    difficulty: 0n,
    prevRandao: block.prevRandao,
    gasLimit: block.gasLimit,
    baseFeePerGas: block.baseFee,
    getBlobGasPrice: () => 1n,
  };
  const { execResult } = await evm.runCall({
    block: { header },
    caller: new Address(transaction.from),
    to: new Address(to),
    gasLimit: transaction.gasLimit - intrinsic,
    gasPrice: transaction.maxFeePerGas,
    value: transaction.value,
    data: transaction.data,
  });
  const error = execResult.exceptionError?.error;
  if (error === undefined) {
    for (const [destroyed] of execResult.selfdestruct ?? []) {
      // EIP-6780: from Cancun on, only accounts that this transaction created are deleted.
      const isDeleted = !common.isActivatedEIP(6780) || execResult.createdAddresses?.has(destroyed) === true;
      if (isDeleted) await stateManager.deleteAccount(new Address(fromHex(destroyed)));
    }
  }
  await evm.journal.cleanup();
  const spent = intrinsic + execResult.executionGasUsed;
  const counted = error === undefined ? (execResult.gasRefund ?? 0n) : 0n;
  const refund = counted < spent / 5n ? counted : spent / 5n;
  const tokens = transaction.data.reduce((sum, byte) => sum + (byte === 0 ? 1n : 4n), 0n);
  const floor = block.fork === 'prague' || block.fork === 'osaka' ? 21_000n + 10n * tokens : 0n;
  const used = spent - refund;
  return {
    status: error === undefined ? 'success' : error === 'revert' ? 'revert' : 'halt',
    gasUsed: used < floor ? floor : used,
    gasRefunded: used < floor ? 0n : refund,
    output: error === undefined || error === 'revert' ? toHex(execResult.returnValue) : '',
    logs:
      error === undefined
        ? (execResult.logs ?? []).map(([at, topics, data]) => [at, ...topics, data].map(toHex).join(' '))
        : [],
    state: await describeState(stateManager),
  };
}

const stripped = (value: Uint8Array): Uint8Array => value.subarray(value.findIndex((byte) => byte !== 0));

async function describeState(state: SimpleStateManager): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [key, account] of state.accountStack.at(-1) ?? []) {
    if (account === undefined) continue;
    const at = new Address(fromHex(key));
    lines.push(line(key.slice(2), account.balance, account.nonce, crypto.keccak256(await codeOf(state, at, account))));
    for (const [slot, value] of state.storageStack.at(-1) ?? []) {
      if (slot.startsWith(`${key}_`) && value.length > 0)
        lines.push(slotLine(key.slice(2), slot.split('_0x')[1] ?? '', asBigInt(value)));
    }
  }
  return lines.toSorted();
}

const codeOf = async (state: SimpleStateManager, at: Address, account: Account): Promise<Uint8Array> =>
  account.isContract() ? state.getCode(at) : new Uint8Array(0);

const line = (key: string, balance: bigint, nonce: bigint, codeHash: Uint8Array): string =>
  `${key} ${balance} ${nonce} ${toHex(codeHash)}`;
const slotLine = (key: string, slot: string, value: bigint): string => `${key} ${slot} = ${value}`;

/** The engine's state in the same form. */
export function describeMapState(state: MapState): readonly string[] {
  const lines = [...state.accounts].map(([key, { balance, nonce, codeHash }]) => line(key, balance, nonce, codeHash));
  for (const [key, slots] of state.slots)
    for (const [slot, value] of slots) lines.push(slotLine(key, slot, asBigInt(value)));
  return lines.toSorted();
}
