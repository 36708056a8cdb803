/**
 * A real ext4 file system in a file of an XFS file system that shares blocks between copies: a copy of the file is a
 * picture of the disk at one moment, as a power cut would leave it. Needs root, loop devices, mkfs.xfs and mkfs.ext4.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Sizes of the sparse files, which use only the space of written data. */
const OUTER_BYTES = '40G';
const INNER_BYTES = '2G';

export class RealDisk {
  readonly #outer: string;
  readonly #image: string;
  /** Mount point of the disk. */
  readonly mounted: string;
  /** Mount point of the pictures, one at a time. */
  readonly #looking: string;
  #pictures = 0;

  /** Creates the disk in an empty folder. */
  constructor(folder: string) {
    this.#outer = join(folder, 'outer');
    this.#image = join(this.#outer, 'disk.img');
    this.mounted = join(folder, 'disk');
    this.#looking = join(folder, 'picture');
    for (const path of [this.#outer, this.mounted, this.#looking]) mkdirSync(path);
    const file = join(folder, 'outer.img');
    system('truncate', '-s', OUTER_BYTES, file);
    system('mkfs.xfs', '-q', '-m', 'reflink=1', file);
    system('mount', '-o', 'loop', file, this.#outer);
    system('truncate', '-s', INNER_BYTES, this.#image);
    system('mkfs.ext4', '-q', '-F', this.#image);
    system('mount', '-o', 'loop', this.#image, this.mounted);
  }

  /** Takes a picture of the present content of the disk. Returns its file. */
  picture(): string {
    this.#pictures += 1;
    const file = join(this.#outer, `${this.#pictures}.img`);
    system('cp', '--reflink=always', this.#image, file);
    return file;
  }

  /** Mounts a picture, which replays its journal, copies one of its folders to `target`, and removes the picture. */
  take(picture: string, name: string, target: string): void {
    system('mount', '-o', 'loop', picture, this.#looking);
    try {
      cpSync(join(this.#looking, name), target, { recursive: true });
    } finally {
      system('umount', this.#looking);
      rmSync(picture);
    }
  }

  close(): void {
    system('umount', this.mounted);
    system('umount', this.#outer);
  }
}

/** The first reason why this machine cannot make real disks; undefined if it can. */
export function noRealDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root mounts file systems';
  return ['mkfs.xfs', 'mkfs.ext4', 'mount', 'losetup'].find(
    (program) => spawnSync(program, ['-V']).error !== undefined,
  );
}

function system(program: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
