import { connect, isIP, type ListenOptions, type Server } from 'node:net';
import { lstatSync, rmSync } from 'node:fs';

/** The address at which the server listens. */
export type AbciAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/**
 * `tcp://127.0.0.1:26658`, `unix:///run/chronicle.sock` or `127.0.0.1:26658`, as in CometBFT's option `proxy_app`;
 * undefined for any other text. Port 0 lets the system choose.
 */
export function parseAbciAddress(text: string): AbciAddress | undefined {
  const path = /^unix:\/\/(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'unix', path };
  const match = /^(?:tcp:\/\/)?(\[[0-9a-fA-F:.]+\]|[^:/\s]+):([0-9]{1,5})$/.exec(text);
  const host = match?.[1]?.replace(/^\[|\]$/g, '');
  const port = Number(match?.[2]);
  return host === undefined || port > 65_535 ? undefined : { kind: 'tcp', host, port };
}

/** Formats the address for CometBFT's `proxy_app`. */
export function abciUrl(address: AbciAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`;
  const { host, port } = address;
  return `tcp://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Another process listens on the address. */
export class AddressInUse extends Error {
  override readonly name = 'AddressInUse';
  readonly address: AbciAddress;

  constructor(address: AbciAddress) {
    super(`another process listens on ${abciUrl(address)}`);
    this.address = address;
  }
}

/** The address cannot be listened on; the message says why. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(address: AbciAddress, reason: string) {
    super(`${abciUrl(address)}: ${reason}`);
  }
}

/**
 * Starts listening; resolves with the bound address. Replaces the stale file of a Unix socket that a killed process
 * left. Rejects with AddressInUse or AddressRefused.
 */
export async function listen(server: Server, address: AbciAddress): Promise<AbciAddress> {
  try {
    await listening(server, address);
  } catch (error) {
    if (!isSystemError(error, 'EADDRINUSE')) throw new AddressRefused(address, String(error));
    if (address.kind === 'tcp' || (await isListening(address.path))) throw new AddressInUse(address);
    if (!lstatSync(address.path).isSocket()) throw new AddressRefused(address, 'the file that is there is no socket');
    rmSync(address.path);
    await listening(server, address);
  }
  const bound = server.address();
  return address.kind === 'tcp' && bound !== null && typeof bound === 'object'
    ? { ...address, port: bound.port }
    : address;
}

function listening(server: Server, address: AbciAddress): Promise<void> {
  const options: ListenOptions =
    address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** True if a process accepts connections on the Unix socket. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!isSystemError(error, 'ECONNREFUSED')));
  });
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
