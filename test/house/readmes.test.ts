import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clientSettings, exportSettings } from '@svc/core/settings'
import { describe, expect, it } from 'vitest'
import { read, readJson, root } from './repository.ts'

/** That of all examples with a package.json. */
const NODE = /\d+\.\d+/.exec(
  (readJson('examples/env-only/package.json') as { engines: { node: string } }).engines.node,
)?.[0]

const examples = readdirSync(join(root, 'examples'))

describe('the README of', () => {
  it.each([
    ['otel', exportSettings],
    ['client', clientSettings],
  ])('%s names every option', (name, table) => {
    const page = read(`packages/${name}/README.md`)
    expect(Object.keys(table).filter((option) => !page.includes(`\`${option}\``))).toEqual([])
  })

  it('the repository links every example', () => {
    const page = read('README.md')
    expect(examples.filter((name) => !page.includes(`(examples/${name}/)`))).toEqual([])
  })

  it('an example that is run by hand names the version of Node that it needs', () => {
    const pages = examples.map((name) => read(`examples/${name}/README.md`))
    const silent = pages.filter((page) => page.includes('By hand') && !page.includes(`Node ${NODE} or later`))
    expect(silent).toEqual([])
  })
})
