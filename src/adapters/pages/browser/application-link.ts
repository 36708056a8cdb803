/** A link to the application from the page of another face. */
import { byId, link } from './dom.js';

/** Shows where the application is, if its face is open. */
export async function linkApplication(): Promise<void> {
  const answer = await fetch('/_page/node.json');
  const { ports } = (await answer.json()) as { readonly ports: { readonly eth_http?: number } };
  if (ports.eth_http === undefined) return;
  byId('application').append(link(`http://${location.hostname}:${ports.eth_http}/`, 'Open the explorer of this chain'));
}
