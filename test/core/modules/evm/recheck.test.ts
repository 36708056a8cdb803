/**
 * Waiting transactions are checked again after every block. The short check of a sender's transactions must give the
 * same results and the same state as the full check of each in turn, over random states.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { contentOf } from '../../../../src/core/ethereum/content.js';
import { encodeTransaction } from '../../../../src/core/ethereum/transaction-codec.js';
import type { EthereumTransaction } from '../../../../src/core/ethereum/transaction.js';
import { wrapEthereumTransaction } from '../../../../src/core/modules/evm/ethereum-message.js';
import {
  accountKey,
  decodeAccount,
  packAccount,
  STORE as ACCOUNTS,
  withBase,
} from '../../../../src/core/modules/auth/accounts.js';
import { balanceKey, STORE as BANK } from '../../../../src/core/modules/bank/balances.js';
import { codeHashKey, codeKey, STORE as EVM } from '../../../../src/core/modules/evm/store.js';
import { DEFAULT_PARAMS, STORE as FEE_MARKET, toMessage } from '../../../../src/core/modules/feemarket/params.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { AccessType, ParamsSchema as EvmParamsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import type { StateReader, StateWrite } from '../../../../src/core/state/state.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { chain } from '../../app/dev-chain.js';
import { addressOf, ethereumChain } from '../../app/ethereum-chain.js';
import { crypto, stateOf, toHex } from '../../app/support.js';

const SENDER = addressOf(1);
const STRANGER = new Uint8Array(20).fill(0x99);
const DEC_ONE = 10n ** 18n;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const NO_CALLS = toBinary(
  EvmParamsSchema,
  create(EvmParamsSchema, {
    evmDenom: chain.baseDenom,
    accessControl: { call: { accessType: AccessType.RESTRICTED } },
  }),
);
const CODE_HASH = new Uint8Array(32).fill(5);

interface Moment {
  readonly known: boolean;
  readonly balance: bigint;
  readonly sequence: bigint;
  readonly baseFee: bigint;
  readonly minGasPrice: bigint;
  readonly code: 'none' | 'contract' | 'delegation';
  /** Calls are restricted to permitted addresses. */
  readonly restricted: boolean;
}

const moments: fc.Arbitrary<Moment> = fc.record({
  known: fc.boolean(),
  // the last also pays for more gas than a block has
  balance: fc.oneof(fc.constant(0n), fc.bigInt({ min: 300_000n, max: 2_000_000n }), fc.constant(10n ** 15n)),
  sequence: fc.bigInt({ min: 0n, max: 2n }),
  baseFee: fc.bigInt({ min: 0n, max: 8n }),
  minGasPrice: fc.constantFrom(0n, 0n, 4n),
  code: fc.constantFrom(
    'none' as const,
    'none' as const,
    'none' as const,
    'none' as const,
    'contract' as const,
    'delegation' as const,
  ),
  restricted: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
});

const waiting = fc.array(
  fc.record({
    gas: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(21_000n, 30_000n) },
      { weight: 1, arbitrary: fc.constant(60_000_000_000n) },
    ),
    cap: fc.bigInt({ min: 4n, max: 16n }),
    tip: fc.bigInt({ min: 0n, max: 12n }),
    value: fc.constantFrom(0n, 1n, 100_000n),
    type: fc.constantFrom(0 as const, 2 as const),
  }),
  { maxLength: 6 },
);

const base = ethereumChain();

/** A state with the sender as `moment` describes. */
function stateAt(
  { known, balance, sequence, baseFee, minGasPrice, code, restricted }: Moment,
  sender: Uint8Array,
): StateReader {
  const stored = base.state.get(ACCOUNTS, accountKey(SENDER));
  if (stored === undefined) throw new Error('the genesis has the sender');
  const codeBytes = code === 'contract' ? Uint8Array.of(0) : Uint8Array.of(0xef, 1, 0, ...new Uint8Array(20));
  const writes: readonly StateWrite[] = [
    ...(known
      ? [
          {
            store: ACCOUNTS,
            key: accountKey(sender),
            value: toBinary(AnySchema, packAccount(withBase(decodeAccount(stored), { sequence }))),
          },
        ]
      : []),
    {
      store: BANK,
      key: balanceKey(sender, chain.baseDenom),
      value: balance === 0n ? undefined : utf8(balance.toString()),
    },
    {
      store: FEE_MARKET,
      key: utf8('Params'),
      value: toBinary(
        ParamsSchema,
        toMessage({ ...DEFAULT_PARAMS, baseFee: baseFee * DEC_ONE, minGasPrice: minGasPrice * DEC_ONE }),
      ),
    },
    ...(restricted ? [{ store: EVM, key: Uint8Array.of(3), value: NO_CALLS }] : []),
    ...(code === 'none'
      ? []
      : [
          { store: EVM, key: codeHashKey(sender), value: CODE_HASH },
          { store: EVM, key: codeKey(CODE_HASH), value: codeBytes },
        ]),
  ];
  return stateOf(writes, base.state);
}

