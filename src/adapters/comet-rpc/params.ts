/**
 * Parameter types, each decoded from JSON or from a URI value (CometBFT v0.38
 * `rpc/jsonrpc/server/http_json_handler.go`, `rpc/jsonrpc/server/http_uri_handler.go`). Strict decoding accepts what
 * CometBFT accepts; lenient decoding accepts more and has the same error texts.
 */
import { readBase64 } from '../../core/bytes/go-base64.js';
import { fromHex } from '../../core/bytes/hex.js';
import { type JsonLimits, type SplitJson, splitJson } from '../raw-json.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string };

export interface DecodeOptions {
  /** Rejects everything that CometBFT rejects. */
  readonly strict: boolean;
  readonly limits: JsonLimits;
}

export interface ParamType<Value> {
  /** Value for an absent, empty or null argument. */
  readonly absent: Value;
  /** Decodes the raw text of a JSON member. */
  readonly json: (raw: string, options: DecodeOptions) => Decoded<Value>;
  /** Decodes a percent-decoded URI value. */
  readonly uri: (text: string, options: DecodeOptions) => Decoded<Value>;
}

const ok = <Value>(value: Value): Decoded<Value> => ({ ok: true, value });
const no = (error: string): { readonly ok: false; readonly error: string } => ({ ok: false, error });

const HEX_PREFIX = /^0x/i;

/** An integer type. CometBFT's JSON encodes 64-bit integers as strings. */
function integer(goType: 'int64' | 'int' | 'uint'): ParamType<bigint | undefined> {
  const [lowest, highest] = goType === 'uint' ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n];
  const fromDigits = (digits: string, limits: JsonLimits): Decoded<bigint | undefined> => {
    const split = splitJson(digits, limits);
    if (!split.ok) return no(split.error);
    if (split.value.kind === 'null') return ok(undefined);
    if (split.value.kind !== 'number')
      return no(`json: cannot unmarshal ${split.value.kind} into Go value of type ${goType}`);
    const { raw } = split.value;
    const value = /^-?[0-9]+$/.test(raw) ? BigInt(raw.length > 20 ? '99999999999999999999' : raw) : undefined;
    if (value === undefined || value < lowest || value > highest)
      return no(`json: cannot unmarshal number ${raw} into Go value of type ${goType}`);
    return ok(value);
  };
  const json = (raw: string, { limits }: DecodeOptions): Decoded<bigint | undefined> => {
    const split = splitJson(raw, limits);
    if (split.ok && split.value.kind === 'null') return ok(undefined);
    if (split.ok && split.value.kind === 'string') return fromDigits(split.value.value, limits);
    return no(`invalid 64-bit integer encoding ${JSON.stringify(raw)}, expected string`);
  };
  return {
    absent: undefined,
    json,
    uri(text, options) {
      if (/^-?[0-9]+$/.test(text)) return fromDigits(text, options.limits);
      if (HEX_PREFIX.test(text)) return no(`got a hex string arg, but expected '${goType}'`);
      return json(text, options);
    },
  };
}

export const int64 = integer('int64');
export const int = integer('int');
export const uint = integer('uint');

const boolJson = (raw: string, { limits }: DecodeOptions): Decoded<boolean> => {
  const split = splitJson(raw, limits);
  if (!split.ok) return no(split.error);
  if (split.value.kind === 'bool') return ok(split.value.raw === 'true');
  if (split.value.kind === 'null') return ok(false);
  return no(`json: cannot unmarshal ${split.value.kind} into Go value of type bool`);
};

export const bool: ParamType<boolean> = {
  absent: false,
  json: boolJson,
  uri: (text, options) =>
    HEX_PREFIX.test(text) ? no("got a hex string arg, but expected 'bool'") : boolJson(text, options),
};

function stringOf(raw: string, goType: string, limits: JsonLimits): Decoded<string> {
  const split = splitJson(raw, limits);
  if (!split.ok) return no(split.error);
  if (split.value.kind === 'string') return ok(split.value.value);
  if (split.value.kind === 'null') return ok('');
  return no(`json: cannot unmarshal ${split.value.kind} into Go value of type ${goType}`);
}

export const string: ParamType<string> = {
  absent: '',
  json: (raw, { limits }) => stringOf(raw, 'string', limits),
  uri(text, { strict, limits }) {
    if (HEX_PREFIX.test(text)) {
      const bytes = hexBytesOf(text.slice(2));
      return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : bytes;
    }
    const quoted = stringOf(text, 'string', limits);
    return quoted.ok || strict ? quoted : ok(text);
  },
};

