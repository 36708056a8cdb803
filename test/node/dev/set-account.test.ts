/** MsgSetAccount: nonce, code and storage of an account on chains whose genesis allows it. */
import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { evmd } from '../../../src/core/app/presets.js';
import type { EthereumAccountEdit } from '../../../src/core/ethereum/api.js';
import { setAccountTx } from '../../../src/core/modules/dev/set-account.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { chain, codes, DevChain } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';
import { CHAIN_LIMITS } from '../../../src/core/limits/limits.js';

const RAW = new Uint8Array(20).fill(9);
const NOBODY = encodeAddress('chron', RAW);
const CODE = Uint8Array.of(0x5f, 0x54, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3);
const word = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? value : 0));
const set = (edit: EthereumAccountEdit, sequence: bigint, address = NOBODY): Uint8Array =>
  setAccountTx({ address, sequence }, edit);

function seen(on: DevChain) {
  const { ethereum } = on.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const { nonce } = ethereum.account(on.state, on.at(), RAW);
  return {
    nonce,
    code: ethereum.code(on.state, on.at(), RAW),
    slot: ethereum.storage(on.state, on.at(), RAW, word(0))[31],
  };
}

describe('MsgSetAccount', () => {
  it('sets the given members of an account and keeps the others', () => {
    const on = new DevChain();
    expect(
      codes(
        on.block(
          set({ code: CODE }, 0n),
          set({ slots: [{ slot: word(0), value: word(7) }] }, 1n),
          set({ nonce: 5n }, 2n),
        ),
      ),
    ).toEqual([0, 0, 0]);
    expect(seen(on)).toEqual({ nonce: 5n, code: CODE, slot: 7 });
    expect(codes(on.block(set({ slots: [{ slot: word(0), value: word(0) }], nonce: 0n }, 3n)))).toEqual([0]);
    expect(seen(on)).toEqual({ nonce: 0n, code: CODE, slot: 0 });
    expect(codes(on.block(set({ code: new Uint8Array(0) }, 4n)))).toEqual([0]);
    expect(seen(on)).toEqual({ nonce: 0n, code: new Uint8Array(0), slot: 0 });
  });

  it('shares its sequence with MsgSetBalance', () => {
    const on = new DevChain();
    const balance = (sequence: bigint): Uint8Array =>
      setBalanceTx({ address: NOBODY, denom: 'achr', amount: '1', sequence });
    expect(codes(on.block(balance(0n), set({ nonce: 1n }, 1n), set({ nonce: 2n }, 1n), balance(2n)))).toEqual([
      0, 0, 32, 0,
    ]);
    expect(seen(on).nonce).toBe(1n);
  });

  it('is refused above its limits, and for an address that is no EVM account', () => {
    const on = new DevChain();
    const slots = Array.from({ length: CHAIN_LIMITS.devSlots + 1 }, (_, index) => ({
      slot: word(index % 256),
      value: word(1),
    }));
    const wrong = [
      set({ code: new Uint8Array(CHAIN_LIMITS.devCodeBytes + 1) }, 0n),
      set({ slots }, 1n),
      set({ slots: [{ slot: word(0).slice(1), value: word(1) }] }, 2n),
      set({ nonce: 1n }, 3n, encodeAddress('chron', new Uint8Array(32).fill(1))),
    ];
    expect(codes(on.block(...wrong))).toEqual([18, 18, 18, 18]);
    expect(codes(on.block(set({ nonce: 1n }, 4n, 'chron1nothing')))).toEqual([7]);
    // EIP-2681: one more than the nonce of any transaction must still be a number of 64 bits
    expect(codes(on.block(set({ nonce: (1n << 64n) - 1n }, 5n)))).toEqual([18]);
    expect(seen(on)).toEqual({ nonce: 0n, code: new Uint8Array(0), slot: 0 });
  });

  it('is refused unless the genesis and the preset allow it', () => {
    const on = new DevChain({}, 4, false);
    expect(codes(on.block(set({ nonce: 1n }, 0n)))).toEqual([4]);
    expect(createApplication({ version: evmd, chain, crypto }).describe(set({ nonce: 1n }, 0n))).toBeUndefined();
  });
});
