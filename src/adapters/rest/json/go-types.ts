/**
 * The Go type of a field, as far as it shows in JSON: gogoproto's options in the descriptor decide whether an absent
 * message is `null`, and whether a text holds a decimal.
 */
import { getOption, hasOption, ScalarType, type DescEnum, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { casttype } from '../../../core/proto/gogoproto/gogo_pb.js';
import { customTypeOf } from '../../../core/sdk/codec/custom-type.js';

/**
 * `decimal` is a whole number of 10^-18 on the wire, `integer` a whole number, `ethereum-tx` the signed bytes of a
 * transaction, `hex` bytes of CometBFT that are hex in JSON; `plain` is the type of the descriptor.
 */
export type GoType = 'plain' | 'decimal' | 'integer' | 'ethereum-tx' | 'hex';

const GO_TYPES: ReadonlyMap<string, GoType> = new Map([
  ['cosmossdk.io/math.LegacyDec', 'decimal'],
  ['cosmossdk.io/math.Int', 'integer'],
  ['EthereumTx', 'ethereum-tx'],
]);

const HEX_BYTES = 'github.com/cometbft/cometbft/libs/bytes.HexBytes';

/** The Go type of a text or bytes field. */
export function goTypeOf(field: DescField): GoType {
  if (hasOption(field, casttype) && getOption(field, casttype) === HEX_BYTES) return 'hex';
  return GO_TYPES.get(customTypeOf(field) ?? '') ?? 'plain';
}

/**
 * The name of a Go type with its package, as texts of errors show it: `tx.OrderBy`. The packages of gov have the names
 * of versions (cosmos-sdk v0.53 `x/gov/types`), others that of the module.
 */
export function goTypeName({ file, name }: DescEnum | DescMessage): string {
  const parts = file.proto.package.split('.');
  const isVersion = (part: string): boolean => /^v[0-9]/.test(part);
  const goPackage = parts.includes('gov') ? parts.at(-1) : parts.findLast((part) => !isVersion(part));
  return `${goPackage ?? ''}.${name}`;
}

/** 64-bit integers are texts in JSON. */
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
 * Messages that Go writes by `encoding/json`: the answer about redelegations has a `MarshalJSON` of its own (cosmos-sdk
 * v0.53 `x/staking/types/delegation.go`). An empty list is `null`, an integer is a number, and zero is left out.
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
