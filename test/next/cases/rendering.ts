import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type App, folderOf } from '../app.ts'

/** How Next is told to render a file. */
const MODES = {
  auto: '',
  dynamic: `export const dynamic = 'force-dynamic'`,
  static: `export const dynamic = 'force-static'`,
  error: `export const dynamic = 'error'`,
  revalidated: `export const revalidate = 1`,
  'static-revalidated': `export const dynamic = 'force-static'\nexport const revalidate = 1`,
  listed: `export const revalidate = 1
export const generateStaticParams = () => ['bare', 'svc'].map((how) => ({ path: [how, 'built'] }))`,
} as const
type Mode = keyof typeof MODES

/** The work of a file without us, and with all of us that it may have. */
const HOW = {
  bare: { route: 'work', page: 'work' },
  svc: {
    route: `withSvc({ traceHeader: true, user: 'one', session: () => 'two' }, async (request, context) => {
  await svcShare()
  return svcObserve('observed', () => withSvcAction({}, () => work(request, context))())
})`,
    page: `async (props) => {
  await svcUser(() => 'one')
  return svcObserve('observed', async () => {
    await svcShare()
    return withSvcAction({}, () => work(props))()
  })
}`,
  },
} as const
type How = keyof typeof HOW

interface Cell {
  readonly kind: 'route' | 'page'
  readonly mode: Mode
  readonly hasParams: boolean
  readonly title: string
}

// Of pages those that have something to lose. One without parameters is like one whose parameters are listed.
const cells: readonly Cell[] = (Object.keys(MODES) as Mode[]).flatMap((mode) => {
  const cell = (kind: Cell['kind'], hasParams: boolean) => {
    return { kind, mode, hasParams, title: `${kind} ${mode} ${hasParams ? 'with' : 'without'} parameters` }
  }
  const isKept = !['auto', 'dynamic'].includes(mode)
  return [
    cell('route', true),
    ...(isKept ? [cell('page', true)] : []),
    ...(isKept && mode !== 'listed' ? [cell('route', false)] : []),
  ]
})

/** Writes the files of the cells into the application, which is built afterwards. */
export function makeCells(): void {
  const folder = folderOf('edge-app', 'app', 'made')
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, ...lines: string[]) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `import { svcObserve, svcShare, svcUser, withSvc, withSvcAction } from '@svc/next'\n${lines.join('\n')}\n`,
    )
  }
  for (const { kind, mode, hasParams } of cells) {
    const work = kind === 'route' ? ROUTE : PAGE
    const exported = kind === 'route' ? 'export const GET =' : 'export default'
    const handlers = `const how = { bare: ${HOW.bare[kind]}, svc: ${HOW.svc[kind]} }`
    // Both in one file: each file costs the build a second.
    const params = kind === 'route' ? 'args[1].params' : 'args[0].params'
    const chosen = `async (...args) => how[(await ${params}).path[0]](...args)`
    if (hasParams) write(`${kind}/${mode}/[...path]/${kind}.js`, MODES[mode], work, handlers, `${exported} ${chosen}`)
    else
      for (const how of ['bare', 'svc'] as const)
        write(`${kind}/plain-${mode}/${how}/${kind}.js`, MODES[mode], work, handlers, `${exported} how.${how}`)
  }
}

const ID = `const { path = ['', 'none'] } = (await params) ?? {}`
const ROUTE = `async function work(_, { params }) {
  ${ID}
  return Response.json(\`\${path[1]} at \${performance.now()}\`)
}`
const PAGE = `async function work({ params }) {
  ${ID}
  return <p>{\`\${path[1]} at \${performance.now()}\`}</p>
}`

const addressOf = ({ kind, mode, hasParams }: Cell, how: How) =>
  hasParams ? `/made/${kind}/${mode}/${how}/late` : `/made/${kind}/plain-${mode}/${how}`

const TOLD = ['cache-control', 'content-type', 'x-nextjs-cache', 'x-nextjs-prerender', 'vary', 'set-cookie']

/** What a client sees of an answer, and when it was made. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const [, id, at] = /(\w+) at ([\d.]+)/.exec(await response.text()) ?? []
  const told = TOLD.map((name) => [name, response.headers.get(name)])
  return { at, told: { status: response.status, id, ...Object.fromEntries(told) } }
}

/** Each file answers as it would without us: how Next renders it, what it keeps, and when it makes it anew. */
export function rendering(app: () => App): void {
  describe.each(cells)('a $title', (cell) => {
    const isRenewed = MODES[cell.mode].includes('revalidate')
    const urlOf = (how: How) => app().url + addressOf(cell, how)

    /** Two answers. How old one is that is made anew in time depends on how busy this machine is. */
    const seen = async (how: How, headers?: Record<string, string>) => {
      const [first, second] = [await ask(urlOf(how), headers), await ask(urlOf(how), headers)]
      const told = [first.told, second.told]
      if (isRenewed) return told.map((each) => ({ ...each, 'x-nextjs-cache': undefined }))
      return [...told, first.at === second.at]
    }

    it('answers as the same file without us, also in draft mode', async () => {
      const draft = await fetch(`${app().url}/api/draft`)
      const cookie = draft.headers
        .getSetCookie()
        .map((each) => each.split(';', 1)[0])
        .join('; ')
      expect(await seen('svc')).toEqual(await seen('bare'))
      expect(await seen('svc', { cookie })).toEqual(await seen('bare', { cookie }))
    })

    if (isRenewed) {
      it('is made anew in time', async () => {
        const { at } = await ask(urlOf('svc'))
        await expect.poll(async () => (await ask(urlOf('svc'))).at).not.toBe(at)
      })
    }
  })
}
