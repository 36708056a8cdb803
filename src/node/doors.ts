/** Faces that a page may ask through the port that serves it. */
import { isLoopback, type StreamingHttpHandler } from '../adapters/transport/index.js';
import type { DaemonOptions } from '../config/daemon-options.js';

interface Listening extends Pick<DaemonOptions, 'listen'> {
  readonly jsonRpc: Pick<DaemonOptions['jsonRpc'], 'webSocketAlias'>;
}
export type DoorName = 'comet' | 'rest' | 'metrics';

/** Faces that the application asks through the port that served it; they are filled in while the faces are made. */
export type Doors = Partial<Record<DoorName, StreamingHttpHandler>>;

const isLocal = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** True where no other machine reaches a port of the Ethereum face. */
export function isEthereumLocal({ listen, jsonRpc }: Listening): boolean {
  const addresses = [listen.eth_http, listen.eth_ws, ...(jsonRpc.webSocketAlias ? [jsonRpc.webSocketAlias] : [])];
  return addresses.every(({ host }) => isLocal(host));
}

/** Faces with a door: a face on loopback has none at a port that other machines reach. */
export function doorNames(options: Listening): readonly DoorName[] {
  const names = ['comet', 'rest', 'metrics'] as const;
  return isEthereumLocal(options) ? names : names.filter((name) => !isLocal(options.listen[name].host));
}
