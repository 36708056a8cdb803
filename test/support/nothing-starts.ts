/**
 * Setup of the project `unit`: what would start a process, a thread or a server, or open a connection,
 * throws. Files that share a thread also share the modules of Node.js, so this holds from the first file on.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';

refuse(childProcess.ChildProcess.prototype, 'spawn');
for (const name of ['spawnSync', 'execSync', 'execFileSync']) refuse(childProcess, name);
refuse(threads, 'Worker');
refuse(net.Server.prototype, 'listen');
refuse(net.Socket.prototype, 'connect');
syncBuiltinESMExports();

// uWebSockets.js listens by itself; without its binary the transport of Node.js serves, which may not listen.
const load: unknown = Reflect.get(process, 'dlopen');
Reflect.set(process, 'dlopen', (...words: readonly unknown[]): unknown => {
  if (String(words[1]).includes('uws_')) throw new Error('no server in a test of the project unit');
  return typeof load === 'function' ? Reflect.apply(load, process, words) : undefined;
});

function refuse(target: object, name: string): void {
  const refused = function refused(): never {
    throw new Error(`${name} in a test of the project unit: its file belongs to the list in test/projects.ts`);
  };
  Reflect.set(target, name, refused);
}
