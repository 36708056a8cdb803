/**
 * Which modules share a chunk: those that the same kinds of process use (docs/decisions/0007-modules-at-start.md). Left
 * alone, the bundler makes a chunk for each set of entries, and each lazily loaded part is one; a start would read a
 * hundred small chunks, and each name that one chunk takes from another costs a getter.
 */

/**
 * Kinds of use, by the entry's path in `src` without its ending; the first that fits. Other entries are a kind of their
 * own, such as a preset.
 */
const KINDS = [
  ['command', /^cli\/main$/],
  ['run', /^cli\/daemon\/run$/],
  ['executor', /^runtime\/workers\/executor$/],
  ['pool', /^runtime\/workers\/(pool|indexer)$/],
  ['recovery', /^runtime\/workers\/recovery$/],
  ['node', /^(index|node\/daemon|runtime\/load-preset|library\/.*)$/],
  ['rpc', /^adapters\/client\/json-rpc-client$/],
  ['query', /^cli\/commands\/(query-.*|interfaces)$/],
  ['tx', /^cli\/commands\/(tx-.*|gentx|genesis|faucet|draft-proposal|keys-transfer)$/],
  ['client', /^(cli\/(?!daemon\/|compare\/|main$).*|core\/keys\/mnemonic)$/],
  [
    'later',
    /^(adapters\/(grpc|rest|services|transport)\/.*|node\/activity\/.*|cli\/daemon\/.*|store\/temporary-folder)$/,
  ],
];
/** Kinds of processes and threads whose start counts; what none of them uses is left to the bundler. */
const STARTS = /^(command|run|executor|pool|recovery|node|core\/app\/presets\/.*)$/;

/**
 * A plugin that reads the graph of modules, and the name of the chunk of each module of ours or of a bundled package.
 * @param {string} sources the folder `src`, with a slash
 */
export function chunksByUse(sources) {
  /** @type {Map<string, string>} */
  let names = new Map();
  const plugin = {
    name: 'chunks-by-use',
    buildEnd() {
      const infos = [...this.getModuleIds()].map((id) => [id, this.getModuleInfo(id)]);
      names = chunkNames(new Map(infos.filter(([, { isExternal }]) => isExternal !== true)), sources);
    },
  };
  return { plugin, nameOf: (id) => names.get(id) ?? null };
}

/** @param {ReadonlyMap<string, import('rolldown').ModuleInfo>} modules */
function chunkNames(modules, sources) {
  const known = (ids) => ids.filter((id) => modules.has(id));
  const closures = new Map();
  const closureOf = (entry) => {
    const found = closures.get(entry);
    if (found !== undefined) return found;
    const closure = new Set([entry]);
    for (const id of closure) for (const imported of known(modules.get(id).importedIds)) closure.add(imported);
    closures.set(entry, closure);
    return closure;
  };
  const first = [...modules.keys()].filter((id) => modules.get(id).isEntry);
  const importers = new Map();
  for (const [id, { dynamicallyImportedIds }] of modules)
    for (const later of known(dynamicallyImportedIds)) importers.set(later, [...(importers.get(later) ?? []), id]);
  for (const entry of first) importers.delete(entry);
  const entries = [...first, ...importers.keys()];
  const users = new Map([...modules.keys()].map((id) => [id, entries.filter((entry) => closureOf(entry).has(id))]));

  // Modules that are loaded whenever an entry begins to load, from all modules down: what all its importers have.
  const before = new Map(entries.map((entry) => [entry, new Set(first.includes(entry) ? [] : modules.keys())]));
  const loadedWith = (id) => common(users.get(id).map((entry) => new Set([...closureOf(entry), ...before.get(entry)])));
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const [entry, ids] of importers) {
      const loaded = common(ids.map(loadedWith));
      if (loaded.size === before.get(entry).size) continue;
      before.set(entry, loaded);
      isSettled = false;
    }
  }
  const nameOf = (id) => {
    const kinds = new Set(
      users
        .get(id)
        .filter((entry) => !before.get(entry).has(id))
        .map((entry) => kindOf(entry, sources)),
    );
    // What a node has loaded need not be kept apart for what it loads later.
    if (kinds.has('node')) kinds.delete('later');
    if (![...kinds].some((kind) => STARTS.test(kind))) return null;
    return [...kinds]
      .map((kind) => kind.split('/').at(-1))
      .toSorted()
      .join('-');
  };
  // An entry that shares its chunk would run wherever another module of the chunk is needed.
  return new Map([...modules.keys()].filter((id) => !first.includes(id)).map((id) => [id, nameOf(id)]));
}

/** @param {string} entry */
function kindOf(entry, sources) {
  const path = entry.replace(sources, '').replace(/\.ts$/, '');
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? path;
}

/** What all sets have. @param {readonly ReadonlySet<string>[]} sets */
function common([first = new Set(), ...others]) {
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}
