/** Module that upgrade `v2` adds; it stores the height at which it started. */
import { be64, readBe64 } from '../../bytes/big-endian.js';
import type { Module } from '../../sdk/module/module.js';

const STORE = 'sample';
/** Key of the height: eight bytes big-endian. */
const BEGUN_KEY = Uint8Array.of(0);

export const sampleModule: Module = {
  name: 'sample',
  store: STORE,
  consensusVersion: 1n,
  initGenesis: ({ store, height }) => store.set(STORE, BEGUN_KEY, be64(height)),
  exportGenesis: ({ store }) => {
    const begun = store.get(STORE, BEGUN_KEY);
    return begun === undefined ? {} : { begun: readBe64(begun).toString() };
  },
  messages: [],
  queries: [],
};
