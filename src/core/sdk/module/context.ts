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

/** Purpose of an execution; `block` and `query` are outside of transactions. */
export type Mode = 'check' | 'simulate' | 'deliver' | 'block' | 'query' | 'genesis';

/** A module's context: a store that meters gas within transactions, and the facts of the block. */
export interface Context {
  readonly store: StateStore;
  readonly gas: GasMeter;
  /** Events so far, in order; handlers append to them. */
  readonly events: Event[];
  readonly mode: Mode;
  readonly chainId: string;
  readonly height: Height;
  readonly time: TimeNs;
  readonly chain: ChainConfig;
  readonly version: VersionFacts;
  readonly crypto: Crypto;
  /** Messages of this application, for modules that execute messages of other modules. */
  readonly router: ApplicationMessages;
  /** Data besides the state that the transactions of the current block share. */
  readonly block: BlockScope;
  /** The EVM, if the host provides one. */
  readonly evm: EngineHost | undefined;
  /** Bytes of the current transaction; empty outside of transactions. */
  readonly txBytes: Uint8Array;
  /** Highest gas limit of a transaction, set during its ante rules; undefined when blocks have no gas limit. */
  readonly blockMaxGas?: bigint | undefined;
}

/** Facts for stateless message validation: chain names, application version, hashes and signatures. */
export type ValidationRules = Pick<Context, 'chain' | 'version' | 'crypto'>;

/** Handler of one message type: signers, validation and execution. */
export interface MessageHandler {
  readonly typeUrl: string;
  readonly responseTypeUrl: string;
  /**
   * Signers in the message's own text, in order (option `cosmos.msg.v1.signer`). Throws SdkError for malformed bytes.
   * The prefix is for messages that contain addresses as bytes.
   */
  signers(value: Uint8Array, bech32Prefix: string): readonly string[];
  /**
   * Stateless validation (SDK `HasValidateBasic`), which runs before a transaction's ante rules and for messages of a
   * new proposal. `handle` runs it first. Throws SdkError.
   */
  readonly validate?: (value: Uint8Array, rules: ValidationRules) => void;
  /** Executes the message on `context.store` and returns the encoded response. Throws SdkError on failure. */
  handle(context: Context, value: Uint8Array): Uint8Array;
  /**
   * Executes like `handle`, with a decoded message and response. Absent for a handler that reads its message from
   * bytes.
   */
  readonly execute?: (context: Context, sent: Message) => Message;
}

/** Messages of an application version; `MessageRouter` implements it. */
export interface ApplicationMessages {
  readonly version: VersionFacts;
  /** Types that an `Any` of a transaction may contain. */
  readonly types: Registry;
  readonly typeUrlAliases: VersionFacts['typeUrlAliases'];
  /** Handler of a message type; throws SDK error 2 when the application does not know it. */
  find(typeUrl: string): MessageHandler;
  /** True when the application executes messages of this type. */
  knows(typeUrl: string): boolean;
}

/**
 * Returns the context with another store. Copies field by field, because a spread of so many fields takes as long as
 * a small message.
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
