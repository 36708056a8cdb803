import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { printableLine } from '../../core/text/printable.js';

/** State of a socket that listens, in `/proc/net/tcp` (proc(5)). */
const LISTENS = '0A';
const LONGEST_COMMAND = 60;

/**
 * The processes that listen on TCP ports of this machine, as a person may read them, by port. Linux tells of processes
 * of the same user alone, and other systems of none: a port without a known owner is left out.
 */
export function portOwners(ports: readonly number[]): ReadonlyMap<number, string> {
  const sockets = new Map(listeners().filter(([, port]) => ports.includes(port)));
  const owners = new Map<number, string>();
  if (sockets.size === 0) return owners;
  for (const id of entries('/proc').filter((name) => /^[0-9]+$/.test(name)))
    for (const file of entries(`/proc/${id}/fd`)) {
      const port = sockets.get(socketOf(`/proc/${id}/fd/${file}`) ?? '');
      if (port !== undefined) owners.set(port, `${JSON.stringify(commandOf(id))} (process ${id})`);
    }
  return owners;
}

/** Inodes of sockets that listen, with their ports. */
function listeners(): readonly (readonly [inode: string, port: number])[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    (textOf(file) ?? '').split('\n').flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === LISTENS ? [[inode, Number.parseInt(local.split(':')[1] ?? '', 16)] as const] : [];
    }),
  );
}

function socketOf(file: string): string | undefined {
  try {
    return /^socket:\[([0-9]+)\]$/.exec(readlinkSync(file))?.[1];
  } catch {
    // The process ended, or closed the file.
    return undefined;
  }
}

/** The command without its options, which may have secrets, such as a mnemonic. */
function commandOf(id: string): string {
  const all = (textOf(`/proc/${id}/cmdline`) ?? '').split('\0');
  const end = all.findIndex((word) => word.startsWith('-'));
  const words = printableLine(all.slice(0, end < 0 ? all.length : end).join(' ')).trim();
  return words.length > LONGEST_COMMAND ? `${words.slice(0, LONGEST_COMMAND)}...` : words;
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process ended, or is of another user; or the system has no such folder.
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
