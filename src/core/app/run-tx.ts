import type { Any } from '@bufbuild/protobuf/wkt';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import { CacheStore } from '../state/overlay.js';
import type { StateStore } from '../state/state.js';
import { UnmeteredRefusal, type ReportedGas } from '../sdk/module/ante.js';
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
 * Outcome of a transaction. `events` of a failed one are those of its ante handler, if that passed (and took the
 * fee).
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
  /** Highest gas limit of one transaction; undefined when blocks have no limit. */
  readonly blockMaxGas: bigint | undefined;
  /** Remaining block gas, when executing a block. */
  readonly blockGas?: GasMeter;
  /** True when the transaction's signatures are verified already. */
  readonly verified?: boolean;
  /** True for a transaction of a proposal: local limits of this node do not apply. */
  readonly isProposed?: boolean;
}

/**
 * Runs one transaction on `state` like runTx of the SDK's `baseapp`: ante rules in one cache, messages in another, so
 * that fee and sequence persist when a message fails. Never throws because of its input.
 */
export function runTx(environment: TxEnvironment, state: StateStore, bytes: Uint8Array): TxOutcome {
  let tx: Tx;
  let isDecoded = false;
  try {
    // Limits on fields and messages apply to admission and simulation, never to blocks, because nodes may have
    // different limits.
    if (environment.mode !== 'deliver' && environment.verified !== true && environment.isProposed !== true)
      refuseLarge(bytes);
    tx = readTx(bytes, environment.router, environment.shared.chain.bech32Prefix);
    isDecoded = true;
    // Undecodable bytes have their own result even in a full block (`baseapp/abci.go`).
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
  // Genesis transactions run before the first block without gas metering (SDK `x/auth/ante/setup.go`).
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
    // The engine knows its own writes; all others are reported to it.
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

/** Throws SDK error 21 for a transaction that exceeds a limit of this node. */
function refuseLarge(bytes: Uint8Array): void {
  const exceeded = exceededTxLimit(bytes);
  if (exceeded === undefined) return;
  const what = LIMITED[exceeded];
  throw new SdkError(sdkErrors.txTooLarge, `more than ${DEFAULT_LIMITS[exceeded]} ${what} (limit ${exceeded})`);
}

const writer = new MessageWriter();

/** Encodes `TxMsgData` (SDK `types/abci.proto`) with these responses. */
function encodeResponses(responses: readonly Any[]): Uint8Array {
  for (const { typeUrl, value } of responses.toReversed()) {
    const before = writer.length;
    writer.bytes(2, value);
    writer.text(1, typeUrl);
    writer.close(2, before);
  }
  return writer.finish();
}

/** Listed field by field: a spread costs 5 us per transaction here. */
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

/** The chain's own form of an address; messages may contain hexadecimal or upper case. */
function usualText({ chain: { bech32Prefix } }: Context, name: string): string {
  if (name.startsWith(`${bech32Prefix}1`)) return name;
  const address = parseAddress(bech32Prefix, name);
  return address === undefined ? name : encodeAddress(bech32Prefix, address);
}

/**
 * Context of the messages: an Ethereum transaction pays for EVM gas but not for store accesses, a free transaction
 * for nothing.
 */
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

/** Outcome of a rejection before the ante rules. */
function refusedEarly(environment: TxEnvironment, state: StateStore, failure: SdkError, isDecoded: boolean): TxOutcome {
  const { undecodable, readsOfContext: reads } = transactionRules.of(environment.shared);
  if (!isDecoded && environment.mode === 'deliver') return failed(undecodable(failure), 0n, 0n, []);
  return refusedUnmetered(environment, state, failure, { reads, gas: 0n, gasWanted: 0n });
}

/** Outcome of a failure before the transaction has its own gas meter. */
function refusedUnmetered(
  { blockGas }: TxEnvironment,
  state: StateStore,
  failure: SdkError,
  { reads, gas, gasWanted }: ReportedGas,
): TxOutcome {
  const meter = new GasMeter(undefined);
  const store = new MeteredStore(state, meter);
  for (const read of reads) store.get(read.store, read.key);
  meter.consume(gas, 'ante rules');
  return failed(spendBlockGas(blockGas, meter, failure), gasWanted, meter.consumed, []);
}

/**
 * Consumes a failed transaction's gas in the block; if that exceeds the block's gas, its result says so (deferred
 * consumption in the SDK's `baseapp`).
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
