import { postJson } from '../../adapters/client/http-post.js';
import type { EngineOptions } from '../../config/daemon-options.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** The address of the engine's RPC is not configured. */
export class EngineAddressUnknown extends Error {
  constructor() {
    super('its address is not known: give it with --comet');
  }
}

/** Posts bodies of JSON-RPC to the engine; rejects when it cannot be reached, or with EngineAddressUnknown. */
export function engineRpc({ comet }: Pick<EngineOptions, 'comet'>): (body: string) => Promise<string> {
  return (body) =>
    comet === undefined ? Promise.reject(new EngineAddressUnknown()) : postJson(comet, body, FIXED_LIMITS.engineCallMs);
}
