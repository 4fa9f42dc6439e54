import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Service } from '../../support/service.ts'
import { folderOf } from '../app.ts'
import { type Answered, answersOnEachNode, type How } from './answers.ts'

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

const answered = ({ kind, mode, hasParams, title }: Cell): Answered => ({
  title,
  isRenewed: MODES[mode].includes('revalidate'),
  addressOf: (how: How) => (hasParams ? `/made/${kind}/${mode}/${how}/late` : `/made/${kind}/plain-${mode}/${how}`),
})

/** The files of {@link makeCells}, each in both forms. */
export function rendering(service: () => Service): void {
  answersOnEachNode(service, 'edge-app', cells.map(answered))
}
