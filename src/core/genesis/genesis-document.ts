/**
 * Parses genesis documents in CometBFT's form, and in the SDK's form with a `consensus` section (cosmos-sdk v0.53
 * `x/genutil/types/genesis.go`).
 */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { strictBase64 } from '../bytes/strict-base64.js';
import { NS_PER_SECOND, toHeight, type Height, type TimeNs } from '../primitives.js';
import { ValidatorUpdateSchema, type ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../proto/tendermint/crypto/keys_pb.js';
import { ConsensusParamsSchema, type ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import { decodeBech32 } from '../sdk/codec/address.js';
import { GenesisError } from '../sdk/module/genesis-section.js';
import { asObject } from '../text/json-object.js';
import { CHAIN_LIMITS } from '../limits/limits.js';
import { parseTime } from '../comet/time.js';

export interface GenesisDocument {
  readonly chainId: string;
  readonly time: TimeNs;
  readonly initialHeight: Height;
  readonly consensusParams: ConsensusParams;
  /** Validators in the document; empty when genutil provides them. */
  readonly validators: readonly ValidatorUpdate[];
  readonly appState: Readonly<Record<string, unknown>>;
}

export type GenesisResult =
  | { readonly ok: true; readonly genesis: GenesisDocument }
  /** `path` is the wrong key; `message` has the key and the reason. */
  | { readonly ok: false; readonly path: string; readonly message: string };

/** Validates a parsed JSON genesis document and converts it. */
export function parseGenesis(document: unknown): GenesisResult {
  try {
    return { ok: true, genesis: readGenesis(document) };
  } catch (error) {
    if (error instanceof GenesisError) return { ok: false, path: error.path, message: error.message };
    throw error;
  }
}

function readGenesis(document: unknown): GenesisDocument {
  const root = asObject(document);
  if (root === undefined) throw new GenesisError('genesis', 'is not a JSON object');
  const chainId = root['chain_id'];
  if (typeof chainId !== 'string' || chainId === '') throw new GenesisError('chain_id', 'must be a non-empty text');
  if (chainId.length > CHAIN_LIMITS.chainIdCharacters)
    throw new GenesisError('chain_id', `is longer than ${CHAIN_LIMITS.chainIdCharacters} characters`);
  const consensus = asObject(root['consensus']);
  const [paramsPath, params] =
    consensus === undefined
      ? ['consensus_params', root['consensus_params']]
      : ['consensus.params', consensus['params']];
  const [validatorsPath, validators] =
    consensus === undefined ? ['validators', root['validators']] : ['consensus.validators', consensus['validators']];
  const appState = asObject(root['app_state']);
  if (appState === undefined) throw new GenesisError('app_state', 'must be an object with a section per module');
  const initialHeight =
    root['initial_height'] === undefined || root['initial_height'] === '0' || root['initial_height'] === 0
      ? 1n
      : integer('initial_height', root['initial_height']);
  if (initialHeight < 1n) throw new GenesisError('initial_height', 'must not be negative');
  return {
    chainId,
    time: rfc3339('genesis_time', root['genesis_time']),
    initialHeight: toHeight(initialHeight),
    consensusParams: readParams(paramsPath, params),
    validators: readValidators(validatorsPath, validators),
    appState,
  };
}

/** Reads consensus parameters; absent ones get CometBFT's defaults. */
function readParams(path: string, value: unknown): ConsensusParams {
  const params = asObject(value) ?? {};
  const block = asObject(params['block']) ?? {};
  const evidence = asObject(params['evidence']) ?? {};
  const validator = asObject(params['validator']) ?? {};
  const abci = asObject(params['abci']) ?? {};
  const version = asObject(params['version']) ?? {};
  const number = (section: string, fields: Readonly<Record<string, unknown>>, key: string, otherwise: bigint): bigint =>
    fields[key] === undefined ? otherwise : integer(`${path}.${section}.${key}`, fields[key]);
  const age = number('evidence', evidence, 'max_age_duration', 172800000000000n);
  const types = validator['pub_key_types'] ?? ['ed25519'];
  if (!Array.isArray(types) || types.some((type) => type !== 'ed25519'))
    throw new GenesisError(`${path}.validator.pub_key_types`, 'only ed25519 is supported');
  return create(ConsensusParamsSchema, {
    block: { maxBytes: number('block', block, 'max_bytes', 22020096n), maxGas: number('block', block, 'max_gas', -1n) },
    evidence: {
      maxAgeNumBlocks: number('evidence', evidence, 'max_age_num_blocks', 100000n),
      maxAgeDuration: create(DurationSchema, { seconds: age / NS_PER_SECOND, nanos: Number(age % NS_PER_SECOND) }),
      maxBytes: number('evidence', evidence, 'max_bytes', 1048576n),
    },
    validator: { pubKeyTypes: ['ed25519'] },
    version: { app: number('version', version, 'app', 0n) },
    abci: { voteExtensionsEnableHeight: number('abci', abci, 'vote_extensions_enable_height', 0n) },
  });
}

function readValidators(path: string, value: unknown): readonly ValidatorUpdate[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new GenesisError(path, 'must be a list');
  return value.map((entry: unknown, index) => {
    const fields = asObject(entry);
    const key = asObject(fields?.['pub_key']);
    const encoded = key?.['value'];
    if (key?.['type'] !== 'tendermint/PubKeyEd25519' || typeof encoded !== 'string') {
      throw new GenesisError(
        `${path}[${index}].pub_key`,
        'must be {"type":"tendermint/PubKeyEd25519","value":<base64>}',
      );
    }
    const bytes = decodeBase64(`${path}[${index}].pub_key.value`, encoded);
    if (bytes.length !== 32)
      throw new GenesisError(`${path}[${index}].pub_key.value`, `must be 32 bytes, not ${bytes.length}`);
    const power = integer(`${path}[${index}].power`, fields?.['power']);
    if (power <= 0n) throw new GenesisError(`${path}[${index}].power`, 'must be positive');
    return create(ValidatorUpdateSchema, {
      pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: bytes } }),
      power,
    });
  });
}

