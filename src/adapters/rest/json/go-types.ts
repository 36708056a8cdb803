/**
 * Go types of fields, as far as they affect JSON: gogoproto options determine whether a missing message is `null`,
 * and whether a string is a decimal.
 */
import { getOption, hasOption, ScalarType, type DescEnum, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { casttype } from '../../../core/proto/gogoproto/gogo_pb.js';
import { customTypeOf } from '../../../core/sdk/codec/custom-type.js';

/**
 * `decimal`: an integer in units of 10^-18 on the wire; `integer`: a whole number; `ethereum-tx`: signed transaction
 * bytes; `hex`: CometBFT bytes, in hex in JSON; `plain`: the protobuf type itself.
 */
export type GoType = 'plain' | 'decimal' | 'integer' | 'ethereum-tx' | 'hex';

const GO_TYPES: ReadonlyMap<string, GoType> = new Map([
  ['cosmossdk.io/math.LegacyDec', 'decimal'],
  ['cosmossdk.io/math.Int', 'integer'],
  ['EthereumTx', 'ethereum-tx'],
]);

const HEX_BYTES = 'github.com/cometbft/cometbft/libs/bytes.HexBytes';

/** The Go type of a string or bytes field. */
export function goTypeOf(field: DescField): GoType {
  if (hasOption(field, casttype) && getOption(field, casttype) === HEX_BYTES) return 'hex';
  return GO_TYPES.get(customTypeOf(field) ?? '') ?? 'plain';
}

/**
 * A Go type name with its package for error texts, such as `tx.OrderBy`. The package is the module name, but the
 * version for gov (cosmos-sdk v0.53 `x/gov/types`).
 */
export function goTypeName({ file, name }: DescEnum | DescMessage): string {
  const parts = file.proto.package.split('.');
  const isVersion = (part: string): boolean => /^v[0-9]/.test(part);
  const goPackage = parts.includes('gov') ? parts.at(-1) : parts.findLast((part) => !isVersion(part));
  return `${goPackage ?? ''}.${name}`;
}

/** True for 64-bit integers, which are strings in JSON. */
export function isWide(scalar: ScalarType): boolean {
  return WIDE.has(scalar);
}

const WIDE: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/**
 * True for messages that Go encodes with `encoding/json`, because the redelegations response has its own
 * `MarshalJSON` (cosmos-sdk v0.53 `x/staking/types/delegation.go`). There an empty list is `null`, an integer is a
 * number, and zero is omitted.
 */
export function isEncodingJson({ typeName }: DescMessage): boolean {
  return ENCODING_JSON.has(typeName);
}

const ENCODING_JSON: ReadonlySet<string> = new Set([
  'cosmos.staking.v1beta1.RedelegationResponse',
  'cosmos.staking.v1beta1.RedelegationEntryResponse',
  'cosmos.staking.v1beta1.Redelegation',
  'cosmos.staking.v1beta1.RedelegationEntry',
]);
