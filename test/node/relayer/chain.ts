/** A stand-in for a chain that the relayer reads. */
import { Remote } from '../../../src/node/relayer/remote.js';

export type Json = Readonly<Record<string, unknown>>;

/** A chain whose answer to each method is a function of the parameters. */
export class Chain extends Remote {
  readonly asked: string[] = [];

  constructor(readonly answers: Readonly<Record<string, (params: Json) => Json>>) {
    const account = { bech32: '', hex: '0x', publicKey: new Uint8Array(), privateKey: new Uint8Array() } as never;
    const chain = { chainId: 'a-1', comet: 'http://127.0.0.1', ethereum: undefined, account, denom: 'achr' };
    super({ ...chain, minGasPrice: 0n, isMinedAtOnce: false }, new AbortController().signal);
  }

  override call(method: string, params: Json = {}): Promise<Json> {
    this.asked.push(method);
    return Promise.resolve(this.answers[method]?.(params) ?? {});
  }
}
