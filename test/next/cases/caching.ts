import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Service } from '../../support/service.ts'
import { folderOf } from '../app.ts'
import { type Answered, answersOnEachNode, type How } from './answers.ts'

/** What a file answers, made by a function that is kept in each of these ways. */
const KEPT = {
  cached: `'use cache'`,
  living: `'use cache'\n  cacheLife({ stale: 1, revalidate: 1, expire: 600 })`,
  short: `'use cache'\n  cacheLife('seconds')`,
  tagged: `'use cache'\n  cacheTag('made')`,
  remote: `'use cache: remote'`,
  private: `'use cache: private'\n  await cookies()`,
  request: `await headers()`,
  connected: `await connection()`,
} as const
type Kept = keyof typeof KEPT

/** All of us, around a function. */
const observed = (work: string) => `svcUser(() => 'one').then(() => svcObserve('observed', () =>
    svcShare().then(() => withSvcAction({}, ${work})())))`

/** Where all of us stand: around the function that is kept, or in it. */
const WHERE = ['around', 'inside'] as const
type Where = (typeof WHERE)[number]

interface Cell {
  readonly kind: 'route' | 'page'
  readonly kept: Kept
  readonly where: Where
}

const cells: readonly Cell[] = (Object.keys(KEPT) as Kept[]).flatMap((kept) =>
  WHERE.flatMap((where) => [
    // It is kept by a browser, for a page.
    ...(kept === 'private' ? [] : [{ kind: 'route', kept, where } as const]),
    { kind: 'page', kept, where } as const,
  ]),
)

/** Writes the files of the cells into the application, which is built afterwards. */
export function makeCachingCells(): void {
  const folder = folderOf('cache-app', 'app', 'made')
  rmSync(folder, { recursive: true, force: true })
  for (const cell of cells) {
    for (const how of ['bare', 'svc'] as const) {
      const file = join(folder, cell.kind, cell.kept, cell.where, how, `${cell.kind}.js`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, sourceOf(cell, how))
    }
  }
}

function sourceOf({ kind, kept, where }: Cell, how: How): string {
  const isSvc = how === 'svc'
  const made = isSvc && where === 'inside' ? `await ${observed('async () => text()')}` : 'text()'
  const asked = isSvc && where === 'around' ? `await ${observed('kept')}` : 'await kept()'
  const route = `async () => Response.json(${asked})`
  return `import { svcObserve, svcShare, svcUser, withSvc, withSvcAction } from '@svc/next'
import { cacheLife, cacheTag } from 'next/cache'
import { cookies, headers } from 'next/headers'
import { connection } from 'next/server'
import { Suspense } from 'react'

const text = () => \`made at \${performance.now()}\`

async function kept() {
  ${KEPT[kept]}
  return ${made}
}
${
  kind === 'route'
    ? `export const GET = ${isSvc ? `withSvc({ traceHeader: true, user: 'one', session: () => 'two' }, ${route})` : route}`
    : `async function Made() {
  return <p>{${asked}}</p>
}
export default () => <Suspense fallback="soon"><Made /></Suspense>`
}
`
}

const answered = ({ kind, kept, where }: Cell): Answered => ({
  title: `${kind} whose work is ${kept}, with us ${where} it,`,
  // Of a page that has a part for each request, the rest stays as it was built.
  isRenewed: kind === 'route' && (kept === 'living' || kept === 'short'),
  addressOf: (how) => `/made/${kind}/${kept}/${where}/${how}`,
})

/** The files of {@link makeCachingCells}, each in both forms. */
export function caching(service: () => Service): void {
  answersOnEachNode(service, 'cache-app', cells.map(answered))
}
