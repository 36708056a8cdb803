/**
 * The environment of programs of ours, which talk to 127.0.0.1 alone: without the certificates of the machine. Where
 * `NODE_EXTRA_CA_CERTS` names them, each start of Node.js reads all of them, 30 ms of a processor, two thirds of an
 * empty start. npm and other programs that may ask a registry keep them.
 */
export function ownEnvironment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  return { ...own, ...more };
}
