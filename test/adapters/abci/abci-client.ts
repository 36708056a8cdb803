/** A consensus engine's side of an ABCI connection. */
import { connect, type Socket } from 'node:net';
import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { configureTextEncoding, getTextEncoding } from '@bufbuild/protobuf/wire';
import type { AbciAddress } from '../../../src/adapters/abci/index.js';
import { frame, FrameReader } from '../../../src/adapters/abci/frames.js';
import { type Response, RequestSchema, ResponseSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { afterwards } from '../../support/temporary.js';
import { encode } from '../../support/encode.js';

export type RequestValue = NonNullable<MessageInitShape<typeof RequestSchema>['value']>;
export type ResponseValue = Response['value'];

const MAXIMUM = 200 * 1024 * 1024;

/** Go texts may hold bytes that are not UTF-8: each is read as the replacement character. */
function readAnswer(message: Uint8Array): Response {
  const usual = getTextEncoding();
  configureTextEncoding({ ...usual, decodeUtf8: (bytes) => usual.decodeUtf8(bytes, false) });
  try {
    return fromBinary(ResponseSchema, message);
  } finally {
    configureTextEncoding(usual);
  }
}

export class AbciClient {
  readonly #socket: Socket;
  readonly #answers: ResponseValue[] = [];
  #waiting: (() => void) | undefined;
  #hasEnded = false;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const frames = new FrameReader(MAXIMUM);
    socket.on('data', (chunk: Uint8Array) => {
      for (const message of frames.push(chunk)) this.#answers.push(readAnswer(message).value);
      this.#waiting?.();
    });
    this.ended = new Promise((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#hasEnded = true;
        this.#waiting?.();
        resolve();
      });
    });
  }

  static connect(address: AbciAddress): Promise<AbciClient> {
    const socket = address.kind === 'unix' ? connect(address.path) : connect(address.port, address.host);
    afterwards(() => void socket.destroy());
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new AbciClient(socket));
      });
    });
  }

  /** Writes requests to the socket in one piece. */
  send(...requests: readonly RequestValue[]): void {
    this.sendBytes(Buffer.concat(requests.map(encoded)));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Ends this side of the connection. */
  end(): void {
    this.#socket.end();
  }

  /** The next answer; rejects when the connection ends first. */
  async next(): Promise<ResponseValue> {
    while (this.#answers.length === 0) {
      if (this.#hasEnded) throw new Error('the connection ended without an answer');
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }

  /** The answer to one request with a flush, as an engine sends it. */
  async call(request: RequestValue): Promise<ResponseValue> {
    this.send(request, { case: 'flush', value: {} });
    const answer = await this.next();
    if (answer.case === 'exception') return answer;
    const flushed = await this.next();
    if (flushed.case !== 'flush') throw new Error(`${flushed.case} in place of the flush`);
    return answer;
  }
}

export function encoded(value: RequestValue): Uint8Array {
  return frame(encode(RequestSchema, { value }));
}
