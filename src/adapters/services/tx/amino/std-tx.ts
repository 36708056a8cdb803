/**
 * `cosmos-sdk/StdTx`, the transaction of the SDK before protobuf, in Amino JSON and Amino binary (cosmos-sdk v0.53
 * `x/auth/migrations/legacytx`).
 */
import {
  createRegistry,
  type DescMessage,
  fromBinary,
  getOption,
  toBinary,
  type JsonObject,
  type JsonValue,
  type Registry,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { aminoJson, NoAminoForm } from '../../../../core/sdk/codec/amino-json.js';
import { countParts } from '../../../../core/sdk/codec/message-parts.js';
import { toBase64 } from '../../../../core/bytes/base64.js';
import { upperHex } from '../../../../core/bytes/hex.js';
import { equal, concat } from '../../../../core/bytes/bytes.js';
import { onFirstCall } from '../../../../core/on-first-call.js';
import { hasMoreJsonParts } from '../../../../core/text/json-parts.js';
import { message_encoding as messageEncoding, name as aminoName } from '../../../../core/proto/amino/amino_pb.js';
import { CoinSchema } from '../../../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import {
  base64Of,
  coinOf,
  decoding,
  listOf,
  objectOf,
  PartBudget,
  readFields,
  textOf,
  tooManyParts,
  writeBytes,
  writeNumber,
  writeText,
} from './fields.js';
import { BadAmino, fromAminoJson, isObject, requireProtobufForm } from './from-json.js';
import { aminoPrefix, AminoTypes, PREFIX_BYTES } from './prefix.js';
import { isJson } from '../../../../core/sdk/module/genesis-section.js';
import { jsonText, parseJson } from '../../../../core/text/json-text.js';

const STD_TX = 'cosmos-sdk/StdTx';
const PREFIX = aminoPrefix(STD_TX);
/** An empty registry, because coins contain no `Any`. */
const NO_TYPES = createRegistry();

export type Coded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

export class StdTxCodec {
  /** Created on first use, because it reads an option of every message. */
  readonly #types: () => AminoTypes;

  constructor(readonly registry: Registry) {
    this.#types = onFirstCall(() => new AminoTypes(registry));
  }

