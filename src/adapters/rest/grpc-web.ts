/**
 * gRPC-web: unary calls over HTTP/1.1 in length-prefixed frames, binary or base64 (gRPC specification, PROTOCOL-WEB).
 * A failed call has an empty body and its status in the headers, as in a Go node.
 */
import { HEIGHT_HEADER, parseHeight, refusal, STATUS, type Refusal, type ServiceTable } from '../services/index.js';
import type { HttpRequest, HttpResponse } from '../transport/index.js';
import { bytesOfText } from './request/base64.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Content types of gRPC-web begin with this text. */
const TYPE = 'application/grpc-web';
const TEXT_TYPE = 'application/grpc-web-text';
/** Frame prefix: flags, and the message length in four bytes. */
const PREFIX_BYTES = 5;
const COMPRESSED = 1;
const TRAILER = 0x80;
const OK_TRAILER = new TextEncoder().encode('grpc-status: 0\r\n');

/** True for a gRPC-web request, by its method and content type. */
export function isGrpcWeb({ method, headers }: HttpRequest): boolean {
  return method === 'POST' && headers.get('content-type')?.startsWith(TYPE) === true;
}

/** Handles a gRPC-web request. `errorText`: maximum characters of an error text, because it becomes a header. */
export async function answerGrpcWeb(
  call: ServiceTable['call'],
  errorText: number,
  request: HttpRequest,
): Promise<HttpResponse> {
  const asText = request.headers.get('content-type')?.startsWith(TEXT_TYPE) === true;
  const type = { 'content-type': asText ? `${TEXT_TYPE}+proto` : `${TYPE}+proto` };
  const height = parseHeight(request.headers.get(HEIGHT_HEADER));
  if (!height.ok) return failed(height, type, errorText);
  const message = readMessage(request.body, asText);
  if (!message.ok) return failed(message, type, errorText);
  const answer = await call(request.path, message.value, height.height);
  const headers = { ...type, ...(answer.height !== undefined && { [HEIGHT_HEADER]: String(answer.height) }) };
  if (!answer.ok) return failed(answer, headers, errorText);
  const body = Buffer.concat([
    prefix(0, answer.value.length),
    answer.value,
    prefix(TRAILER, OK_TRAILER.length),
    OK_TRAILER,
  ]);
  return { status: 200, headers, body: asText ? body.toString('base64') : body };
}

/** Reads the first message of a request; an empty body is an empty message. */
function readMessage(body: Uint8Array, asText: boolean): { readonly ok: true; readonly value: Uint8Array } | Refusal {
  const bytes = asText ? textBytes(body) : body;
  if (bytes === undefined) return refusal(STATUS.internal, 'the request is not base64');
  if (bytes.length === 0) return { ok: true, value: bytes };
  const length = bytes.length < PREFIX_BYTES ? Number.NaN : new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const value = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + length);
  if (value.length !== length) return refusal(STATUS.internal, 'the message is shorter than its prefix says');
  if (((bytes[0] ?? 0) & COMPRESSED) !== 0)
    return refusal(STATUS.unimplemented, 'grpc: compressed messages are not supported');
  return { ok: true, value };
}

/** Decodes base64 with padding inside the text, because each frame is encoded separately. */
function textBytes(body: Uint8Array): Uint8Array | undefined {
  const text = new TextDecoder().decode(body);
  const parts: string[] = [];
  for (const [part] of text.matchAll(/[^=]+={0,2}/g)) {
    if (parts.push(part) > FIXED_LIMITS.grpcWebFrames) return undefined;
  }
  const decoded = parts.map(bytesOfText);
  return decoded.every((part) => part.ok)
    ? Uint8Array.from(Buffer.concat(decoded.map(({ value }) => value)))
    : undefined;
}

function prefix(flags: number, length: number): Uint8Array {
  const bytes = new Uint8Array(PREFIX_BYTES);
  bytes[0] = flags;
  new DataView(bytes.buffer).setUint32(1, length);
  return bytes;
}

function failed(
  { code, message }: Refusal,
  headers: Readonly<Record<string, string>>,
  errorText: number,
): HttpResponse {
  const text = message.length > errorText ? `${message.slice(0, errorText)}...` : message;
  return {
    status: 200,
    headers: { ...headers, 'grpc-status': String(code), 'grpc-message': headerText(text) },
    body: '',
  };
}

/** Percent-encodes characters that are not allowed in a header (gRPC specification, PROTOCOL-HTTP2). */
function headerText(message: string): string {
  return message.replace(/[^\x20-\x24\x26-\x7e]+/gu, (part) => {
    let text = '';
    for (const byte of new TextEncoder().encode(part)) text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    return text;
  });
}
