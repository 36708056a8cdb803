import type { HttpHandler, OpenFiles, TransportChoice } from '../adapters/transport/index.js';
import { agentOf, type CallEnd, type OnCall } from '../core/activity/client-call.js';
import type { RefusedSend } from '../core/activity/refused-send.js';
import type { Clock, Timers } from '../core/ports/time.js';

/** Binds a face to the host's hearer of calls, where it has one. */
export function callsOf({ onCall }: Pick<FacesHost, 'onCall'>, face: string): OnCall | undefined {
  return onCall && ((method, client) => onCall(face, method, client));
}

/** Tells the hearer of each request as of a call of its path, and of an answer with the status of a failure. */
export function heardRequests(answer: HttpHandler, onCall: OnCall | undefined): HttpHandler {
  if (onCall === undefined) return answer;
  return async (request) => {
    const ended = onCall(`${request.method} ${request.path}`, agentOf(request.headers.get('user-agent')));
    const response = await answer(request);
    ended(response.status < FIRST_FAILURE ? undefined : response.status);
    return response;
  };
}

/** Statuses from here on are failures (RFC 9110 15). */
const FIRST_FAILURE = 400;

/** The host services that the faces need. */
export interface FacesHost {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Undefined where the system does not say. */
  readonly openFiles: () => OpenFiles | undefined;
  readonly onDefect: (error: unknown) => void;
  /** A client called a method that the face does not have. */
  readonly onUnknownMethod?: ((face: string, method: string) => void) | undefined;
  /** A client calls a method of a face; the answer hears the end of the call. */
  readonly onCall?: ((face: string, method: string, client: string) => CallEnd) | undefined;
  /** A client sent an Ethereum transaction that was refused. */
  readonly onRefusedSend?: ((refused: RefusedSend) => void) | undefined;
  /** A page of this origin was refused; empty when its browser names none. Called once for each origin. */
  readonly onForeignPage: (origin: string) => void;
  /** The library of the HTTP servers. An installed package loads its own; a checkout has the package itself. */
  readonly transport: TransportChoice;
}