  /** Converts Amino JSON to Amino binary; `maximum`: the limit `messageParts`. */
  encode(text: string, maximum: number): Coded<Uint8Array> {
    return attempt(() => {
      const tx = concrete(parse(text, maximum));
      if (tx.type !== STD_TX) throw new BadAmino(`unrecognized concrete type name ${tx.type.slice(0, 128)}`);
      const { msg, fee, signatures, memo, timeout_height: timeoutHeight } = objectOf(tx.value, 'value');
      const writer = new BinaryWriter();
      for (const one of listOf(msg, 'msg')) writeBytes(writer, 1, this.#concreteBytes(one));
      const feeBytes = fee === undefined ? new Uint8Array() : encodeFee(objectOf(fee, 'fee'));
      if (feeBytes.length > 0) writeBytes(writer, 2, feeBytes);
      for (const one of listOf(signatures, 'signatures'))
        writeBytes(writer, 3, this.#encodeSignature(objectOf(one, 'signature')));
      writeText(writer, 4, memo, 'memo');
      writeNumber(writer, 5, timeoutHeight, 'timeout_height');
      return concat(PREFIX, writer.finish());
    });
  }

  /** Converts Amino binary to Amino JSON; `maximum`: the limit `messageParts`. */
  decode(bytes: Uint8Array, maximum: number): Coded<string> {
    if (!equal(bytes.subarray(0, PREFIX_BYTES), PREFIX)) {
      return {
        ok: false,
        message: `UnmarshalBinaryBare expected to read prefix bytes ${upperHex(PREFIX)} (since it is registered concrete) but got ${upperHex(bytes.subarray(0, PREFIX_BYTES))}`,
      };
    }
    return attempt(() => {
      const budget = new PartBudget(maximum);
      const fields = readFields('tx', bytes.subarray(PREFIX_BYTES), budget);
      const value: JsonObject = {
        msg: fields.bytes(1).map((one) => this.#concreteJson(one, budget)),
        fee: decodeFee(fields.bytes(2)[0] ?? new Uint8Array(), budget),
        signatures: fields.bytes(3).map((one) => this.#decodeSignature(one, budget)),
        memo: textOf(fields.bytes(4)[0]),
        timeout_height: String(fields.number(5)),
      };
      return jsonText({ type: STD_TX, value });
    });
  }

  /** Encodes `{type, value}` as a prefixed value. */
  #concreteBytes(json: JsonValue): Uint8Array {
    const { type, value } = concrete(json);
    const schema = this.#types().byName(type);
    if (schema === undefined) throw new BadAmino(`unrecognized concrete type name ${type.slice(0, 128)}`);
    const prefix = aminoPrefix(type);
    if (getOption(schema, messageEncoding) !== 'key_field') {
      requireProtobufForm(schema);
      return concat(prefix, toBinary(schema, fromAminoJson(schema, value)));
    }
    const key = base64Of(value, 'key');
    return concat(prefix, new BinaryWriter().bytes(key).finish());
  }

  #concreteJson(bytes: Uint8Array, budget: PartBudget): JsonValue {
    const schema = this.#types().ofBytes(bytes);
    if (schema === undefined)
      throw new BadAmino(`unrecognized prefix bytes ${upperHex(bytes.subarray(0, PREFIX_BYTES))}`);
    const body = bytes.subarray(PREFIX_BYTES);
    const type = getOption(schema, aminoName);
    if (getOption(schema, messageEncoding) === 'key_field')
      return { type, value: toBase64(decoding(type, () => new BinaryReader(body).bytes())) };
    requireProtobufForm(schema);
    return { type, value: messageJson(type, schema, body, this.registry, budget) };
  }

  #encodeSignature({ pub_key: key, signature }: JsonObject): Uint8Array {
    const writer = new BinaryWriter();
    if (key !== undefined && key !== null) writeBytes(writer, 1, this.#concreteBytes(key));
    const bytes = signature === undefined || signature === null ? new Uint8Array() : base64Of(signature, 'signature');
    if (bytes.length > 0) writeBytes(writer, 2, bytes);
    return writer.finish();
  }

  #decodeSignature(bytes: Uint8Array, budget: PartBudget): JsonValue {
    const fields = readFields('signature', bytes, budget);
    const [key] = fields.bytes(1);
    return {
      pub_key: key === undefined ? null : this.#concreteJson(key, budget),
      signature: toBase64(fields.bytes(2)[0] ?? new Uint8Array()),
    };
  }
}

function encodeFee({ amount, gas, payer, granter }: JsonObject): Uint8Array {
  const writer = new BinaryWriter();
  for (const coin of listOf(amount, 'amount')) writeBytes(writer, 1, toBinary(CoinSchema, coinOf(coin)));
  writeNumber(writer, 2, gas, 'gas');
  writeText(writer, 3, payer, 'payer');
  writeText(writer, 4, granter, 'granter');
  return writer.finish();
}

/** Amino JSON of an encoded message; its fields are counted before it is decoded. */
function messageJson(
  name: string,
  schema: DescMessage,
  bytes: Uint8Array,
  registry: Registry,
  budget: PartBudget,
): JsonValue {
  budget.take(countParts(schema, bytes, budget.left));
  return aminoJson(
    reflect(
      schema,
      decoding(name, () => fromBinary(schema, bytes)),
    ),
    { names: 'amino', registry, renamed: {} },
  );
}

function decodeFee(bytes: Uint8Array, budget: PartBudget): JsonValue {
  const fields = readFields('fee', bytes, budget);
  const payer = textOf(fields.bytes(3)[0]);
  const granter = textOf(fields.bytes(4)[0]);
  return {
    amount: fields.bytes(1).map((coin) => messageJson('coin', CoinSchema, coin, NO_TYPES, budget)),
    gas: String(fields.number(2)),
    ...(payer !== '' && { payer }),
    ...(granter !== '' && { granter }),
  };
}

/** Checks the form `{type, value}`. */
function concrete(json: JsonValue): { readonly type: string; readonly value: JsonValue } {
  const { type, value } = isObject(json) ? json : {};
  if (typeof type !== 'string' || type === '')
    throw new BadAmino('JSON encoding of interfaces require non-empty type field.');
  return { type, value: value ?? null };
}

function parse(text: string, maximum: number): JsonValue {
  if (hasMoreJsonParts(text, maximum)) throw tooManyParts(maximum);
  try {
    const value: unknown = parseJson(text);
    if (isJson(value)) return value;
  } catch {
    // fails below
  }
  throw new BadAmino('invalid JSON');
}

function attempt<Value>(run: () => Value): Coded<Value> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    if (error instanceof BadAmino || error instanceof NoAminoForm) return { ok: false, message: error.message };
    throw error;
  }
}
