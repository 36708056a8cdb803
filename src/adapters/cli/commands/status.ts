import type { CommandContext } from '../context.js';

/** `status`: what the node says of itself, one line of JSON whatever the output, as supervisors read it (application-modules.md 1.5). */
export async function status({ rpc, ports }: CommandContext): Promise<void> {
  ports.stdout(`${JSON.stringify(await rpc.call('status'))}\n`);
}
