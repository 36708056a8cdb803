import type { Any } from '@bufbuild/protobuf/wkt';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import { CacheStore } from '../state/overlay.js';
import type { StateStore } from '../state/state.js';
import { UnmeteredRefusal, type ShownGas } from '../sdk/module/ante.js';
import { abciEvent, attribute, withAttribute } from '../sdk/module/abci-event.js';
import { encodeAddress, parseAddress } from '../sdk/codec/address.js';
import { EMPTY } from '../bytes/bytes.js';
import { MessageWriter } from '../bytes/message-writer.js';
import type { Context, Mode } from '../sdk/module/context.js';
import { GasMeter, MeteredStore, OutOfGas } from '../sdk/module/gas.js';
import { DEFAULT_LIMITS } from '../limits/limits.js';
import { exceededTxLimit, type TxLimit } from '../sdk/codec/message-parts.js';
import { versionOf, moduleOf, type MessageRouter } from '../sdk/module/message-router.js';
import { isReturned } from '../sdk/module/returned-error.js';
import { invalidRequest, SdkError, sdkErrors, wrapped } from '../sdk/module/sdk-error.js';
import { transactionRules } from '../sdk/module/transaction-rules.js';
import { readTx, type Tx } from '../sdk/module/tx.js';

/**
 * Result of a transaction. `events` of a failed one are those of its ante rules when they passed (the fee was taken).
 */
export interface TxOutcome {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly Event[];
  readonly msgResponses: readonly Any[];
}

export interface TxEnvironment {
  readonly shared: Omit<Context, 'store' | 'gas' | 'events' | 'mode'>;
  readonly router: MessageRouter;
  readonly mode: Extract<Mode, 'check' | 'simulate' | 'deliver'>;
  /** Highest gas limit of one transaction; undefined without a block limit. */
  readonly blockMaxGas: bigint | undefined;
  /** Gas left in the block, in delivery. */
  readonly blockGas?: GasMeter;
  /** Signatures of this transaction were verified before. */
  readonly verified?: boolean;
  /** The transaction stands in a proposal: limits of this node alone do not count. */
  readonly isProposed?: boolean;
}

/**
 * Runs one transaction over `state` as runTx of the SDK's `baseapp`: the ante rules in a cache of their own, then the
 * messages in another, so that fee and sequence stay when a message fails. Input never makes it throw.
 */
