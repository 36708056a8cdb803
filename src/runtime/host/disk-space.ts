import { statfs } from 'node:fs/promises';

/** Space of a file system, bytes. */
export interface DiskSpace {
  /** Bytes available to this process. */
  readonly free: bigint;
  readonly size: bigint;
}

/** Space of the file system that contains `location`; undefined when the system does not say. */
export async function diskSpace(location: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(location, { bigint: true });
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}
