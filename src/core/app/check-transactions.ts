import type { Application, CheckState } from '../application.js';
import type { QueryContext } from '../application-requests.js';
import { fromHex } from '../bytes/hex.js';
import { invariant } from '../errors.js';
import { toHeight } from '../primitives.js';
import { contentOf } from '../ethereum/content.js';
import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import { CacheStore } from '../state/overlay.js';
import { maxBlockGas, type Assembly } from './assembly.js';
import type { ChainAssemblies } from './chain-assemblies.js';
import { int64 } from './results.js';
import { runTx } from './run-tx.js';

/** The application's methods for the mempool. */
export function mempoolChecks(
  stages: ChainAssemblies,
): Pick<Application, 'checkTx' | 'checkQueued' | 'recheck' | 'nextNonce' | 'createCheckState'> {
  const { crypto, keepers } = stages.first;
  const contextOf = ({ assembly, context, store }: AppCheckState) => assembly.contexts.of(context, store, 'check');

  const checkTx = (checkState: CheckState, tx: Uint8Array, verified: boolean): ResponseCheckTx => {
    const { assembly, context, blockMaxGas, store } = own(checkState);
    const { contexts, router } = assembly;
    const outcome = runTx(
      { shared: contexts.shared(context), router, mode: 'check', blockMaxGas, verified },
      store,
      tx,
    );
    const { code, codespace, log, data, gasWanted, gasUsed } = outcome;
    // A literal: `create` takes 20 times as long.
    return {
      $typeName: 'tendermint.abci.ResponseCheckTx',
      code,
      codespace,
      log,
      info: '',
      data,
      gasWanted: int64(gasWanted),
      gasUsed,
      events: [],
    };
  };

  return {
    checkTx,

    checkQueued(checkState, tx, sender, verified = false, replaced) {
      const { assembly, store, context: at, blockMaxGas } = own(checkState);
      const branch = new AppCheckState(assembly, store.branch(), at, blockMaxGas);
      const context = contextOf(branch);
      const address = fromHex(sender.address);
      keepers.accounts?.setSequence(context, address, sender.nonce);
      const old = replaced === undefined ? undefined : contentOf(crypto, replaced);
      if (old !== undefined) keepers.evm?.restoreSpent(context, address, old.transaction);
      return checkTx(branch, tx, verified);
    },

    recheck(checkState, sender, txs) {
      const context = contextOf(own(checkState));
      const transactions = txs.map((tx) => {
        const content = contentOf(crypto, tx);
        invariant(content !== undefined, 'a waiting Ethereum transaction was decoded before');
        return content.transaction;
      });
      return keepers.evm?.recheck(context, fromHex(sender), transactions) ?? txs.map(() => false);
    },

    nextNonce: (checkState, address) => keepers.accounts?.sequence(contextOf(own(checkState)), fromHex(address)) ?? 0n,

    createCheckState(state, at) {
      const assembly = stages.over(state);
      const store = new CacheStore(state);
      // Height 0 is for genesis transactions, whose account number is 0 and which need no fee; mempool checks use
      // height 1.
      const context = at.height === 0n ? { ...at, height: toHeight(1n) } : at;
      const checkState = new AppCheckState(assembly, store, context, maxBlockGas(assembly, store));
      keepers.evm?.assumeBaseFeeOf(contextOf(checkState), at.height + 1n);
      return checkState;
    },
  };
}

/** State after the last block, with the effects of transactions admitted since. */
class AppCheckState implements CheckState {
  readonly kind = 'check-state';
  constructor(
    readonly assembly: Assembly,
    readonly store: CacheStore,
    readonly context: QueryContext,
    readonly blockMaxGas: bigint | undefined,
  ) {}
}

function own(checkState: CheckState): AppCheckState {
  invariant(checkState instanceof AppCheckState, 'a check state of this application');
  return checkState;
}
