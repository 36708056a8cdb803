/** Folders whose tests start processes, threads or servers, or open connections. */
const FOLDERS = ['attacks', 'clients', 'e2e', 'network', 'package', 'peer'];

/** Files of other folders that do so, by the end of their paths. */
export const FILES = ['abci/server.test.ts'];

/** The files of the project `process`, as patterns; all others are of the project `unit`. */
export const PROCESS = [`test/{${FOLDERS.join(',')}}/**/*.test.ts`, ...FILES.map((end) => `test/**/${end}`)];
