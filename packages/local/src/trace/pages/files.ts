import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { own } from '@svc/core/own'
import { type Answer, notFound } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'

// From `src` as from `dist`: where `vite build` puts it.
const BUILT = fileURLToPath(new URL('../../../dist/page/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// The page shows untrusted content: only its own script runs, nothing is loaded from elsewhere, and it cannot be framed.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "connect-src 'self' data:",
  // A PDF, which the page has made of its bytes.
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
}

const NOT_BUILT =
  '<!doctype html><title>svc-local</title><p>The page is not built. In its repository: <code>pnpm build</code>'

interface Built {
  readonly page: string
  readonly assets: ReadonlyMap<string, Uint8Array>
}

let built: Built | undefined

/** The page, under whichever of its addresses. */
export function showViewer(): Answer {
  return { status: 200, headers: HEADERS, body: filesBuilt()?.page ?? NOT_BUILT }
}

/** `GET /assets/{file}`: script and style of the page. Their names change with their content. */
export function getAsset({ params }: Call): Answer {
  const name = params.file ?? ''
  const body = filesBuilt()?.assets.get(name)
  if (!body) throw notFound(`No file ${name}`)
  const type = own(TYPES, extname(name)) ?? 'application/octet-stream'
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'max-age=31536000, immutable' }, body }
}

function filesBuilt(): Built | undefined {
  built ??= readBuilt()
  return built
}

function readBuilt(): Built | undefined {
  try {
    const folder = join(BUILT, 'assets')
    const assets = readdirSync(folder).map((name): [string, Uint8Array] => [name, readFileSync(join(folder, name))])
    return { page: readFileSync(join(BUILT, 'index.html'), 'utf8'), assets: new Map(assets) }
  } catch {
    return undefined
  }
}
