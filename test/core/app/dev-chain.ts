import { fromBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../../../src/core/application-requests.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { type ApplicationOptions } from '../../../src/core/app/assembly.js';
import { chronicle } from '../../../src/core/app/presets.js';
import { addressOf } from '../../../src/core/sdk/signing/public-key.js';
import { directSignBytes } from '../../../src/core/sdk/signing/sign-doc.js';
import { devGenesis } from '../../../src/core/genesis/dev-genesis.js';
import type { GenesisValidator } from '../../../src/core/genesis/validators-genesis.js';
import { type GenesisDocument, parseGenesis } from '../../../src/core/genesis/genesis-document.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { PubKeySchema } from '../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { BlockScope } from '../../../src/core/sdk/module/block-scope.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import { GasMeter } from '../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../src/core/sdk/module/message-router.js';
import { presentModules } from '../../../src/core/sdk/module/app-version.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import type { StateReader, StateWrite } from '../../../src/core/state/state.js';
import { publicKeyOf, signDigest } from '../../support/secp256k1.js';
import { crypto, stateOf, PLAIN_BLOCK } from './support.js';
import { encode } from '../../support/encode.js';

export const chain = {
  chainId: 'chronicle_271828-1',
  evmChainId: 271828n,
  bech32Prefix: 'chron',
  baseDenom: 'achr',
  minGasPrice: 0n,
} as const;

interface Account {
  readonly secret: Uint8Array;
  readonly key: Uint8Array;
  readonly address: string;
}

const made = new Map<number, Account>();

/** Key and address of dev account `index`; computed once. */
export function account(index: number): Account {
  const known = made.get(index);
  if (known !== undefined) return known;
  const secret = crypto.sha256(Uint8Array.of(index + 1));
  const key = publicKeyOf(secret);
  const bytes = addressOf(crypto, { kind: 'eth_secp256k1', key });
  if (bytes === undefined) throw new Error('key');
  const one = { secret, key, address: encodeAddress('chron', bytes) };
  made.set(index, one);
  return one;
}

/** A transaction of one message signed by dev account `from`. */
export function signed<Desc extends DescMessage>(
  from: number,
  sequence: bigint,
  schema: Desc,
  message: MessageInitShape<Desc>,
  change: {
    readonly chainId?: string;
    readonly fee?: bigint;
    readonly gas?: bigint;
    readonly memo?: string;
    readonly mode?: SignMode;
    readonly extensionOptions?: MessageInitShape<typeof TxBodySchema>['extensionOptions'];
    /** Address of the account that granted the fee. */
    readonly granter?: string;
    /** An unordered transaction that ends at this time, Unix nanoseconds. */
    readonly unordered?: bigint;
    readonly accountNumber?: bigint;
    /** The encoded public key; by default its canonical encoding. */
    readonly publicKey?: Uint8Array;
  } = {},
): Uint8Array {
  const { secret, key } = account(from);
  const bodyBytes = encode(TxBodySchema, {
    messages: [{ typeUrl: `/${schema.typeName}`, value: encode(schema, message) }],
    memo: change.memo ?? '',
    extensionOptions: change.extensionOptions ?? [],
    ...(change.unordered !== undefined && {
      unordered: true,
      timeoutTimestamp: toTimestamp(toTimeNs(change.unordered)),
    }),
  });
  const gas = change.gas ?? 300_000n;
  const authInfoBytes = encode(AuthInfoSchema, {
    signerInfos: [
      {
        publicKey: {
          typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
          value: change.publicKey ?? encode(PubKeySchema, { key }),
        },
        modeInfo: { sum: { case: 'single', value: { mode: change.mode ?? SignMode.DIRECT } } },
        sequence,
      },
    ],
    fee: {
      amount: [{ denom: 'achr', amount: String(change.fee ?? gas * 2_000_000_000n) }],
      gasLimit: gas,
      granter: change.granter ?? '',
    },
  });
  const digest = crypto.keccak256(
    directSignBytes(bodyBytes, authInfoBytes, change.chainId ?? chain.chainId, change.accountNumber ?? BigInt(from)),
  );
  const { signature } = signDigest(digest, secret);
  return encode(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [signature] });
}

