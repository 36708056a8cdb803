/** Breaks down the memory of a process: mappings by kind, and objects of its heaps. */
import { readFileSync } from 'node:fs';

const KIB = 1_024;

/**
 * Resident bytes of a process by kind of mapping, from `/proc/<pid>/smaps` (Linux): database tables, which LevelDB
 * maps and the system reclaims when it needs memory; programs and libraries; and all else, which is heaps, buffers,
 * the WebAssembly of the engine and compiled code. @param {number} pid
 */
export function residentParts(pid) {
  const parts = { tables: 0, programs: 0, anonymous: 0 };
  let kind = 'anonymous';
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line);
    if (mapping !== null) kind = kindOf(mapping[1]);
    const resident = /^Rss: +(\d+) kB/.exec(line);
    if (resident !== null) parts[kind] += Number(resident[1]) * KIB;
  }
  return parts;
}

function kindOf(path) {
  if (/\.ldb( \(deleted\))?$/.test(path)) return 'tables';
  return path.startsWith('/') ? 'programs' : 'anonymous';
}

/** Objects of a heap snapshot by kind and name: count and own size in bytes. @param {string} file */
export function objectsOf(file) {
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8'));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  const objects = new Map();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type]];
    const isNamed = kind === 'object' || kind === 'closure' || kind === 'native' || kind === 'hidden';
    const key = isNamed ? `${kind} ${strings[nodes[at + name]].slice(0, 60)}` : kind;
    const known = objects.get(key) ?? { count: 0, bytes: 0 };
    known.count += 1;
    known.bytes += nodes[at + size];
    objects.set(key, known);
  }
  return objects;
}

/** The kinds with the largest growth in bytes between two snapshots. @param {number} [most] */
export function growth(before, after, most = 8) {
  return [...after]
    .map(([name, { count, bytes }]) => {
      const first = before.get(name) ?? { count: 0, bytes: 0 };
      return { name, count: count - first.count, bytes: bytes - first.bytes };
    })
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, most);
}

/** Total size of all objects in bytes. */
export function bytesOf(objects) {
  return [...objects.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}
