import type { Socket } from 'node:net';
import { type AbciApplication, AbciRefused } from '../../core/abci/abci-application.js';
import type { OnCall } from '../../core/activity/client-call.js';
import { concatAll } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { printableLine } from '../../core/text/printable.js';
import { type AbciRequest, answer, exception, readRequest } from './answer.js';
import { type AbciRole, roleOf } from './connection-role.js';
import { type ConsensusSeat, ConnectionClosed } from './consensus-seat.js';
import type { AbciCounters } from './counters.js';
import { frame, FrameReader, MalformedMessage } from './frames.js';

/** Logger of connection events. */
export interface AbciLog {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Dependencies that all connections of a server share. */
export interface ConnectionHost {
  readonly app: AbciApplication;
  readonly seat: ConsensusSeat;
  readonly counters: AbciCounters;
  readonly log: AbciLog;
  /** Maximum length of a message in bytes. */
  readonly messageBytes: number;
  /** Called when the application fails unexpectedly (not with AbciRefused). */
  readonly onFailure: (error: unknown) => void;
  readonly onCall: OnCall | undefined;
}

/** Error code reported to `onCall` for an exception; ABCI has no codes. */
const FAILED = 1;

const SECOND_ENGINE = 'another consensus engine drives this application: stop it first, or give each one its own';

/**
 * One connection. Requests are handled one at a time, in order. Responses are buffered, and sent at a Flush request
 * or when no request is queued.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  readonly #peer: string;
  readonly #frames: FrameReader;
  /** Queued messages and their total bytes. */
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Buffered responses and their total bytes. */
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #isWorking = false;
  /** The framing error that stopped reading; reported after the earlier messages are answered. */
  #fault: MalformedMessage | undefined;
  #role: AbciRole | undefined;
  /** True once nothing more is handled or answered. */
  #hasEnded = false;
  /** Resolver of the wait for the socket's drain. */
  #drained: (() => void) | undefined;

  constructor(socket: Socket, host: ConnectionHost, peer: string) {
    this.#socket = socket;
    this.#host = host;
    this.#peer = peer;
    this.#frames = new FrameReader(host.messageBytes);
    socket.on('data', (chunk: Uint8Array) => this.#read(chunk));
    socket.on('drain', () => this.#drained?.());
    socket.on('end', () => this.#peerEnded());
    socket.on('error', (error) => this.#report(`connection lost: ${error.message}`));
    socket.on('close', () => this.#closed());
  }

  /** Closes the connection without a response, because the process stops. */
  end(): void {
    this.#hasEnded = true;
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    this.#host.counters.bytesRead += chunk.length;
    // Keep reading after the end: with unread bytes the system would reset the connection and drop the last response.
    if (this.#hasEnded || this.#fault !== undefined) return;
    try {
      for (const message of this.#frames.push(chunk)) {
        this.#waiting.push(message);
        this.#waitingBytes += message.length;
      }
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#fault = error;
    }
    const { abciWaitingRequests, abciMessageBytes } = FIXED_LIMITS;
    if (this.#waiting.length > abciWaitingRequests || this.#waitingBytes > abciMessageBytes) this.#socket.pause();
    void this.#work();
  }

  /** Handles the queued messages. Never rejects. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (;;) {
      const message = this.#hasEnded ? undefined : this.#waiting.shift();
      if (message === undefined) break;
      this.#waitingBytes -= message.length;
      await this.#handle(message);
    }
    this.#isWorking = false;
    if (this.#hasEnded) return;
    if (this.#fault !== undefined) this.#refuse(this.#fault.message);
    else {
      await this.#send();
      this.#socket.resume();
    }
  }

  async #handle(message: Uint8Array): Promise<void> {
    try {
      const request = readRequest(message);
      if (!this.#take(request)) return;
      const call = (): Promise<Uint8Array> => this.#answer(request);
      const answered = await this.#host.counters.timed(request.case, () =>
        roleOf(request.case) === 'consensus' ? this.#host.seat.run(this, call) : call(),
      );
      this.#gather(frame(answered));
      if (request.case === 'flush' || this.#gatheredBytes > FIXED_LIMITS.abciGatheredBytes) await this.#send();
    } catch (error) {
      if (error instanceof ConnectionClosed) return;
      this.#refuse(error instanceof Error ? error.message : String(error));
      if (!(error instanceof MalformedMessage || error instanceof AbciRefused)) this.#host.onFailure(error);
    }
  }

  /** Gets the response from the application and reports the call. Flush is not reported, because it calls nothing. */
  async #answer(request: AbciRequest): Promise<Uint8Array> {
    const { app, onCall } = this.#host;
    const isHeard = request.case !== 'flush';
    const ended = isHeard ? onCall?.(request.case, `${this.#role ?? 'any'} connection`) : undefined;
    try {
      const answered = await answer(app, request);
      ended?.();
      return answered;
    } catch (error) {
      ended?.(FAILED);
      throw error;
    }
  }

  /** Determines the connection's role; false if another engine has the consensus connection. */
  #take(request: AbciRequest): boolean {
    const role = roleOf(request.case);
    if (role === undefined) return true;
    if (this.#role === undefined) {
      this.#role = role;
      this.#host.counters.changeConnections(role, 1);
      if (role === 'query') this.#host.app.engineBegan?.();
    }
    if (role !== 'consensus' || this.#host.seat.take(this)) return true;
    this.#refuse(SECOND_ENGINE);
    return false;
  }

  #gather(answered: Uint8Array): void {
    this.#gathered.push(answered);
    this.#gatheredBytes += answered.length;
  }

  /** Writes the buffered responses, and waits until the socket has drained. */
  async #send(): Promise<void> {
    const bytes = concatAll(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.#hasEnded || bytes.length === 0) return;
    this.#host.counters.bytesWritten += bytes.length;
    if (this.#socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    this.#drained = undefined;
  }

  /** Sends an exception with the reason, and closes the connection. */
  #refuse(reason: string): void {
    if (this.#hasEnded) return;
    this.#gather(frame(exception(reason)));
    const last = concatAll(this.#gathered);
    this.#hasEnded = true;
    this.#host.counters.ended += 1;
    this.#report(reason);
    this.#host.counters.bytesWritten += last.length;
    this.#socket.end(last);
    this.#socket.resume();
    this.#socket.setTimeout(FIXED_LIMITS.abciLingerMs, () => this.#socket.destroy());
  }

  #peerEnded(): void {
    if (this.#frames.isWithin && !this.#hasEnded) this.#report('the connection ended within a message');
    this.end();
  }

  #closed(): void {
    this.#hasEnded = true;
    this.#drained?.();
    this.#host.seat.leave(this);
    if (this.#role !== undefined) this.#host.counters.changeConnections(this.#role, -1);
    if (this.#role === 'consensus') this.#host.log.info('ABCI: the consensus engine is gone', { peer: this.#peer });
  }

  #report(reason: string): void {
    this.#host.log.error(`ABCI: ${printableLine(reason)}`, {
      peer: this.#peer,
      ...(this.#role !== undefined && { connection: this.#role }),
    });
  }
}
