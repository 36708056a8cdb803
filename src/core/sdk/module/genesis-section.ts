import {
  createRegistry,
  create,
  fromJson,
  toJson,
  type DescMessage,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  type Registry,
} from '@bufbuild/protobuf';
import { parseAddress } from '../codec/address.js';
import { SdkError } from './sdk-error.js';
import { BaseAccountSchema, ModuleAccountSchema } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import { file_cosmos_authz_v1beta1_authz } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import { file_cosmos_bank_v1beta1_authz } from '../../proto/cosmos/bank/v1beta1/authz_pb.js';
import { PubKeySchema as Ed25519Schema } from '../../proto/cosmos/crypto/ed25519/keys_pb.js';
import { LegacyAminoPubKeySchema } from '../../proto/cosmos/crypto/multisig/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PubKeySchema as EthSecp256k1Schema } from '../../proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { file_cosmos_feegrant_v1beta1_feegrant } from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { file_cosmos_staking_v1beta1_authz } from '../../proto/cosmos/staking/v1beta1/authz_pb.js';
import { file_cosmos_vesting_v1beta1_vesting } from '../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import { file_evmos_vesting_v1_vesting } from '../../proto/evmos/vesting/v1/vesting_pb.js';
import { file_ibc_applications_transfer_v1_authz } from '../../proto/ibc/applications/transfer/v1/authz_pb.js';

/** Types that an `Any` of a genesis document may contain. */
const registry = createRegistry(
  BaseAccountSchema,
  ModuleAccountSchema,
  Ed25519Schema,
  Secp256k1Schema,
  EthSecp256k1Schema,
  LegacyAminoPubKeySchema,
  file_cosmos_authz_v1beta1_authz,
  file_cosmos_bank_v1beta1_authz,
  file_cosmos_feegrant_v1beta1_feegrant,
  file_cosmos_staking_v1beta1_authz,
  file_cosmos_vesting_v1beta1_vesting,
  file_evmos_vesting_v1_vesting,
  file_ibc_applications_transfer_v1_authz,
);

/** Thrown for an invalid genesis document: `path` names the key, the message gives the reason. Shown to the user. */
export class GenesisError extends Error {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(`${path}: ${reason}`);
    this.name = 'GenesisError';
  }
}

/**
 * Parses a module's section as its GenesisState; unknown keys and invalid values throw GenesisError with the key's
 * name. `types` are those that an `Any` may contain.
 */
export function readSection<Desc extends DescMessage>(
  path: string,
  schema: Desc,
  section: unknown,
  types: Registry = registry,
): MessageShape<Desc> {
  if (!isJson(section)) throw new GenesisError(path, 'is not a JSON value');
  try {
    return fromJson(schema, section, { registry: types });
  } catch (error) {
    throw new GenesisError(path, error instanceof Error ? error.message : 'cannot be read');
  }
}

/** Writes a module's section as JSON with the SDK's field names and zero values. */
export function writeSection<Desc extends DescMessage>(
  schema: Desc,
  section: MessageInitShape<Desc>,
  types: Registry = registry,
): JsonValue {
  return toJson(schema, create(schema, section), {
    registry: types,
    useProtoFieldName: true,
    alwaysEmitImplicit: true,
  });
}

/** Parses an address; throws GenesisError at `path` when its prefix differs or it is invalid. */
export function addressAt(path: string, prefix: string, address: string): Uint8Array {
  const bytes = parseAddress(prefix, address);
  if (bytes === undefined) throw new GenesisError(path, `not an address with prefix ${prefix}: ${address}`);
  return bytes;
}

/** Runs `action`; converts SdkError to GenesisError at `path`. */
export function at<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw error instanceof SdkError ? new GenesisError(path, error.message) : error;
  }
}

/** True for a value that is JSON at all depths; undefined and functions are not. */
export function isJson(value: unknown): value is JsonValue {
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'object') return Object.values(value).every(isJson);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