function decodeBase64(path: string, value: string): Uint8Array {
  const bytes = strictBase64(value);
  if (bytes === undefined) throw new GenesisError(path, 'is not base64');
  return bytes;
}

/** Reads a 64-bit integer: a string as in CometBFT's form, or a number as the SDK writes `initial_height`. */
function integer(path: string, value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?[0-9]{1,19}$/.test(value)) return BigInt(value);
  throw new GenesisError(path, `must be an integer, not ${JSON.stringify(value) ?? 'absent'}`);
}

/** Reads an RFC 3339 time as nanoseconds since the epoch. */
function rfc3339(path: string, value: unknown): TimeNs {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined)
    throw new GenesisError(path, `must be an RFC 3339 time, not ${JSON.stringify(value) ?? 'absent'}`);
  return time;
}

/** Bech32 prefix of the first account or balance address; undefined without addresses. */
export function detectBech32Prefix(appState: Readonly<Record<string, unknown>>): string | undefined {
  const lists = [asObject(appState['auth'])?.['accounts'], asObject(appState['bank'])?.['balances']];
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const entry of list.slice(0, 100)) {
      const fields = asObject(entry);
      const address = fields?.['address'] ?? asObject(fields?.['base_account'])?.['address'];
      const decoded = typeof address === 'string' ? decodeBech32(address) : undefined;
      if (decoded !== undefined) return decoded.prefix;
    }
  }
  return undefined;
}

/**
 * Base denom: that of the EVM or staking parameters, else the base of the first metadata or supply; undefined without
 * any.
 */
export function detectBaseDenom(appState: Readonly<Record<string, unknown>>): string | undefined {
  const first = (list: unknown, key: string): unknown => (Array.isArray(list) ? asObject(list[0])?.[key] : undefined);
  const bank = asObject(appState['bank']);
  const candidates = [
    asObject(asObject(appState['evm'])?.['params'])?.['evm_denom'],
    asObject(asObject(appState['staking'])?.['params'])?.['bond_denom'],
    first(bank?.['denom_metadata'], 'base'),
    first(bank?.['supply'], 'denom'),
    first(first(bank?.['balances'], 'coins'), 'denom'),
  ];
  return candidates.find((candidate) => typeof candidate === 'string');
}

const WEI_DECIMALS = 18;

/**
 * For a coin with fewer than 18 decimals: the denom of wei (`extended_denom` in the EVM parameters), and the number
 * of wei in one unit of the base denom.
 */
export function detectWei(appState: Readonly<Record<string, unknown>>): {
  readonly weiDenom?: string;
  readonly weiPerCoin?: bigint;
} {
  const params = asObject(asObject(appState['evm'])?.['params']);
  const extended = asObject(params?.['extended_denom_options'])?.['extended_denom'];
  const decimals = decimalsOfCoin(appState);
  if (typeof extended !== 'string' || extended === '' || decimals >= WEI_DECIMALS) return {};
  return { weiDenom: extended, weiPerCoin: 10n ** BigInt(WEI_DECIMALS - decimals) };
}

/** Decimals of the display denom in the coin's metadata; 18 without metadata. */
function decimalsOfCoin(appState: Readonly<Record<string, unknown>>): number {
  const denom = detectBaseDenom(appState);
  const all: unknown = asObject(appState['bank'])?.['denom_metadata'];
  const found = (Array.isArray(all) ? all : []).map(asObject).find((one) => one?.['base'] === denom);
  const units: unknown = found?.['denom_units'];
  const shown = (Array.isArray(units) ? units : []).map(asObject).find((one) => one?.['denom'] === found?.['display']);
  const exponent = shown?.['exponent'];
  return typeof exponent === 'number' && Number.isInteger(exponent) && exponent >= 0 ? exponent : WEI_DECIMALS;
}

/** EIP-155 chain id from a Cosmos chain id of the form `name_N-r`; undefined for other forms. */
export function evmChainIdOf(chainId: string): bigint | undefined {
  const match = /^[a-z][a-z0-9]*_([1-9][0-9]{0,17})-[1-9][0-9]*$/.exec(chainId);
  return match?.[1] === undefined ? undefined : BigInt(match[1]);
}
