import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '../runtime/host/child-environment.js';

/** The command that opens an address in the desktop's browser; undefined without a desktop. */
export function browserCommand(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  const isDesktop = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => (display ?? '') !== '');
  return isDesktop ? ['xdg-open'] : undefined;
}

/** Opens an address in the browser; false if none was found. */
export async function openPage(address: string): Promise<boolean> {
  const [program, ...words] = browserCommand(process.platform, process.env) ?? [];
  if (program === undefined) return false;
  const started = spawn(program, [...words, address], {
    env: childEnvironment(process.env),
    stdio: 'ignore',
    detached: true,
  });
  try {
    await once(started, 'spawn');
  } catch {
    return false;
  }
  started.unref();
  return true;
}
