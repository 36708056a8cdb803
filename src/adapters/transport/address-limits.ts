/** Per-address limits. */
import type { Timers } from '../../core/ports/time.js';
import { cachedByText } from './cached-by-text.js';
import { RequestRate } from './request-rate.js';
import type { TransportLimits } from './server.js';

/** Counts websockets per address. */
export class AddressCounter {
  readonly #open = new Map<string, number>();

  constructor(private readonly maximum: number) {}

  /** Number of addresses with an open websocket. */
  get addresses(): number {
    return this.#open.size;
  }

  isFull(address: string): boolean {
    return (this.#open.get(address) ?? 0) >= this.maximum;
  }

  add(address: string): void {
    this.#open.set(address, (this.#open.get(address) ?? 0) + 1);
  }

  remove(address: string): void {
    const left = (this.#open.get(address) ?? 0) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}

/** Enforces per-address limits; loopback is exempt unless `limitLoopback` is set. */
export class AddressLimits {
  readonly #sockets: AddressCounter;
  readonly #rate: RequestRate;

  constructor(
    timers: Timers,
    private readonly limits: Required<TransportLimits>,
  ) {
    this.#sockets = new AddressCounter(limits.webSocketsPerAddress);
    this.#rate = new RequestRate(timers, limits.requestsPerSecond, limits.requestBurst);
  }

  mayOpenSocket(address: string): boolean {
    return this.#isExempt(address) || !this.#sockets.isFull(address);
  }

  socketOpened(address: string): void {
    this.#sockets.add(address);
  }

  socketClosed(address: string): void {
    this.#sockets.remove(address);
  }

  /** True if all clients of a server on `host` are exempt, because it is reachable only from this machine. */
  exemptsAllOf(host: string): boolean {
    return !this.limits.limitLoopback && (host === 'localhost' || isLoopback(host));
  }

  /** Takes a rate-limit token for a request or message; false if none is left. */
  takeToken(address: string): boolean {
    return this.#isExempt(address) || this.#rate.take(address);
  }

  stop(): void {
    this.#rate.stop();
  }

  #isExempt(address: string): boolean {
    return !this.limits.limitLoopback && isLoopback(address);
  }
}

/** True for `127.0.0.0/8` and `::1`, in the notations of both transport libraries. */
export const isLoopback = cachedByText(
  (address) =>
    /^(?:::ffff:|0000:0000:0000:0000:0000:ffff:)?127\./.test(address) ||
    /^(?:::1|(?:0000:){7}0001|0000:0000:0000:0000:0000:ffff:7f[0-9a-f]{2}:[0-9a-f]{4})$/.test(address),
);
