import type { Verified } from '../../actors/mempool/admission.js';
import { createMempoolActor, type MempoolActor } from '../../actors/mempool/mempool.js';
import type { Application, CheckState } from '../../core/application.js';
import { txHash } from '../../core/comet/body-hash.js';
import { upperHex } from '../../core/bytes/hex.js';
import type { Limits } from '../../core/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';
import type { StateReader } from '../../core/state/state.js';
import type { EventLog } from '../../store/event-log.js';
import { forgetPending, pendingRow } from '../../store/pending/pending.js';
import type { Ledger } from '../chain/ledger.js';
import { createGasPrices, type GasPrices } from '../ethereum/gas-prices.js';

export interface AdmissionOptions {
  readonly application: Application;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly crypto: Crypto;
  readonly limits: Limits;
  /** The state after the head. */
  readonly latest: StateReader;
  readonly initialHeight: Height;
  readonly minGasPrice: bigint;
  /** Transactions wait for a block. */
  readonly onAvailable: () => void;
}

/** The way of a transaction into the pool: checked against the state after the head, recorded, shown. */
export interface Admission {
  readonly mempool: MempoolActor;
  readonly prices: GasPrices;
  /** A state of its own to check against, as it is after the head. */
  readonly checkState: () => CheckState;
  /** The head is another one: what was checked is checked again against its state. */
  forgetState(): void;
}

export function composeAdmission({
  application,
  ledger,
  log,
  crypto,
  limits,
  latest,
  initialHeight,
  minGasPrice,
  onAvailable,
}: AdmissionOptions): Admission {
  const checkState = (): CheckState => {
    const { chainId, height, time } = ledger.state;
    return application.createCheckState(latest, { chainId, height, time });
  };
  /** Made by the first admission after a block. */
  let current: CheckState | undefined;
  const forgetState = (): void => {
    current = undefined;
  };
  const prices = createGasPrices(application, latest, ledger, minGasPrice);
  // Until the first block a signature names account number 0; what passed then must be verified again.
  const isVerified = (verified: Verified): boolean =>
    verified === 'sender' || (verified === 'again' && ledger.state.height > initialHeight);
  const mempool = createMempoolActor({
    limits,
    hashOf: (tx) => upperHex(txHash(crypto, tx)),
    checks: {
      describe: (tx) => application.describe(tx),
      checkTx: (tx, verified) => application.checkTx((current ??= checkState()), tx, isVerified(verified)),
      checkQueued: (tx, sender, verified, replaced) =>
        application.checkQueued((current ??= checkState()), tx, sender, isVerified(verified), replaced),
      recheck: (sender, txs) => application.recheck((current ??= checkState()), sender, txs),
      nextNonce: (address) => application.nextNonce((current ??= checkState()), address),
      reset: forgetState,
    },
    baseFee: prices.nextBaseFee,
    record: async (admitted, left) => {
      const { tx } = admitted;
      await log.append([{ event: { type: 'TxAdmitted', v: 1, data: { tx } } }], (first) => [
        pendingRow(txHash(crypto, tx), tx, first),
        ...left.map((gone) => forgetPending(txHash(crypto, gone.tx))),
      ]);
    },
    onAvailable,
  });
  return { mempool, prices, checkState, forgetState };
}
