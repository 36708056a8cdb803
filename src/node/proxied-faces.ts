/** Faces that the web application may call through the port that serves it. */
import { isLoopback, type StreamingHttpHandler } from '../adapters/transport/index.js';
import type { DaemonOptions } from '../config/daemon-options.js';

interface Listening extends Pick<DaemonOptions, 'listen'> {
  readonly jsonRpc: Pick<DaemonOptions['jsonRpc'], 'webSocketAlias'>;
}
export type ProxiedFaceName = 'comet' | 'rest' | 'metrics';

/** Handlers of proxied faces; filled in while the faces are created. */
export type ProxiedFaces = Partial<Record<ProxiedFaceName, StreamingHttpHandler>>;

const isLocal = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** True if no other machine can reach a port of the Ethereum face. */
export function isEthereumLocal({ listen, jsonRpc }: Listening): boolean {
  const addresses = [listen.eth_http, listen.eth_ws, ...(jsonRpc.webSocketAlias ? [jsonRpc.webSocketAlias] : [])];
  return addresses.every(({ host }) => isLocal(host));
}

/** The proxied faces. A face on loopback is not proxied by a port that other machines can reach. */
export function proxiedFaceNames(options: Listening): readonly ProxiedFaceName[] {
  const names = ['comet', 'rest', 'metrics'] as const;
  return isEthereumLocal(options) ? names : names.filter((name) => !isLocal(options.listen[name].host));
}
