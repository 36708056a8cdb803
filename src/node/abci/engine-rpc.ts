import { postJson } from '../../adapters/client/http-post.js';
import type { EngineOptions } from '../../config/daemon-options.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Posts bodies of JSON-RPC to the engine; rejects when it cannot be reached, or when its address is not known. */
export function engineRpc({ comet }: Pick<EngineOptions, 'comet'>): (body: string) => Promise<string> {
  return (body) =>
    comet === undefined
      ? Promise.reject(new Error('its address is not known: give it with --comet'))
      : postJson(comet, body, FIXED_LIMITS.engineCallMs);
}
