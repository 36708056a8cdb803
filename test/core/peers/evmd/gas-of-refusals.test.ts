/**
 * Gas in the results of refused transactions, as evmd v0.6.0 answers it: the context, the ante handler and the rules of
 * a transaction each have a meter.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { DEFAULT_PARAMS, toMessage } from '../../../../src/core/modules/feemarket/params.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { type TxBody, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ANTE_READS, CONTEXT_READS, ETHEREUM_READS } from '../../../../src/core/peers/evmd/ante.js';
import { ethereumAnte } from '../../../../src/core/peers/evmd/ethereum-ante.js';
import { refusals } from '../../../../src/core/peers/evmd/ethereum-refusals.js';
import { transactions } from '../../../../src/core/peers/evmd/transactions.js';
import type { StoreKey } from '../../../../src/core/sdk/module/transaction-rules.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { account, type DevChain, signed } from '../../app/dev-chain.js';
import { ethereumChain, tx } from '../../app/ethereum-chain.js';
import { encode } from '../../../support/encode.js';

const rules = new Map([transactions, ethereumAnte, refusals]);
const version = { ...chronicle, ante: evmd.ante, rules };

function evmdChain(): DevChain {
  const dev = ethereumChain();
  dev.build({ version });
  return dev;
}

/** Price of reading these keys. */
function readsOf(dev: DevChain, reads: readonly StoreKey[]): bigint {
  return reads
    .map(({ store, key }) => 1000n + 3n * BigInt(key.length + (dev.state.get(store, key)?.length ?? 0)))
    .reduce((sum, gas) => sum + gas, 0n);
}

function resultOf(dev: DevChain, bytes: Uint8Array) {
  const block = dev.block(bytes);
  if (block.kind !== 'executed') throw new Error(block.kind);
  const result = block.results.txResult(0);
  if (result === undefined) throw new Error('there is a result');
  const { log, gasWanted, gasUsed } = result;
  return { log, gasWanted, gasUsed };
}

/** The transaction with another body. */
function bodied(bytes: Uint8Array, change: (body: TxBody) => void): Uint8Array {
  const raw = fromBinary(TxRawSchema, bytes);
  const changed = fromBinary(TxBodySchema, raw.bodyBytes);
  change(changed);
  return encode(TxRawSchema, { ...raw, bodyBytes: toBinary(TxBodySchema, changed) });
}

const send = (): Uint8Array =>
  signed(0, 0n, MsgSendSchema, {
    fromAddress: account(0).address,
    toAddress: account(1).address,
    amount: [{ denom: 'achr', amount: '1' }],
  });

