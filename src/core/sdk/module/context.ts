import type { Message, Registry } from '@bufbuild/protobuf';
import type { Crypto } from '../../ports/crypto.js';
import type { Height, TimeNs } from '../../primitives.js';
import type { Event } from '../../proto/tendermint/abci/types_pb.js';
import type { StateStore } from '../../state/state.js';
import type { BlockScope } from './block-scope.js';
import type { ChainConfig } from './chain-config.js';
import type { EngineHost } from './engine-host.js';
import type { GasMeter } from './gas.js';
import type { VersionFacts } from './version-facts.js';

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
  readonly version: VersionFacts;
  readonly crypto: Crypto;
  /** The messages of this application, for modules that execute those of others. */
  readonly router: ApplicationMessages;
  /** Data that the transactions of the running block share besides the state. */
  readonly block: BlockScope;
  /** The EVM, where the host supplies one. */
  readonly evm: EngineHost | undefined;
  /** Bytes of the running transaction; empty outside of one. */
  readonly txBytes: Uint8Array;
  /** Highest gas limit of a transaction, while its ante rules run; undefined without a limit of the block. */
  readonly blockMaxGas?: bigint | undefined;
}

/** Facts for a check of a message alone: the chain's names, the preset, and hashes and signatures. */
export type ValidationRules = Pick<Context, 'chain' | 'version' | 'crypto'>;

/** One message type: its signers and its execution. */
export interface MessageHandler {
  readonly typeUrl: string;
  readonly responseTypeUrl: string;
  /**
   * Signers as written in the message, in order; the SDK's `cosmos.msg.v1.signer` option. Throws SdkError for
   * undecodable bytes. The prefix is for messages that hold bytes instead of text.
   */
  signers(value: Uint8Array, bech32Prefix: string): readonly string[];
  /**
   * Checks of the message alone, without state (SDK `HasValidateBasic`): before the ante rules of a transaction, and of
   * a message in a new proposal. `handle` begins with them. Throws SdkError.
   */
  readonly validate?: (value: Uint8Array, rules: ValidationRules) => void;
  /** Executes over `context.store` and returns the encoded response. Throws SdkError to fail. */
  handle(context: Context, value: Uint8Array): Uint8Array;
  /**
   * Handles as `handle` does, for a caller that has the message of the type itself and takes the response itself. A
   * handler that reads its message from bytes has none.
   */
  readonly execute?: (context: Context, sent: Message) => Message;
}

/** The messages of one application; `MessageRouter` makes them from an application version. */
export interface ApplicationMessages {
  readonly version: VersionFacts;
  /** Types that an `Any` of a transaction may hold. */
  readonly types: Registry;
  readonly typeUrlAliases: VersionFacts['typeUrlAliases'];
  /** Handler of a message; throws SDK error 2 when this application has no such message. */
  find(typeUrl: string): MessageHandler;
  /** True when this application executes messages of the type. */
  knows(typeUrl: string): boolean;
}

/**
 * Returns the view over another store. It copies field by field: a spread of as many fields takes as long as a small
 * message.
 */
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
