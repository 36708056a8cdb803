/** Vesting accounts (cosmos-sdk v0.53 `x/auth/vesting`); auth's store contains them. */
import type { Module } from '../../sdk/module/module.js';
import { messages } from './messages.js';

export const vestingModule: Module = {
  name: 'vesting',
  consensusVersion: 1n,
  initGenesis: () => undefined,
  exportGenesis: () => ({}),
  messages,
  queries: [],
};