export function runTx(environment: TxEnvironment, state: StateStore, bytes: Uint8Array): TxOutcome {
  let tx: Tx;
  let isDecoded = false;
  try {
    // The limits of fields and messages bind admission and simulation, never delivery: nodes may have different limits.
    if (environment.mode !== 'deliver' && environment.verified !== true && environment.isProposed !== true)
      refuseLarge(bytes);
    tx = readTx(bytes, environment.router, environment.shared.chain.bech32Prefix);
    isDecoded = true;
    // a block has its result for bytes that are no transaction also where it is full (`baseapp/abci.go`)
    if (environment.blockGas?.isOutOfGas === true)
      return failed(new SdkError(sdkErrors.outOfGas, 'no block gas left to run tx'), 0n, 0n, []);
    if (tx.handlers.length === 0) throw invalidRequest('must contain at least one message');
    for (const { handler, value } of tx.handlers) handler.validate?.(value, environment.shared);
  } catch (error) {
    return refusedEarly(environment, state, requireSdkError(error), isDecoded);
  }

  const gasLimit = tx.authInfo.fee?.gasLimit ?? 0n;
  const kind = environment.router.kindOf(tx);
  const runsEvm = kind?.runsEvm ?? false;
  const isFree = kind?.isFree ?? false;
  const isUnmetered = runsEvm || isFree;
  // Genesis transactions run before the first block and are not metered (SDK `x/auth/ante/setup.go`).
  const isGenesis = environment.mode === 'deliver' && environment.shared.height === 0n;
  const gas = new GasMeter(environment.mode === 'simulate' || isUnmetered || isGenesis ? undefined : gasLimit);
  const { block, evm } = environment.shared;
  let tally = block.tally;
  const anteEvents: Event[] = [];
  let antePassed = false;
  try {
    const ante = new CacheStore(state);
    const anteContext = contextOf(environment, ante, gas, anteEvents, bytes, isUnmetered);
    for (const rule of kind === undefined ? versionOf(anteContext).ante : [kind.ante])
      rule(anteContext, tx, environment.verified ?? false);
    // the engine knows its own writes; all others are reported to it
    if (evm === undefined) ante.commitTo(state);
    else evm.commit(ante, state);
    tally = block.tally;
    antePassed = true;
    if (environment.mode === 'check') return succeeded(EMPTY, gasLimit, gas.consumed, [], []);

    const messages = new CacheStore(state);
    const { events, msgResponses } = runMessages(tx, (emitted) =>
      contextOf(environment, messages, gas, emitted, bytes, isUnmetered),
    );
    environment.blockGas?.consume(gas.consumedToLimit, 'block gas meter');
    if (evm === undefined || runsEvm) messages.commitTo(state);
    else evm.commit(messages, state);
    const data = encodeResponses(msgResponses);
    return succeeded(data, gasLimit, gas.consumed, anteEvents.concat(events), msgResponses);
  } catch (error) {
    const failure = requireSdkError(error);
    block.tally = tally;
    if (failure instanceof UnmeteredRefusal) return refusedUnmetered(environment, state, failure, failure.shown);
    if (runsEvm && antePassed) evm?.clear();
    return failed(
      withGas(spendBlockGas(environment.blockGas, gas, failure), gasLimit, gas.consumed),
      gasLimit,
      gas.consumed,
      antePassed ? anteEvents : [],
    );
  }
}

const LIMITED: Readonly<Record<TxLimit, string>> = {
  messageParts: 'fields',
  txMessages: 'messages',
  commitSignatures: 'signatures of blocks',
};

/** Throws SDK error 21 for a transaction with more of something than this node checks. */
function refuseLarge(bytes: Uint8Array): void {
  const exceeded = exceededTxLimit(bytes);
  if (exceeded === undefined) return;
  const what = LIMITED[exceeded];
  throw new SdkError(sdkErrors.txTooLarge, `more than ${DEFAULT_LIMITS[exceeded]} ${what} (limit ${exceeded})`);
}

const writer = new MessageWriter();

/** The bytes of `TxMsgData` (SDK `types/abci.proto`) with these responses. */
function encodeResponses(responses: readonly Any[]): Uint8Array {
  for (const { typeUrl, value } of responses.toReversed()) {
    const before = writer.length;
    writer.bytes(2, value);
    writer.text(1, typeUrl);
    writer.close(2, before);
  }
  return writer.finish();
}

/** Field by field: an object that is spread and extended costs 5 us, and each transaction has one. */
function succeeded(
  data: Uint8Array,
  gasWanted: bigint,
  gasUsed: bigint,
  events: readonly Event[],
  msgResponses: readonly Any[],
): TxOutcome {
  return { code: 0, codespace: '', log: '', data, gasWanted, gasUsed, events, msgResponses };
}

function runMessages(tx: Tx, contextFor: (events: Event[]) => Context): { events: Event[]; msgResponses: Any[] } {
  const events: Event[] = [];
  const msgResponses: Any[] = [];
  tx.handlers.forEach(({ handler, value, signers }, index) => {
    const emitted: Event[] = [];
    const context = contextFor(emitted);
    let response: Uint8Array;
    try {
      response = handler.handle(context, value);
    } catch (error) {
      if (!isReturned(error)) throw error;
      throw wrapped(error, `failed to execute message; message index: ${index}`);
    }
    const action = abciEvent('message', [
      ['action', handler.typeUrl],
      ['sender', usualText(context, signers[0] ?? '')],
      ...(emitted.some(({ type, attributes }) => type === 'message' && attributes.some(({ key }) => key === 'module'))
        ? []
        : [['module', moduleOf(handler.typeUrl)] as const]),
    ]);
    const place = attribute('msg_index', String(index));
    events.push(withAttribute(action, place));
    for (const event of emitted) events.push(withAttribute(event, place));
    msgResponses.push({ $typeName: 'google.protobuf.Any', typeUrl: handler.responseTypeUrl, value: response });
  });
  return { events, msgResponses };
}

