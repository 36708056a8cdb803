/** The presets of this package, for tests and measurements of all of them. A node loads the one of its chain. */
import type { AppVersion } from '../sdk/module/app-version.js';
import { chronicle } from './presets/chronicle.js';
import { evmd } from '../peers/evmd/preset.js';

export { chronicle, evmd };
export { ofModules } from './presets/shared.js';

export const presets: Readonly<Record<string, AppVersion>> = { chronicle, evmd };