/** Decodes hex digits, with the error texts of Go's decoder. */
function hexBytesOf(digits: string): Decoded<Uint8Array> {
  const bad = /[^0-9a-fA-F]/u.exec(digits)?.[0];
  if (bad !== undefined) {
    const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return no(`encoding/hex: invalid byte: U+${code} '${bad}'`);
  }
  if (digits.length % 2 === 1) return no('encoding/hex: odd length hex string');
  return ok(fromHex(digits));
}

function base64BytesOf(text: string): Decoded<Uint8Array> {
  const read = readBase64(text);
  return read.ok ? read : no(read.problem);
}

/** Decodes the URI forms common to both byte types: `0x` hex, and a quoted text as its bytes. */
function uriBytes(text: string, limits: JsonLimits): Decoded<Uint8Array> | undefined {
  if (HEX_PREFIX.test(text)) return hexBytesOf(text.slice(2));
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    const quoted = stringOf(text, 'string', limits);
    return quoted.ok ? ok(new TextEncoder().encode(quoted.value)) : quoted;
  }
  return undefined;
}

/** Go's `[]byte`: base64 in JSON. */
export const bytes: ParamType<Uint8Array> = {
  absent: new Uint8Array(),
  json(raw, { limits }) {
    const text = stringOf(raw, '[]uint8', limits);
    return text.ok ? base64BytesOf(text.value) : text;
  },
  uri(text, { limits }) {
    const shared = uriBytes(text, limits);
    if (shared !== undefined) return shared;
    const quoted = stringOf(text, '[]uint8', limits);
    return quoted.ok ? base64BytesOf(quoted.value) : quoted;
  },
};

/** CometBFT's `HexBytes`: hex without prefix in JSON; lenient decoding also accepts a prefix. */
export const hexBytes: ParamType<Uint8Array> = {
  absent: new Uint8Array(),
  json(raw, { strict, limits }) {
    const text = stringOf(raw, 'string', limits);
    return text.ok ? hexBytesOf(strict ? text.value : text.value.replace(HEX_PREFIX, '')) : text;
  },
  uri(text, { strict, limits }) {
    const shared = uriBytes(text, limits);
    if (shared !== undefined) return shared;
    if (!strict && hexBytesOf(text).ok) return hexBytesOf(text);
    return no(`invalid hex string: ${text}`);
  },
};

/**
 * A 32-byte hash in hex with or without `0x`, or in base64; `strictly`: the type for strict decoding, as in
 * CometBFT's route.
 */
function hash(strictly: ParamType<Uint8Array>): ParamType<Uint8Array> {
  const anySpelling = (text: string): Uint8Array | undefined => {
    const digits = text.replace(HEX_PREFIX, '');
    if (/^[0-9a-fA-F]{64}$/.test(digits)) return fromHex(digits);
    const fromBase64 = /^[A-Za-z0-9+/]{43}=$/.test(text) ? base64BytesOf(text) : undefined;
    return fromBase64?.ok === true ? fromBase64.value : undefined;
  };
  const lenient = (
    text: string,
    raw: string,
    decode: ParamType<Uint8Array>['json'],
    options: DecodeOptions,
  ): Decoded<Uint8Array> => {
    const found = options.strict ? undefined : anySpelling(text);
    return found === undefined ? decode(raw, options) : ok(found);
  };
  return {
    absent: new Uint8Array(),
    json: (raw, options) =>
      raw.length > FIXED_LIMITS.shownHashCharacters
        ? no(`a hash of ${raw.length} characters, at most ${FIXED_LIMITS.shownHashCharacters}`)
        : lenient(/^"[^"\\]*"$/.test(raw) ? raw.slice(1, -1) : '', raw, strictly.json, options),
    uri: (text, options) => lenient(text.replace(/^"|"$/g, ''), text, strictly.uri, options),
  };
}

export const bytesHash = hash(bytes);
export const hexHash = hash(hexBytes);

/** Any JSON value, kept as its raw text; undefined when absent. */
export const rawJson: ParamType<SplitJson | undefined> = {
  absent: undefined,
  json(raw, { limits }) {
    const split = splitJson(raw, limits);
    if (!split.ok) return no(split.error);
    return ok(split.value.kind === 'null' ? undefined : split.value);
  },
  uri: (text, options) =>
    HEX_PREFIX.test(text) ? no("got a hex string arg, but expected 'interface'") : rawJson.json(text, options),
};
