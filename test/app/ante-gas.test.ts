import { toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../src/core/app/bytes.js';
import { chronicle } from '../../src/core/app/presets.js';
import { DEFAULT_PARAMS, toMessage } from '../../src/core/modules/feemarket/params.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ParamsSchema } from '../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { account, DevChain, signed } from './dev-chain.js';
import { stateOf } from './support.js';

const send = (memo = ''): Uint8Array => signed(
  0, 0n, MsgSendSchema, { fromAddress: account(0).address, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] }, { memo },
);

function gasOf(dev: DevChain, tx: Uint8Array): bigint {
  const simulated = dev.app.simulate(dev.state, dev.at(), tx);
  if (!simulated.ok) throw new Error(simulated.log);
  return simulated.gasUsed;
}

describe('gas of the ante chain', () => {
  it('the parameters are read once more for a memo, not for an empty one', () => {
    const dev = new DevChain();
    const [plain, withMemo] = [send(), send('memo')];
    const params = dev.state.get('acc', Uint8Array.of(0))?.length ?? 0;
    expect(gasOf(dev, withMemo) - gasOf(dev, plain)).toBe(BigInt(10 * (withMemo.length - plain.length) + 1000 + 3 * (1 + params)));
  });

  it('of evmd counts the gas wanted at the price of a transient store, while base fees are on', () => {
    const version = { ...chronicle, quirks: { ...chronicle.quirks, transientGasWanted: true } };
    const [ours, theirs] = [new DevChain(), new DevChain()];
    theirs.build({ version });
    expect(gasOf(theirs, send()) - gasOf(ours, send())).toBe(327n);
    const withoutBaseFee = { store: 'feemarket', key: utf8('Params'), value: toBinary(ParamsSchema, toMessage({ ...DEFAULT_PARAMS, noBaseFee: true })) };
    theirs.state = stateOf([...theirs.genesisWrites, withoutBaseFee]);
    expect(gasOf(theirs, send()) - gasOf(ours, send())).toBe(0n);
  });
});
