import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { countGasWanted } from '../../../../src/core/peers/evmd/feemarket.js';
import { DEFAULT_PARAMS, toMessage } from '../../../../src/core/modules/feemarket/params.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { ExecTxResultSchema, ResponseCheckTxSchema } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { account, DevChain, signed } from '../../app/dev-chain.js';
import { ethereumChain, signer, tx } from '../../app/ethereum-chain.js';
import { stateOf } from '../../app/support.js';

const send = (memo = ''): Uint8Array =>
  signed(
    0,
    0n,
    MsgSendSchema,
    { fromAddress: account(0).address, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] },
    { memo },
  );

/** A transaction with another gas limit. */
const wanting = (gas: bigint): Uint8Array =>
  signed(
    0,
    0n,
    MsgSendSchema,
    { fromAddress: account(0).address, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] },
    { gas, fee: 1n },
  );

function gasOf(dev: DevChain, tx: Uint8Array): bigint {
  const simulated = dev.app.simulate(dev.state, dev.at(), tx);
  if (!simulated.ok) throw new Error(simulated.log);
  return simulated.gasUsed;
}

describe('gas of the ante chain', () => {
  it('includes one more read of the parameters for a memo that is not empty', () => {
    const dev = new DevChain();
    const [plain, withMemo] = [send(), send('memo')];
    const params = dev.state.get('acc', Uint8Array.of(0))?.length ?? 0;
    expect(gasOf(dev, withMemo) - gasOf(dev, plain)).toBe(
      BigInt(10 * (withMemo.length - plain.length) + 1000 + 3 * (1 + params)),
    );
  });

  it('includes in evmd the gas wanted, counted in a transient store, while base fees are enabled', () => {
    const version = { ...chronicle, ante: [...chronicle.ante.slice(0, -1), countGasWanted] };
    const [ours, theirs] = [new DevChain(), new DevChain()];
    theirs.build({ version });
    expect(gasOf(theirs, send()) - gasOf(ours, send())).toBe(327n);
    const withoutBaseFee = {
      store: 'feemarket',
      key: utf8('Params'),
      value: toBinary(ParamsSchema, toMessage({ ...DEFAULT_PARAMS, noBaseFee: true })),
    };
    theirs.state = stateOf([...theirs.genesisWrites, withoutBaseFee]);
    expect(gasOf(theirs, send()) - gasOf(ours, send())).toBe(0n);
  });
});

describe('a gas limit beyond 63 bits', () => {
  const most = (1n << 63n) - 1n;
  /** A chain whose blocks have no gas limit, and whose gas has no price. */
  const unlimited = (): DevChain => {
    const dev = ethereumChain();
    const params = create(ConsensusParamsSchema, { block: { maxBytes: 1_000_000n, maxGas: -1n } });
    const state = new CacheStore(dev.state);
    state.set('consensus', utf8('Consensus'), toBinary(ConsensusParamsSchema, params));
    state.set('feemarket', utf8('Params'), toBinary(ParamsSchema, toMessage({ ...DEFAULT_PARAMS, noBaseFee: true })));
    dev.state = state;
    return dev;
  };
  const checked = (dev: DevChain, bytes: Uint8Array) => {
    const result = dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes);
    // the form in which it is stored and sent
    return fromBinary(ResponseCheckTxSchema, toBinary(ResponseCheckTxSchema, result));
  };

  it('is refused in both kinds of transactions, as the SDK does', async () => {
    const dev = unlimited();
    const free = { nonce: 0, to: signer(1).address, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    expect(checked(dev, await tx(0, { ...free, gas: most }))).toMatchObject({ code: 0, gasWanted: most });
    expect(checked(dev, await tx(0, { ...free, gas: most + 1n }))).toMatchObject({
      code: 18,
      log: `tx basic validation failed: invalid gas supplied; ${most + 1n} > ${most}: invalid request`,
    });
    expect(checked(dev, wanting(most))).toMatchObject({ code: 0, gasWanted: most });
    expect(checked(dev, wanting(most + 1n))).toMatchObject({
      code: 18,
      log: `invalid gas supplied; ${most + 1n} > ${most}: invalid request`,
    });
  });

  it('is reported as a signed integer, as Go converts it, so that the refusal can be stored', async () => {
    const dev = unlimited();
    const over = wanting((1n << 64n) - 1n);
    expect(checked(dev, over).gasWanted).toBe(-1n);
    const result = dev.block(
      over,
      await tx(0, { nonce: 0, to: signer(1).address, gas: 1n << 63n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }),
    );
    if (result.kind !== 'executed') throw new Error(result.reason);
    expect(
      result.results.txResults.map(
        (one) => fromBinary(ExecTxResultSchema, toBinary(ExecTxResultSchema, one)).gasWanted,
      ),
    ).toEqual([-1n, -most - 1n]);
  });
});
