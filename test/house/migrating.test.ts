import { describe, expect, it } from 'vitest'
import { migrateFile } from '../../packages/cli/src/migrate/code/migrate-file.ts'
import { migrateManifest } from '../../packages/cli/src/migrate/code/project/manifest.ts'
import { BEHAVIOURS } from '../../packages/cli/src/migrate/code/tables/behaviours.ts'
import { MEMBERS } from '../../packages/cli/src/migrate/code/tables/members.ts'
import { GONE_NAMES } from '../../packages/cli/src/migrate/code/tables/modules.ts'
import { REQUEST_SLOTS } from '../../packages/cli/src/migrate/code/tables/request-slots.ts'
import { ENDPOINTS } from '../../packages/client/src/api/endpoints.ts'
import { read } from './repository.ts'

// What docs/migrating-from-v5.md message, `svc migrate code` does or reports: by each line of version 5, each name, each row.
const page = read('docs/migrating-from-v5.md')

/** What the blocks of version 5 stand on, in lines of their own. */
const GIVEN = `import { type Evaluator, SvcClient } from '@svc/client'
import { startObservation } from '@svc/tracing'
import { SvcSpanProcessor } from '@svc/otel'
const client = new SvcClient(), span = startObservation('s'), messages = [], query = {}
const exact: Evaluator = () => null
`

/** Lines of a program that the migration neither changes nor says anything about. */
function passedOver(code: string): string[] {
  const text = GIVEN + code
  const { edits, remarks, fault } = migrateFile('app.ts', text)
  expect(fault).toBeUndefined()
  const touched = remarks.filter(({ severity }) => severity !== 'info').map(({ start }) => start)
  const lines = new Set([...touched, ...edits.map(({ start }) => start)].map((at) => lineOf(text, at)))
  const all = text.split('\n').map((line, at) => ({ line, number: at + 1 }))
  return all
    .slice(GIVEN.split('\n').length - 1)
    .filter(({ line, number }) => line !== '' && !lines.has(number))
    .map(({ line }) => line)
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** The rows of the table that begins with a header. */
function rowsUnder(header: string): string[][] {
  const [, table = ''] = page.split(header)
  const [rows = ''] = table.split('\n\n')
  return [...rows.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([first]) => first !== '---')
}

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('svc migrate code covers docs/migrating-from-v5.md', () => {
  const blocks = [...page.matchAll(/^```ts v5\n(.*?)^```$/gms)].map(([, code = '']) => code)

  it('finds code blocks of version 5', () => expect(blocks.length).toBeGreaterThan(8))

  it.each(blocks)('migrates or lists the version 5 code: %s', (code) => {
    expect(passedOver(code)).toEqual([])
  })

  it('rewrites or lists every removed name', () => {
    const prose = page.replaceAll(/^```.*?^```$/gms, '').replaceAll(/^\|.*$/gm, '')
    const sentences = prose.split(/(?<=\.)\s|\n\n/)
    const removed = sentences
      .filter((each) => /\b(was|were) removed\b/.test(each))
      .map((each) => each.split(/\bremoved\b/)[0] ?? '')
    const types = sentences.filter((each) => each.startsWith('Types of removed calls'))
    const names = [...removed, ...types].flatMap(codesIn).filter((name) => !name.startsWith('@'))
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter((name) => passedOver(useOf(name)).length > 0)).toEqual([])
  })

  it('rewrites every merged package', () => {
    const rows = rowsUnder('| Version 5 | Version 6 |\n')
    expect(rows.length).toBe(4)
    const modules = rows.map(([before = '']) => codesIn(before)[0] ?? '')
    const names = rows.map(([before = '']) => codesIn(before)[1] ?? 'LogLevel')
    expect(modules.filter((name, at) => passedOver(`import { ${names[at]} } from '${name}'`).length > 0)).toEqual([])
  })

  it('rewrites every method with an empty request parameter, in its position', () => {
    const named = rowsUnder('| Namespace | Methods |\n').flatMap(([space = '', methods = '']) =>
      codesIn(methods).map((method) => `${codesIn(space)[0]}.${method}`),
    )
    expect(Object.keys(REQUEST_SLOTS).sort()).toEqual(named.sort())
    const ids = named.map((name) => String(name.split('.').reduce<unknown>(at, ENDPOINTS)).match(/\{/g)?.length ?? 0)
    expect(ids).toEqual(named.map((name) => REQUEST_SLOTS[name]))
  })

  it('has a note for every difference in behaviour, under its linked heading', () => {
    const [, otherwise = ''] = page.split('## What compiles and behaves differently')
    const sections = otherwise.split(/^### /gm).slice(1)
    const rows = sections.flatMap((section) => {
      const [, table = ''] = section.split('| --- | --- | --- |\n')
      const heading = anchorOf(section.split('\n')[0] ?? '')
      return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (.+?) \| /gm)].map(([, what]) => `${heading}: ${what}`)
    })
    expect(rows.length).toBeGreaterThan(15)
    expect(BEHAVIOURS.flatMap((each) => each.rows.map((row) => `${each.heading}: ${row}`)).sort()).toEqual(rows.sort())
  })

  it('checks every requirement of version 6', () => {
    const needs = rowsUnder('Version 6 requires:\n\n| | |\n').map(([what]) => what)
    expect(needs).toEqual(['Node', 'the service', 'OpenTelemetry', 'LangChain', '`openai`, `ai`'])
    const { text, remarks } = migrateManifest(
      JSON.stringify({
        dependencies: {
          ...{ '@svc/client': '^5.0.0', '@svc/langchain': '^5.0.0', '@langchain/core': '>=0.3.8' },
          ...{ '@opentelemetry/api': '^1.4.0', '@opentelemetry/sdk-trace-node': '^1.30.0' },
        },
        engines: { node: '>=18' },
      }),
      new Set(),
    )
    expect(JSON.parse(text).dependencies).toEqual({
      ...{ '@svc/client': '^6.0.0', '@svc/langchain': '^6.0.0', '@langchain/core': '^1.0.0' },
      ...{ '@opentelemetry/api': '^1.9.0', '@opentelemetry/sdk-trace-node': '^1.30.0' },
    })
    expect(remarks.map(({ message }) => message).sort()).toEqual([
      'The service has to be the hosted one, or self-hosted from 4.59.0; older ones stay with version 5.',
      'Version 6 needs Node 22 or later.',
      'Your own provider has to be of the OpenTelemetry SDK 2 or 3.',
    ])
  })

  it('links to existing headings', () => {
    const headings = [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
    const linked = [...Object.values(MEMBERS), ...Object.values(GONE_NAMES)].map(({ heading }) => heading)
    expect(linked.filter((heading) => heading !== '' && !headings.includes(heading))).toEqual([])
  })
})

/** A line that uses a name which the page mentions. */
function useOf(name: string): string {
  if (/^[A-Z]/.test(name)) return `import type { ${name} } from '@svc/client'`
  if (name.startsWith('item.link'))
    return "for (const item of (await client.dataset.get('a')).items) item.link(span, 'b')"
  if (name.startsWith('span.')) return `${name}({})`
  if (/^(setActiveTraceIO|updateActiveTrace|createTraceAttributes)$/.test(name))
    return `import { ${name} } from '@svc/tracing'`
  return name.startsWith('client.') ? name : `client.${name}`
}

const at = (table: unknown, key: string): unknown => (table as Record<string, unknown>)[key]
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