/** A dev chain in memory: executes blocks and keeps the state. */
export class DevChain {
  app = createApplication({ version: chronicle, chain, crypto });
  height = 0n;
  /** Time of blocks and queries, Unix nanoseconds; when undefined, the height serves as the time. */
  now: bigint | undefined;
  state: StateReader;
  readonly founding: Readonly<Record<string, unknown>>;
  readonly genesis: GenesisDocument;
  readonly genesisWrites: readonly StateWrite[];

  /** `sections` of `app_state` besides those of the dev genesis. */
  constructor(
    options: Partial<ApplicationOptions> = {},
    accounts = 4,
    unsignedTransactions = true,
    sections: Readonly<Record<string, unknown>> = {},
    validators: readonly GenesisValidator[] = [{ publicKey: new Uint8Array(32).fill(7), power: 1000n, name: 'dev' }],
  ) {
    const document = devGenesis(crypto, {
      chainId: chain.chainId,
      time: toTimeNs(1_700_000_000_000_000_000n),
      accounts: Array.from({ length: accounts }, (_, i) => account(i).address),
      validators,
      unsignedTransactions,
    });
    this.founding = JSON.parse(JSON.stringify({ ...document, app_state: { ...document.app_state, ...sections } }));
    const genesis = parseGenesis(this.founding);
    if (!genesis.ok) throw new Error(genesis.message);
    this.build(options);
    this.genesis = genesis.genesis;
    this.genesisWrites = this.app.initChain(this.genesis).writes;
    this.state = stateOf(this.genesisWrites);
  }

  /** Replaces the application by one with these options; the state stays. */
  build(options: Partial<ApplicationOptions>): void {
    this.app = createApplication({ version: chronicle, chain, crypto, ...options });
  }

  at() {
    return { chainId: chain.chainId, height: toHeight(this.height), time: toTimeNs(this.now ?? this.height) };
  }

  /** Request of the next block, with these transactions. */
  next(txs: readonly Uint8Array[], proposerAddress: Uint8Array = new Uint8Array(20)): FinalizeBlockRequest {
    const height = this.height + 1n;
    return {
      ...PLAIN_BLOCK,
      height: toHeight(height),
      time: toTimeNs(this.now ?? height),
      chainId: chain.chainId,
      proposerAddress,
      txs,
    };
  }

  block(...txs: readonly Uint8Array[]): FinalizeBlockResult {
    return this.execute(this.next(txs));
  }

  execute(request: FinalizeBlockRequest): FinalizeBlockResult {
    const result = this.app.finalizeBlock(this.state, request);
    if (result.kind === 'executed') {
      this.state = stateOf(result.writes, this.state);
      this.height = request.height;
    }
    return result;
  }

  query<In extends DescMessage, Out extends DescMessage>(
    path: string,
    input: In,
    request: MessageInitShape<In>,
    output: Out,
  ) {
    const answer = this.app.query(this.state, this.at(), path, encode(input, request));
    if (!answer.ok) throw new Error(answer.log);
    return fromBinary(output, answer.value);
  }
}

/** Codes of a block's transactions; the reason when it halted. */
export function codes(result: FinalizeBlockResult): readonly number[] | string {
  return result.kind === 'executed' ? result.results.txResults.map(({ code }) => code) : result.reason;
}

/** Result of the only transaction of a block; throws when the block halted. */
export function only(result: FinalizeBlockResult) {
  if (result.kind !== 'executed') throw new Error(result.reason);
  const [first] = result.results.txResults;
  if (first === undefined) throw new Error('no transaction');
  return first;
}

/** Codespace, code and log of the only transaction of a block. */
export function refusal(result: FinalizeBlockResult): string {
  const { codespace, code, log } = only(result);
  return `${codespace} ${code}: ${log}`;
}

/** A query context on the chain's state, as keepers take it. */
export function contextOf(dev: DevChain, version: AppVersion = chronicle): Context {
  return {
    ...dev.at(),
    store: new CacheStore(dev.state),
    gas: new GasMeter(undefined),
    events: [],
    mode: 'query',
    version,
    chain,
    crypto,
    router: new MessageRouter(version),
    block: BlockScope.none(),
    evm: undefined,
    txBytes: new Uint8Array(),
  };
}

/** Invariants of the modules that the state breaks. */
export const brokenInvariants = (dev: DevChain, version: AppVersion = chronicle): readonly string[] =>
  presentModules(version).flatMap(({ invariants = [] }) =>
    invariants.flatMap((invariant) => {
      const violation = invariant.check(contextOf(dev, version));
      return violation === undefined ? [] : [`${invariant.name}: ${violation}`];
    }),
  );
