import { createHash } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { Html, html } from './html.ts'
import { STYLE } from './style.ts'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

// The page shows what strangers' models wrote: no script runs, nothing is loaded, nobody may frame it.
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** A whole page around its content. */
export function page(title: string, content: Html, status = 200): Answer {
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${new Html(STYLE)}</style></head>
<body>${content}</body></html>
`
  return { status, headers: HEADERS, body: markup }
}
