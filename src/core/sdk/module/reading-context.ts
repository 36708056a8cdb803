/** Contexts for reading a state outside of blocks and transactions. */
import type { QueryContext } from '../../application-requests.js';
import { EMPTY } from '../../bytes/bytes.js';
import type { Crypto } from '../../ports/crypto.js';
import { CacheStore } from '../../state/overlay.js';
import type { StateReader } from '../../state/state.js';
import type { AppVersion } from './app-version.js';
import { BlockScope } from './block-scope.js';
import type { ChainConfig } from './chain-config.js';
import type { Context } from './context.js';
import { GasMeter } from './gas.js';
import { MessageRouter } from './message-router.js';

export interface ReadingOptions {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly crypto: Crypto;
  /** Block of the state. */
  readonly at: QueryContext;
}

/** Creates a context without gas metering and EVM; its writes do not reach the state. */
export function readingContext(state: StateReader, { version, chain, crypto, at }: ReadingOptions): Context {
  return {
    ...at,
    store: new CacheStore(state),
    gas: new GasMeter(undefined),
    events: [],
    mode: 'query',
    version,
    chain,
    crypto,
    router: new MessageRouter(version),
    block: BlockScope.none(),
    evm: undefined,
    txBytes: EMPTY,
  };
}
