/** The link to the web application on the pages of other faces. */
import { byId, link } from './dom.js';

/** Adds the link, if the Ethereum face is open. */
export async function linkApplication(): Promise<void> {
  const answer = await fetch('/_page/node.json');
  const { ports } = (await answer.json()) as { readonly ports: { readonly eth_http?: number } };
  if (ports.eth_http === undefined) return;
  byId('application').append(link(`http://${location.hostname}:${ports.eth_http}/`, 'Open the explorer of this chain'));
}
