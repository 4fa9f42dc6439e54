import { type Html, html } from './html.ts'

/** A value under its title, as text or JSON; nothing for nothing. What is beyond `limit` characters is counted. */
export function content(title: string, value: unknown, limit: number): Html | false {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  if (value === null || text === '{}') return false
  const cut = text.length > limit && html`<p class="dim">${text.length - limit} more characters are not shown here.</p>`
  return html`<h2>${title}</h2><pre>${text.slice(0, limit)}</pre>${cut}`
}
