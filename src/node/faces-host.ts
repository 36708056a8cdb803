import type { HttpHandler, OpenFiles, TransportChoice } from '../adapters/transport/index.js';
import { agentOf, type CallEnd, type OnCall } from '../core/activity/client-call.js';
import type { RefusedSend } from '../core/activity/refused-send.js';
import type { Clock, Timers } from '../core/ports/time.js';

/** Returns the host's `onCall` bound to a face, if the host has one. */
export function callsOf({ onCall }: Pick<FacesHost, 'onCall'>, face: string): OnCall | undefined {
  return onCall && ((method, client) => onCall(face, method, client));
}

/** Wraps a handler: reports each request to `onCall` with its path as method, and error statuses as failures. */
export function reportingRequests(answer: HttpHandler, onCall: OnCall | undefined): HttpHandler {
  if (onCall === undefined) return answer;
  return async (request) => {
    const ended = onCall(`${request.method} ${request.path}`, agentOf(request.headers.get('user-agent')));
    const response = await answer(request);
    ended(response.status < FIRST_FAILURE ? undefined : response.status);
    return response;
  };
}

/** HTTP statuses from this one on are errors (RFC 9110 15). */
const FIRST_FAILURE = 400;

/** The host services that the faces need. */
export interface FacesHost {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Open file descriptors and their limit; undefined if the system does not report them. */
  readonly openFiles: () => OpenFiles | undefined;
  readonly onDefect: (error: unknown) => void;
  /** A client called a method that the face does not have. */
  readonly onUnknownMethod?: ((face: string, method: string) => void) | undefined;
  /** Called when a client's call begins; returns the function to call at its end. */
  readonly onCall?: ((face: string, method: string, client: string) => CallEnd) | undefined;
  /** A client sent an Ethereum transaction that was refused. */
  readonly onRefusedSend?: ((refused: RefusedSend) => void) | undefined;
  /** Called once for each web origin that was rejected; empty if the browser sent none. */
  readonly onForeignPage: (origin: string) => void;
  /** The library of the HTTP servers. An installed package loads its own; a checkout has the package itself. */
  readonly transport: TransportChoice;
}