/** The text that the chain writes for an address, which a message may name in hexadecimal or in capitals, too. */
function usualText({ chain: { bech32Prefix } }: Context, name: string): string {
  if (name.startsWith(`${bech32Prefix}1`)) return name;
  const address = parseAddress(bech32Prefix, name);
  return address === undefined ? name : encodeAddress(bech32Prefix, address);
}

/** An Ethereum transaction pays for the gas of the EVM, not for accesses to stores; a free one pays for nothing. */
function contextOf(
  environment: TxEnvironment,
  store: StateStore,
  gas: GasMeter,
  events: Event[],
  txBytes: Uint8Array,
  isUnmetered: boolean,
): Context {
  const { chainId, height, time, chain, version, crypto, router, block, evm } = environment.shared;
  return {
    chainId,
    height,
    time,
    chain,
    version,
    crypto,
    router,
    block,
    evm,
    txBytes,
    store: isUnmetered ? store : new MeteredStore(store, gas),
    gas,
    events,
    mode: environment.mode,
    blockMaxGas: environment.blockMaxGas,
  };
}

/** A refusal before the ante rules. */
function refusedEarly(environment: TxEnvironment, state: StateStore, failure: SdkError, isDecoded: boolean): TxOutcome {
  const { undecodable, readsOfContext: reads } = transactionRules.of(environment.shared);
  if (!isDecoded && environment.mode === 'deliver') return failed(undecodable(failure), 0n, 0n, []);
  return refusedUnmetered(environment, state, failure, { reads, gas: 0n, gasWanted: 0n });
}

/** A failure before the transaction has a gas meter of its own. */
function refusedUnmetered(
  { blockGas }: TxEnvironment,
  state: StateStore,
  failure: SdkError,
  { reads, gas, gasWanted }: ShownGas,
): TxOutcome {
  const meter = new GasMeter(undefined);
  const store = new MeteredStore(state, meter);
  for (const read of reads) store.get(read.store, read.key);
  meter.consume(gas, 'ante rules');
  return failed(spendBlockGas(blockGas, meter, failure), gasWanted, meter.consumed, []);
}

/**
 * A failed transaction also takes its gas from the block; when that is too much, its result says so (deferred
 * consumption of the SDK's `baseapp`).
 */
function spendBlockGas(blockGas: GasMeter | undefined, gas: GasMeter, failure: SdkError): SdkError {
  if (failure instanceof OutOfGas && failure.location === 'block gas meter') return failure;
  try {
    blockGas?.consume(gas.consumedToLimit, 'block gas meter');
  } catch (error) {
    return requireSdkError(error);
  }
  return failure;
}

function withGas(error: SdkError, gasLimit: bigint, used: bigint): SdkError {
  if (!(error instanceof OutOfGas)) return error;
  return new SdkError(
    error.registered,
    `out of gas in location: ${error.location}; gasWanted: ${gasLimit}, gasUsed: ${used}`,
  );
}

function failed(error: SdkError, gasWanted: bigint, gasUsed: bigint, events: readonly Event[]): TxOutcome {
  const { code, codespace } = error.registered;
  return { code, codespace, log: error.message, data: EMPTY, gasWanted, gasUsed, events, msgResponses: [] };
}

function requireSdkError(error: unknown): SdkError {
  if (error instanceof SdkError) return error;
  throw error;
}
