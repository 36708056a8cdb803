/** MsgSetBalance: the one transaction that needs no signature, on chains whose genesis allows it. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import { supplyInvariant } from '../../../src/core/modules/bank/invariants.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { MsgSetBalanceSchema } from '../../../src/core/proto/chronicle/dev/v1/tx_pb.js';
import {
  QueryAccountRequestSchema,
  QueryAccountResponseSchema,
} from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import {
  QueryBalanceRequestSchema,
  QueryBalanceResponseSchema,
  QuerySupplyOfRequestSchema,
  QuerySupplyOfResponseSchema,
} from '../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import type { FinalizeBlockResult } from '../../../src/core/application-requests.js';
import { account, chain, codes, contextOf, DevChain, signed } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';
import { encode } from '../../support/encode.js';

const nobody = encodeAddress('chron', new Uint8Array(20).fill(9));
const ETHER = 10n ** 18n;

function balance(on: DevChain, address: string): bigint {
  const { balance: found } = on.query(
    '/cosmos.bank.v1beta1.Query/Balance',
    QueryBalanceRequestSchema,
    { address, denom: 'achr' },
    QueryBalanceResponseSchema,
  );
  return BigInt(found?.amount ?? '0');
}

function supply(on: DevChain): bigint {
  return BigInt(
    on.query(
      '/cosmos.bank.v1beta1.Query/SupplyOf',
      QuerySupplyOfRequestSchema,
      { denom: 'achr' },
      QuerySupplyOfResponseSchema,
    ).amount?.amount ?? '0',
  );
}

/** Coins that mint gave out in a block, by its event. */
function inflation(result: FinalizeBlockResult): bigint {
  if (result.kind !== 'executed') throw new Error(result.reason);
  const [minted] = result.results.events.filter(({ type }) => type === 'mint');
  return BigInt(minted?.attributes.find(({ key }) => key === 'amount')?.value ?? 0);
}

const set = (address: string, amount: bigint, sequence: bigint): Uint8Array =>
  setBalanceTx({ address, denom: 'achr', amount: String(amount), sequence });

function brokenInvariant(on: DevChain): string | undefined {
  return supplyInvariant.check(contextOf(on));
}

describe('MsgSetBalance', () => {
  it('raises or lowers a balance to the exact amount, and the supply stays the sum of all balances', () => {
    const on = new DevChain();
    const before = supply(on);
    const rich = account(0).address;
    const raised = on.block(set(nobody, 7n * ETHER, 0n));
    expect(codes(raised)).toEqual([0]);
    expect(balance(on, nobody)).toBe(7n * ETHER);
    expect(supply(on)).toBe(before + 7n * ETHER + inflation(raised));
    const [had, later] = [balance(on, rich), supply(on)];
    const lowered = on.block(set(nobody, 0n, 1n), set(rich, 1n, 2n));
    expect(codes(lowered)).toEqual([0, 0]);
    expect([balance(on, nobody), balance(on, rich)]).toEqual([0n, 1n]);
    expect(supply(on)).toBe(later - 7n * ETHER - had + 1n + inflation(lowered));
    expect(brokenInvariant(on)).toBeUndefined();
  });

  it('creates a missing account, also for a balance of zero', () => {
    const on = new DevChain();
    expect(() =>
      on.query(
        '/cosmos.auth.v1beta1.Query/Account',
        QueryAccountRequestSchema,
        { address: nobody },
        QueryAccountResponseSchema,
      ),
    ).toThrow();
    expect(codes(on.block(set(nobody, 0n, 0n)))).toEqual([0]);
    expect(
      on.query(
        '/cosmos.auth.v1beta1.Query/Account',
        QueryAccountRequestSchema,
        { address: nobody },
        QueryAccountResponseSchema,
      ).account?.typeUrl,
    ).toBe('/cosmos.auth.v1beta1.BaseAccount');
  });

  it('emits bank events for minted, moved and burned coins', () => {
    const on = new DevChain();
    const minted = on.block(set(nobody, 5n, 0n));
    const burned = on.block(set(nobody, 2n, 1n));
    const types = (result: typeof minted) =>
      result.kind === 'executed'
        ? result.results.txResults.flatMap(({ events }) => events.map(({ type }) => type))
        : [];
    expect(types(minted)).toEqual(expect.arrayContaining(['coinbase', 'coin_received', 'coin_spent', 'transfer']));
    expect(types(burned)).toEqual(expect.arrayContaining(['burn', 'coin_spent', 'transfer']));
  });

  it('refuses a supply of more than 256 bits', () => {
    const on = new DevChain();
    expect(codes(on.block(set(nobody, (1n << 256n) - 1n, 0n)))).toEqual([10]);
    expect(balance(on, nobody)).toBe(0n);
  });
});

describe('a transaction without signatures', () => {
  it('uses up its sequence, also when it fails, and so is in one block only', () => {
    const on = new DevChain();
    const tx = set(nobody, 1n, 0n);
    expect(codes(on.block(tx, tx))).toEqual([0, 32]);
    expect(codes(on.block(tx, set(nobody, 1n, 2n), set('chron1nothing', 1n, 1n), set(nobody, 4n, 2n)))).toEqual([
      32, 32, 7, 0,
    ]);
    expect(balance(on, nobody)).toBe(4n);
  });

  it('is refused if the genesis does not allow it, and unknown to the preset evmd', () => {
    const on = new DevChain({}, 4, false);
    expect(codes(on.block(set(nobody, 1n, 0n)))).toEqual([4]);
    const state = on.app.createCheckState(on.state, on.at());
    expect(on.app.checkTx(state, set(nobody, 1n, 0n))).toMatchObject({
      code: 4,
      log: expect.stringContaining('not enabled by the genesis'),
    });
    const peer = createApplication({ version: evmd, chain, crypto });
    expect(peer.describe(set(nobody, 1n, 0n))).toBeUndefined();
  });

  it('is refused with a second message, a fee, a memo or a signature', () => {
    const on = new DevChain();
    const good = fromBinary(TxRawSchema, set(nobody, 1n, 0n));
    const body = fromBinary(TxBodySchema, good.bodyBytes);
    const [message] = body.messages;
    if (message === undefined) throw new Error('no message');
    const bodies = [
      { ...body, memo: 'hello' },
      { ...body, timeoutHeight: 9n },
      { ...body, messages: [message, message] },
    ].map((changed) => encode(TxRawSchema, { ...good, bodyBytes: toBinary(TxBodySchema, changed) }));
    const paid = create(AuthInfoSchema, { fee: { gasLimit: 500_000n, amount: [{ denom: 'achr', amount: '1' }] } });
    const others = [
      encode(TxRawSchema, { ...good, signatures: [new Uint8Array(64)] }),
      encode(TxRawSchema, { ...good, authInfoBytes: toBinary(AuthInfoSchema, paid) }),
    ];
    expect(codes(on.block(...bodies, ...others))).toEqual([18, 18, 18, 18, 18]);
    // A signature of an account does not authorise it either.
    expect(
      codes(
        on.block(signed(0, 0n, MsgSetBalanceSchema, { address: nobody, denom: 'achr', amount: '1', sequence: 0n })),
      ),
    ).toEqual([18]);
    expect(balance(on, nobody)).toBe(0n);
  });

  it('has the highest priority for a block, whatever the base fee', () => {
    const described = new DevChain().app.describe(set(nobody, 1n, 0n));
    expect(described).toMatchObject({
      kind: 'cosmos',
      accounts: [],
      feeCap: (1n << 256n) - 1n,
      tipCap: (1n << 256n) - 1n,
    });
  });
});
