/** All presets of this package, for tests and benchmarks. A node loads only its chain's preset. */
import type { AppVersion } from '../sdk/module/app-version.js';
import { chronicle } from './presets/chronicle.js';
import { evmd } from '../peers/evmd/preset.js';

export { chronicle, evmd };
export { ofModules } from './presets/shared.js';

export const presets: Readonly<Record<string, AppVersion>> = { chronicle, evmd };
