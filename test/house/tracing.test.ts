import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../packages/tracing/src/fields.ts'
import * as tracing from '../../packages/tracing/src/index.ts'
import { KINDS } from '../../packages/tracing/src/kinds.ts'
import { read } from './repository.ts'

const PAGE = 'docs/tracing.md'
const page = read(PAGE)

/** The rows of a table of the page, each as its cells without back-quotes, the last one (prose) left out. */
function rows(name: string): string[][] {
  const [, table = ''] = new RegExp(`<!-- table: ${name} -->\\n(.*?)\\n<!-- end of table`, 's').exec(page) ?? []
  const [, , ...lines] = table.split('\n')
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -2)
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

describe(PAGE, () => {
  it('has every kind of observation with its class and its fields', () => {
    const wanted = Object.entries(KINDS).map(([kind, fields]) => [
      kind,
      `Svc${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      fields === 'span' ? 'common' : 'common, model',
    ])
    expect(rows('kinds')).toEqual(wanted)
    expect(Object.keys(tracing)).toEqual(expect.arrayContaining(wanted.map(([, name]) => name)))
  })

  it('has every field of an observation with its kinds', () => {
    const wanted = Object.keys(FIELDS.generation).map((name) => [name, name in FIELDS.span ? 'common' : 'model'])
    expect(rows('fields')).toEqual([...wanted, ['metadata', 'common']])
  })

  it('describes every function of the package', () => {
    const functions = Object.entries(tracing).flatMap(([name, value]) =>
      typeof value === 'function' && !name.startsWith('Svc') ? [name] : [],
    )
    expect(functions.filter((name) => !page.includes(name))).toEqual([])
  })
})
