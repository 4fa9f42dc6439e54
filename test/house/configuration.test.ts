import type { Setting } from '@svc/core/setting'
import {
  clientSettings,
  experimentSettings,
  exportSettings,
  hostSettings,
  logSettings,
  migrateSettings,
  networkSettings,
  playgroundSettings,
  preloadSettings,
} from '@svc/core/settings'
import { expect, it } from 'vitest'
import { files, read, table, withText } from './repository.ts'
import { docsOf } from './setting-docs.ts'

// `pnpm docs:configuration` runs this file with --update, which writes the tables instead of comparing them.
const PAGE = 'docs/configuration.md'

it('docs/configuration.md has every row of the settings tables', async () => {
  let page = read(PAGE)
  page = withTable(page, 'export', exportSettings)
  page = withTable(page, 'preload', preloadSettings)
  page = withTable(page, 'network', networkSettings)
  page = withTable(page, 'client', withoutThoseOf(exportSettings, clientSettings))
  page = withTable(page, 'experiment', experimentSettings)
  page = withTable(page, 'migrate', migrateSettings)
  page = withTable(page, 'playground', playgroundSettings)
  page = withTable(page, 'log', logSettings)
  await expect(page).toMatchFileSnapshot(`../../${PAGE}`)
})

it('each SVC_ variable has a test that follows it into a process, with a title that begins with it', () => {
  const tables: Readonly<Record<string, Setting<unknown>>>[] = [
    exportSettings,
    preloadSettings,
    networkSettings,
    clientSettings,
    experimentSettings,
    migrateSettings,
    playgroundSettings,
    hostSettings,
    logSettings,
  ]
  // The first name of a row. The others are earlier names of the same variable, or those of OpenTelemetry.
  const names = tables.flatMap((table) => Object.values(table).flatMap(({ env: [name] }) => name ?? []))
  const wanted = new Set(names.filter((name) => name.startsWith('SVC_')))
  const texts = ['test/env', 'test/preload'].flatMap((folder) => files(folder, '.test.ts')).map(read)
  const proven = new Set(texts.flatMap((text) => [...text.matchAll(/['`](SVC_[A-Z_]+)[ =]/g)].map(([, name]) => name)))
  expect([...wanted].filter((name) => !proven.has(name))).toEqual([])
})

it('every setting has a comment in sentences', () => {
  const tables = {
    exportSettings,
    preloadSettings,
    networkSettings,
    clientSettings,
    experimentSettings,
    logSettings,
    hostSettings,
  }
  const silent = Object.entries(tables).flatMap(([name, table]) => {
    const docs = docsOf(name)
    return Object.keys(table).filter((option) => !/^[A-Z`].*\.$/s.test(docs.get(option)?.text ?? ''))
  })
  expect(silent).toEqual([])
})

function withTable(page: string, name: string, settings: Readonly<Record<string, Setting<unknown>>>): string {
  return withText(page, `table: ${name}`, rendered(name, settings))
}

function rendered(name: string, settings: Readonly<Record<string, Setting<unknown>>>): string {
  const docs = docsOf(`${name}Settings`)
  const rows = Object.entries(settings).map(([option, row]) => [
    row.env.map(code).join('<br>'),
    ...(hasOptions(name) ? [code(option)] : []),
    docs.get(option)?.default ?? shown(row.default),
    docs.get(option)?.text ?? '',
  ])
  const head = ['Variable', ...(hasOptions(name) ? ['Option'] : []), 'Default', 'Meaning']
  return table([head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|'))))
}

/** The rows whose text is another one there. */
function withoutThoseOf(export_: Table, client: Table): Table {
  const [there, here] = [docsOf('exportSettings'), docsOf('clientSettings')]
  return Object.fromEntries(
    Object.entries(client).filter(
      ([option]) => !(option in export_) || there.get(option)?.text !== here.get(option)?.text,
    ),
  )
}

type Table = Readonly<Record<string, Setting<unknown>>>

/** What reaches the service can be said in code; the rest is about the process. */
const hasOptions = (name: string): boolean => ['export', 'client', 'experiment'].includes(name)

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  return code(Array.isArray(value) ? value.join(',') : String(value))
}

function code(text: string): string {
  return `\`${text}\``
}
