import type { Crypto } from '../../ports/crypto.js';
import type { Height, TimeNs } from '../../primitives.js';
import type { Event } from '../../proto/tendermint/abci/types_pb.js';
import type { StateStore } from '../../state/state.js';
import type { AppVersion } from './app-version.js';
import type { BlockScope } from './block-scope.js';
import type { ChainConfig } from './chain-config.js';
import type { EngineHost } from './engine-host.js';
import type { GasMeter } from './gas.js';
import type { MessageRouter } from './message-router.js';

/** The purpose of an execution; `block` and `query` are outside of transactions. */
export type Mode = 'check' | 'simulate' | 'deliver' | 'block' | 'query' | 'genesis';

/** The view of a module: a store that meters gas inside of transactions, and the facts of the block. */
export interface Context {
  readonly store: StateStore;
  readonly gas: GasMeter;
  /** Events so far, in order; handlers append. */
  readonly events: Event[];
  readonly mode: Mode;
  readonly chainId: string;
  readonly height: Height;
  readonly time: TimeNs;
  readonly chain: ChainConfig;
  readonly version: AppVersion;
  readonly crypto: Crypto;
  /** The messages of this application, for modules that execute those of others. */
  readonly router: MessageRouter;
  /** Data that the transactions of the running block share besides the state. */
  readonly block: BlockScope;
  /** The EVM, where the host supplies one. */
  readonly evm: EngineHost | undefined;
  /** Bytes of the running transaction; empty outside of one. */
  readonly txBytes: Uint8Array;
  /** Highest gas limit of a transaction, while its ante rules run; undefined without a limit of the block. */
  readonly blockMaxGas?: bigint | undefined;
}

/** The same view over another store. Field by field: a spread of as many fields takes as long as a small message. */
export function withStore(
  context: Context,
  store: StateStore,
  events: Event[] = context.events,
  gas: GasMeter = context.gas,
): Context {
  return {
    store,
    gas,
    events,
    mode: context.mode,
    chainId: context.chainId,
    height: context.height,
    time: context.time,
    chain: context.chain,
    version: context.version,
    crypto: context.crypto,
    router: context.router,
    block: context.block,
    evm: context.evm,
    txBytes: context.txBytes,
  };
}
