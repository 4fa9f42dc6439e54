import { PROJECT } from '../api/about.ts'
import { type Html, html } from './html.ts'

/** What the list of traces can be narrowed to: query parameter, column, and how the page calls it. */
export const NARROWINGS = [
  { parameter: 'user', column: 'userId', called: 'user' },
  { parameter: 'session', column: 'sessionId', called: 'session' },
] as const

/** A user or session, as a link to its traces. */
export function traceLink(parameter: (typeof NARROWINGS)[number]['parameter'], id: string | null): Html | null {
  return id === null ? null : html`<a href="/?${parameter}=${encodeURIComponent(id)}">${id}</a>`
}

/** An experiment, as a link to its page: the one that the client gives out. */
export function experimentLink({ id, name }: { readonly id: string; readonly name: string }): Html {
  return html`<a href="/project/${PROJECT.id}/experiments/results?baseline=${encodeURIComponent(id)}">${name}</a>`
}
