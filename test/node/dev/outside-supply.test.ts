/** Balances too large for bank's supply: an account may hold 2^256-1, as in anvil and hardhat. */
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../src/core/app/presets.js';
import { exportRefusal } from '../../../src/core/genesis/export-genesis.js';
import { getBalance, getSupply } from '../../../src/core/modules/bank/balances.js';
import { sendCoins } from '../../../src/core/modules/bank/transfer.js';
import { supplyInvariant } from '../../../src/core/modules/bank/invariants.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { outsideSupply } from '../../../src/core/sdk/module/development-chain.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgCreatePermanentLockedAccountSchema } from '../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { encodeAddress, moduleAddress, requireAddress } from '../../../src/core/sdk/codec/address.js';
import { coin } from '../../../src/core/sdk/coins/coins.js';
import { account, brokenInvariants, codes, contextOf, DevChain, refusal, signed } from '../../core/app/dev-chain.js';
import { ethereumChain, tx } from '../../core/app/ethereum-chain.js';
import { crypto } from '../../core/app/support.js';

const MOST = (1n << 256n) - 1n;
const bytesOf = (address: string): Uint8Array => requireAddress('chron', address, 'test');
const nobody = encodeAddress('chron', new Uint8Array(20).fill(9));
const other = encodeAddress('chron', new Uint8Array(20).fill(8));

const balance = (on: DevChain, address: string): bigint => getBalance(contextOf(on), bytesOf(address), 'achr');
const outside = (on: DevChain): bigint => outsideSupply(contextOf(on), 'achr');
const set = (address: string, amount: bigint, sequence: bigint): Uint8Array =>
  setBalanceTx({ address, denom: 'achr', amount: String(amount), sequence, outsideSupply: amount > MOST / 2n });

describe('a balance outside of the supply', () => {
  it('is possible for any number of accounts, and does not change the supply', () => {
    const [on, plain] = [new DevChain(), new DevChain()];
    expect(codes(on.block(set(nobody, MOST, 0n), set(other, MOST, 1n), set(nobody, MOST, 2n)))).toEqual([0, 0, 0]);
    plain.block();
    expect([balance(on, nobody), balance(on, other), outside(on)]).toEqual([MOST, MOST, 2n * MOST]);
    expect(getSupply(contextOf(on), 'achr')).toBe(getSupply(contextOf(plain), 'achr'));
    expect(brokenInvariants(on)).toEqual([]);
    expect(codes(on.block(set(nobody, 0n, 3n), set(other, 7n, 4n)))).toEqual([0, 0]);
    plain.block();
    expect([balance(on, nobody), balance(on, other), outside(on)]).toEqual([0n, 7n, 7n]);
    expect(getSupply(contextOf(on), 'achr')).toBe(getSupply(contextOf(plain), 'achr'));
    expect(brokenInvariants(on)).toEqual([]);
  });

  it('can be sent, and no account receives above 2^256-1', async () => {
    const on = ethereumChain();
    const rich = account(0).address;
    expect(codes(on.block(set(rich, MOST, 0n)))).toEqual([0]);
    const send = (from: number, sequence: bigint, toAddress: string, amount: bigint): Uint8Array =>
      signed(from, sequence, MsgSendSchema, {
        fromAddress: account(from).address,
        toAddress,
        amount: [{ denom: 'achr', amount: String(amount) }],
      });
    expect(refusal(on.block(send(1, 0n, rich, 1n)))).toContain('integer overflow');
    const paid = await tx(0, { nonce: 1, to: `0x${'08'.repeat(20)}`, value: 2n ** 250n });
    expect(codes(on.block(send(0, 0n, nobody, MOST / 2n), paid))).toEqual([0, 0]);
    expect([balance(on, nobody), balance(on, other)]).toEqual([MOST / 2n, 2n ** 250n]);
    expect(brokenInvariants(on)).toEqual([]);
  });

  it('decreases by coins that the EVM destroys', async () => {
    const on = ethereumChain();
    on.block(set(account(0).address, MOST, 0n));
    const before = outside(on);
    // a contract that ends in its own creation and pays itself (EIP-6780)
    const created = on.block(await tx(0, { nonce: 0, value: 2n ** 250n, data: '0x30ff', gas: 100_000n }));
    expect(codes(created)).toEqual([0]);
    expect(before - outside(on)).toBe(2n ** 250n);
    expect(brokenInvariants(on)).toEqual([]);
  });

  it('stays the same when a payment exceeds 2^256-1, and the excess is destroyed', () => {
    const on = new DevChain();
    on.block(set(nobody, MOST, 0n));
    const context = { ...contextOf(on), mode: 'block' } as const;
    sendCoins(context, bytesOf(account(1).address), bytesOf(nobody), [coin('achr', 5n)]);
    expect(getBalance(context, bytesOf(nobody), 'achr')).toBe(MOST);
    expect(supplyInvariant.check(context)).toBeUndefined();
  });

  it('is refused for modules and for accounts with locked coins', () => {
    const on = new DevChain();
    const module = encodeAddress('chron', moduleAddress(crypto, 'fee_collector'));
    const locked = signed(0, 0n, MsgCreatePermanentLockedAccountSchema, {
      fromAddress: account(0).address,
      toAddress: nobody,
      amount: [{ denom: 'achr', amount: '5' }],
    });
    expect(codes(on.block(locked))).toEqual([0]);
    for (const [sequence, address] of [module, nobody].entries())
      expect(refusal(on.block(set(address, MOST, BigInt(sequence))))).toBe(
        'sdk 10: failed to execute message; message index: 0: the balance of a module or of locked coins is at most 2^192: invalid coins',
      );
    expect(outside(on)).toBe(0n);
  });

  it('makes a genesis export fail with the denom until the balance is lowered', () => {
    const on = new DevChain();
    const version = chronicle;
    expect(exportRefusal(on.state, { version })).toBeUndefined();
    on.block(set(nobody, MOST, 0n));
    expect(exportRefusal(on.state, { version })).toBe(
      'accounts hold achr outside of the supply, which no genesis can say: set balances above 2^192 lower',
    );
    on.block(set(nobody, 0n, 1n));
    expect(exportRefusal(on.state, { version })).toBeUndefined();
  });
});