function wrapped(transaction: EthereumTransaction, sender: Uint8Array): Uint8Array {
  return wrapEthereumTransaction(encodeTransaction(transaction), transaction, sender, chain.baseDenom);
}

function transfer(
  nonce: bigint,
  {
    type,
    gas,
    cap,
    tip,
    value,
  }: { readonly type: 0 | 2; readonly gas: bigint; readonly cap: bigint; readonly tip: bigint; readonly value: bigint },
): EthereumTransaction {
  const common = {
    nonce,
    gasLimit: gas,
    to: STRANGER,
    value,
    data: new Uint8Array(0),
    chainId: chain.evmChainId,
    yParity: 0 as const,
    r: 1n,
    s: 1n,
  };
  return type === 0
    ? { type, ...common, gasPrice: cap }
    : { type, ...common, maxFeePerGas: cap, maxPriorityFeePerGas: tip < cap ? tip : cap, accessList: [] };
}

test('the short check passes the same transactions as the full check of each, and leaves the same account', () => {
  let [passes, refusals] = [0, 0];
  fc.assert(
    fc.property(moments, fc.constantFrom(0n, 0n, 0n, 1n), waiting, (moment, gap, fields) => {
      // Genesis created the sender's account; another address may have none.
      const sender = moment.known ? SENDER : STRANGER;
      const first = (moment.known ? moment.sequence : 0n) + gap;
      // A price below the base fee has a rule of its own: see the next test.
      const prices = fields.map((one) => ({ ...one, cap: one.cap > moment.baseFee ? one.cap : moment.baseFee }));
      const txs = prices.map((one, index) => wrapped(transfer(first + BigInt(index), one), sender));
      const state = stateAt(moment, sender);
      const [short, whole] = [base.app.createCheckState(state, base.at()), base.app.createCheckState(state, base.at())];
      const expected = txs.map((tx) => base.app.checkTx(whole, tx, true).code === 0);
      expect(base.app.recheck(short, toHex(sender), txs)).toEqual(expected);
      passes += expected.filter(Boolean).length;
      refusals += expected.filter((passed) => !passed).length;
      const next = base.app.nextNonce(whole, toHex(sender));
      expect(base.app.nextNonce(short, toHex(sender))).toBe(next);
      // geth's text contains the balance.
      const unaffordable = wrapped(
        transfer(next, { type: 2, gas: 21_000n, cap: 100n, tip: 0n, value: 10n ** 40n }),
        sender,
      );
      expect(base.app.checkTx(short, unaffordable, true)).toEqual(base.app.checkTx(whole, unaffordable, true));
    }),
    { numRuns: propertyRuns(400) },
  );
  expect(Math.min(passes, refusals)).toBeGreaterThan(100);
});

test('a transaction stays when the base fee rises above its price, and its fee counts for its successors', () => {
  const moment: Moment = {
    known: true,
    balance: 300_000n,
    sequence: 0n,
    baseFee: 8n,
    minGasPrice: 0n,
    code: 'none',
    restricted: false,
  };
  const txs = [7n, 7n, 8n].map((cap, nonce) =>
    wrapped(transfer(BigInt(nonce), { type: 0, gas: 21_000n, cap, tip: 0n, value: 0n }), SENDER),
  );
  const checkState = () => base.app.createCheckState(stateAt(moment, SENDER), base.at());
  // 7 x 21000 twice leaves 6000, too little for the third.
  expect(base.app.recheck(checkState(), toHex(SENDER), txs)).toEqual([true, true, false]);
  expect(base.app.checkTx(checkState(), txs[0] ?? new Uint8Array(), true).log).toMatch(/less than block base fee/);
});

test('a wrapping transaction decodes to the parts from which it was made', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      // with the highest gas limit the fee has 256 bits, and not more
      fc.bigInt({ min: 0n, max: 2n ** 192n }),
      fc.uint8Array({ maxLength: 20_000 }),
      (gasLimit, gasPrice, data) => {
        const transaction: EthereumTransaction = {
          type: 0,
          nonce: 0n,
          gasLimit,
          gasPrice,
          to: STRANGER,
          value: 7n,
          data,
          chainId: chain.evmChainId,
          yParity: 0,
          r: 1n,
          s: 1n,
        };
        const tx = wrapped(transaction, SENDER);
        const again = tx.slice();
        // The encoding by protobuf's own encoder is equal too.
        const { body, authInfo, bodyBytes, authInfoBytes } = decodeTx(again);
        expect(decodeTx(tx)).toEqual(decodeTx(again));
        expect(toBinary(TxBodySchema, body)).toEqual(bodyBytes);
        expect(toBinary(AuthInfoSchema, authInfo)).toEqual(authInfoBytes);
        expect(toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes }))).toEqual(tx);
        expect(contentOf(crypto, again)).toEqual(contentOf(crypto, tx));
        const described = base.app.describe(tx);
        expect(base.app.describe(again)).toEqual({ ...described, tx: again });
        const check = (bytes: Uint8Array) =>
          base.app.checkTx(base.app.createCheckState(base.state, base.at()), bytes, true);
        expect(check(again)).toEqual(check(tx));
      },
    ),
    { numRuns: propertyRuns(100) },
  );
});
