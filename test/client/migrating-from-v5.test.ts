import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../packages/client/src/api/endpoints.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/migrating-from-v5.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'svc-from-v5-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the blocks of version 5 stand on, in one line. */
const GIVEN =
  "import { type Evaluator, SvcClient } from '@svc/client'; import { startObservation } from '@svc/tracing'; " +
  "import { SvcSpanProcessor } from '@svc/otel'; const exact: Evaluator = () => null; " +
  'const client = new SvcClient(); const messages: unknown[] = []; const query = {}; const span = startObservation("s"); ' +
  'export { client, exact, messages, query, span, SvcSpanProcessor }\n'

/** The lines of each program that the compiler points at, by the name of its file. */
function pointedAt(programs: ReadonlyMap<string, string>): Map<string, Set<number>> {
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const [name, code] of programs) writeFileSync(join(folder, name), code)
  const compilerOptions = {
    ...{ noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false },
    typeRoots: [join(root, 'node_modules/@types')],
    customConditions: ['@svc/source'],
  }
  const project = join(folder, 'tsconfig.json')
  const files = [...programs.keys()]
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }))
  const lines = new Map(files.map((name) => [name, new Set<number>()]))
  for (const [, name = '', line] of compilerOutput(project).matchAll(/^([\w.-]+)\((\d+),\d+\): error/gm)) {
    lines.get(name)?.add(Number(line))
  }
  return lines
}

function compilerOutput(project: string): string {
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    return execFileSync(process.execPath, [tsc, '-p', project], { cwd: folder }).toString()
  } catch (error) {
    return (error as { stdout: Buffer }).stdout.toString()
  }
}

describe('docs/migrating-from-v5.md', () => {
  it('shows version 5 code that the compiler refuses line by line', () => {
    const before = [...page.matchAll(/^```ts v5\n(.*?)^```$/gms)].map(([, code = '']) => code)
    expect(before.length).toBeGreaterThan(8)
    const programs = new Map(before.map((code, at) => [`block-${at}.ts`, GIVEN + code]))
    const pointed = pointedAt(programs)
    const missed = before.flatMap((code, at) =>
      code
        .trimEnd()
        .split('\n')
        // The first line is ours.
        .filter((_, line) => !pointed.get(`block-${at}.ts`)?.has(line + 2)),
    )
    expect(missed).toEqual([])
    expect([...pointed.values()].filter((lines) => lines.has(1))).toEqual([])
  })

  it('has a compiled line for every difference in behaviour', () => {
    const [, ...sections] = (page.split('\n## What compiles and behaves differently\n')[1] ?? '').split('\n### ')
    const rows = sections.flatMap((section) => {
      // test/house compiles it.
      const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(section) ?? []
      const comments = [...code.matchAll(/^ *\/\/ (.*)$/gm)].map(([, text = '']) => `${text.replace(/:.*/, '')}, `)
      return [...section.matchAll(/^\| (?!What |---)(.+?) \|/gm)].map(([, cell = '']) => {
        const what = cell.replace(/ \(`.*/, '')
        return { what, has: comments.some((comment) => comment.includes(`${what},`)) }
      })
    })
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ has }) => !has)).toEqual([])
  })

  it('names the peer dependencies of the version 5 packages', () => {
    const peers = ['browser', 'client', 'langchain', 'otel', 'tracing'].flatMap((name) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8'))
      const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest
      return Object.entries(peerDependencies).filter(([peer]) => !peerDependenciesMeta[peer]?.optional)
    })
    expect(peers.length).toBeGreaterThan(3)
    expect(peers.filter(([name, range]) => !page.includes(`\`${name}\` \`${range}\``))).toEqual([])
  })

  it('names the 41 methods with an empty request, and no other', () => {
    const [, table = ''] = page.split('| Namespace | Methods |')
    const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\S+)` \| (.+) \|$/gm)]
    const named = rows.flatMap(([, namespace, methods = '']) =>
      [...methods.matchAll(/`(\w+)`/g)].map(([, method]) => `${namespace}.${method}`),
    )
    expect(named).toHaveLength(41)
    // Came later than version 5, with the request from its first day.
    expect(withoutRequest(ENDPOINTS).sort()).toEqual([...named, 'unstable.skills.getFileContent'].sort())
  })
})

interface Manifest {
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Methods that have neither a query nor a body. */
function withoutRequest(table: object, path = ''): string[] {
  return Object.entries(table).flatMap(([name, row]) => {
    if (typeof row !== 'string') return withoutRequest(row, `${path}${name}.`)
    return row.split(' ').length === 2 ? [path + name] : []
  })
}
