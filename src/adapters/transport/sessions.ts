import type { Message } from './message.js';
import type { Socket, WebSocketHandler } from './server.js';

/** The handler of one websocket, provided by a face. */
export interface Session {
  /** Receives a message; the session must release it. */
  onMessage(message: Message): void;
  /** Implements `WebSocketHandler.noRoom`. */
  onNoRoom(bytes: Buffer, reason: string): boolean;
  /** Called when the socket's buffer is empty again. */
  onDrain(): void;
  /** Called when the client has read nothing for too long: the session sends final messages and closes the socket. */
  onStalled(): void;
  onClose(): void;
  /** Ends the session with this reason. */
  stop(reason: string): void;
}

/** The open sessions of a face, one per socket. */
export interface Sessions {
  readonly handler: WebSocketHandler;
  /** Number of open sessions. */
  count(): number;
  /** Ends all sessions. */
  stop(reason: string): void;
}

/** Creates a session for each new socket, and forwards the socket's events to it. */
export function createSessions(create: (socket: Socket) => Session): Sessions {
  const sessions = new Map<Socket, Session>();
  return {
    handler: {
      open: (socket) => void sessions.set(socket, create(socket)),
      message(socket, message) {
        const session = sessions.get(socket);
        if (session === undefined) message.release();
        else session.onMessage(message);
      },
      noRoom: (socket, bytes, reason) => sessions.get(socket)?.onNoRoom(bytes, reason) ?? false,
      drain: (socket) => sessions.get(socket)?.onDrain(),
      stalled: (socket) => sessions.get(socket)?.onStalled(),
      close(socket) {
        sessions.get(socket)?.onClose();
        sessions.delete(socket);
      },
    },
    count: () => sessions.size,
    stop(reason) {
      for (const session of [...sessions.values()]) session.stop(reason);
    },
  };
}