describe('gas of a refused transaction in a block of evmd', () => {
  it('has no limit and no use when the rules of Ethereum transactions refuse it', async () => {
    const { log, ...gas } = resultOf(evmdChain(), await tx(1, { nonce: 5, to: `0x${'11'.repeat(20)}` }));
    expect(log).toBe('tx nonce: 5, account accountNonce: 0: tx nonce is higher than account nonce');
    expect(gas).toEqual({ gasWanted: -1n, gasUsed: 0n });
  });

  it('counts the reads before the rules when the message alone is wrong', async () => {
    const dev = evmdChain();
    const gasUsed = readsOf(dev, CONTEXT_READS);
    expect(resultOf(dev, await tx(1, { nonce: 0, to: `0x${'11'.repeat(20)}`, gas: 20_999n }))).toEqual({
      log: 'intrinsic gas too low: gas 20999, minimum needed 21000',
      gasWanted: 0n,
      gasUsed,
    });
  });

  it("counts the reads of Ethereum's ante rules when the wrapper has a wrong shape", async () => {
    const dev = evmdChain();
    const bytes = bodied(await tx(1, { nonce: 0, to: `0x${'11'.repeat(20)}` }), (one) => (one.memo = 'x'));
    const result = resultOf(dev, bytes);
    expect(result).toMatchObject({ gasWanted: -1n, gasUsed: readsOf(dev, ETHEREUM_READS) });
  });

  it('counts the reads of the ante rules for an Ethereum message without its option', async () => {
    const dev = evmdChain();
    const bytes = bodied(await tx(1, { nonce: 0, to: `0x${'11'.repeat(20)}` }), (one) => (one.extensionOptions = []));
    const result = resultOf(dev, bytes);
    const gasUsed = readsOf(dev, ANTE_READS);
    expect(result).toMatchObject({
      log: expect.stringContaining('MsgEthereumTx needs to be contained'),
      gasWanted: -1n,
      gasUsed,
    });
  });

  it('counts the same reads when such a message has a gas limit above that of a block', async () => {
    const dev = evmdChain();
    const gas = 2n ** 63n - 1n;
    const bytes = bodied(
      await tx(1, { nonce: 0, to: `0x${'11'.repeat(20)}`, gas }),
      (one) => (one.extensionOptions = []),
    );
    const result = resultOf(dev, bytes);
    expect(result).toMatchObject({
      log: expect.stringContaining('MsgEthereumTx needs to be contained'),
      gasWanted: -1n,
      gasUsed: readsOf(dev, ANTE_READS),
    });
  });

  it('counts the reads of the context for an unknown first option, which is checked before all else', async () => {
    const dev = evmdChain();
    const option = create(AnySchema, { typeUrl: '/cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx' });
    const gasUsed = readsOf(dev, CONTEXT_READS);
    for (const bytes of [send(), await tx(1, { nonce: 0, to: `0x${'11'.repeat(20)}` })])
      expect(
        resultOf(
          evmdChain(),
          bodied(bytes, (one) => (one.extensionOptions = [option])),
        ),
      ).toEqual({
        log: 'rejecting tx with unsupported extension option: /cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx: unknown extension options',
        gasWanted: -1n,
        gasUsed,
      });
  });

  it('is 0, without a reason, for bytes that are no transaction', () => {
    expect(resultOf(evmdChain(), Uint8Array.of(1, 2, 3))).toEqual({
      log: 'tx parse error',
      gasWanted: 0n,
      gasUsed: 0n,
    });
  });
});

describe('a chain without a base fee, by the rules of evmd', () => {
  const withoutBaseFee = (dev: DevChain): DevChain => {
    const state = new CacheStore(dev.state);
    state.set('feemarket', utf8('Params'), toBinary(ParamsSchema, toMessage({ ...DEFAULT_PARAMS, noBaseFee: true })));
    dev.state = state;
    return dev;
  };
  const cheap = (): Uint8Array =>
    signed(
      0,
      0n,
      MsgSendSchema,
      { fromAddress: account(0).address, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] },
      { fee: 1n },
    );

  it('requires the base fee of the parameters from Cosmos transactions', () => {
    expect(resultOf(withoutBaseFee(evmdChain()), cheap()).log).toContain('gas prices too low');
    expect(resultOf(withoutBaseFee(ethereumChain()), cheap()).log).toBe('');
  });

  it('reports a base fee of 0 at the start of each block', () => {
    const block = withoutBaseFee(evmdChain()).block();
    if (block.kind !== 'executed') throw new Error(block.kind);
    const event = block.results.events.find(({ type }) => type === 'evm_fee_market');
    expect(event?.attributes).toMatchObject([{ key: 'base_fee', value: '0' }, {}]);
  });
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9404
it('MsgMultiSend creates the accounts of receivers before coins move, as in the SDK', () => {
  const gasOf = (address: string): bigint => {
    const coins = [{ denom: 'achr', amount: String(10n ** 40n) }];
    const value = { inputs: [{ address: account(0).address, coins }], outputs: [{ address, coins }] };
    const { log, gasUsed } = resultOf(ethereumChain(), signed(0, 0n, MsgMultiSendSchema, value));
    expect(log).toContain('insufficient funds');
    return gasUsed;
  };
  // the writes of the account number, the account, and its index
  expect(gasOf(encodeAddress('chron', new Uint8Array(20).fill(7))) - gasOf(account(1).address)).toBeGreaterThan(
    3n * 2000n,
  );
});
