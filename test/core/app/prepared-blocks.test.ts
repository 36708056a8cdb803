/**
 * PrepareProposal executes transactions to see which fit by gas used; FinalizeBlock may reuse that execution.
 */
import { describe, expect, it } from 'vitest';
import type {
  FinalizeBlockRequest,
  FinalizeBlockResult,
  ProposedTransaction,
} from '../../../src/core/application-requests.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { codeHashKey, STORE as EVM } from '../../../src/core/modules/evm/store.js';
import { HISTORY_ADDRESS } from '../../../src/core/modules/evm/state.js';
import { account, type DevChain, signed } from './dev-chain.js';
import { ethereumChain, signer, tx } from './ethereum-chain.js';
import { stateOf } from './support.js';

const HASH = new Uint8Array(32).fill(0xab);
const LARGE = 10_000_000n;
/** Logs its sender and stores the number of the block. */
const CODE = '0x43600155336000526020600060a0' as const;

/** A chain whose history contract is installed, so that each block stores its hash. */
function chainWithHistory(): DevChain {
  const dev = ethereumChain();
  dev.state = stateOf(
    [{ store: EVM, key: codeHashKey(HISTORY_ADDRESS), value: new Uint8Array(32).fill(5) }],
    dev.state,
  );
  dev.block();
  return dev;
}

type Proposed = Omit<ProposedTransaction, 'verified'>;

async function transactions(): Promise<readonly Proposed[]> {
  const to = signer(3).address;
  const ethereum = async (from: number, nonce: number, gas: bigint, fields: object = {}) => ({
    tx: await tx(from, { nonce, to, gas, ...fields }),
    gasLimit: gas,
    accounts: [from],
  });
  const send = {
    fromAddress: account(2).address,
    toAddress: account(3).address,
    amount: [{ denom: 'achr', amount: '1' }],
  };
  return [
    await ethereum(0, 0, LARGE),
    await ethereum(0, 1, LARGE, { to: undefined, data: CODE }),
    { tx: signed(2, 0n, MsgSendSchema, send), gasLimit: 300_000n, accounts: [2] },
    // Its value is more than the sender has left.
    await ethereum(1, 0, LARGE, { value: 10n ** 30n }),
    await ethereum(1, 0, LARGE, { to: undefined, data: '0xfe' }),
    await ethereum(0, 2, LARGE),
    await ethereum(0, 3, LARGE),
    await ethereum(0, 4, 20_000_001n),
    await ethereum(0, 5, 21_000n),
    await ethereum(1, 1, LARGE),
    await ethereum(4, 0, 20_000_001n),
    await ethereum(5, 0, 21_000n),
  ];
}

function executed(result: FinalizeBlockResult | undefined) {
  if (result?.kind !== 'executed') throw new Error('the block was not executed');
  return { results: result.results.bytes, writes: result.writes, upgradeHeight: result.upgradeHeight };
}

function prepare(dev: DevChain, txs: readonly Proposed[]) {
  return dev.app.prepareProposal(dev.state, {
    ...dev.next([]),
    txs: txs.map((one) => ({ ...one, verified: false })),
  });
}

describe('a proposal that is executed by PrepareProposal', () => {
  const block = (dev: DevChain, txs: readonly Uint8Array[]): FinalizeBlockRequest => ({ ...dev.next(txs), hash: HASH });

  it('takes transactions by gas used, and its execution equals that of FinalizeBlock byte for byte', async () => {
    const txs = await transactions();
    const [proposer, other] = [chainWithHistory(), chainWithHistory()];
    const prepared = prepare(proposer, txs);
    // Transactions count by the gas that they used. A transaction whose gas limit exceeds two thirds of a block does
    // not fit behind others: it waits, with the later nonces of its sender. Other senders' transactions still fit.
    const places = [0, 1, 2, 3, 4, 5, 6, 9, 11];
    expect(prepared).toEqual({ kind: 'prepared', taken: places });
    const own = executed(proposer.app.finalizePrepared(toHeight(2n), HASH));
    const taken = places.map((place) => txs[place]?.tx ?? new Uint8Array());
    expect(own).toEqual(executed(other.app.finalizeBlock(other.state, block(other, taken))));
    expect(proposer.app.finalizePrepared(toHeight(2n), HASH)).toBeUndefined();
  });

  it('is discarded when another block is decided or the state is reset', async () => {
    const txs = await transactions();
    const [proposer, other] = [chainWithHistory(), chainWithHistory()];
    prepare(proposer, txs);
    const instead = [txs[8]?.tx ?? new Uint8Array(), txs[0]?.tx ?? new Uint8Array()];
    const own = proposer.execute(block(proposer, instead));
    expect(executed(own)).toEqual(executed(other.execute(block(other, instead))));
    expect(proposer.app.finalizePrepared(toHeight(2n), HASH)).toBeUndefined();
    prepare(proposer, txs);
    proposer.app.forgetState();
    expect(proposer.app.finalizePrepared(toHeight(3n), HASH)).toBeUndefined();
    expect(executed(proposer.execute(block(proposer, [])))).toEqual(executed(other.execute(block(other, []))));
  });
});
