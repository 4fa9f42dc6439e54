import { describe, expect, it } from 'vitest'
import { bundle, TARGETS } from './bundle.ts'
import { nodeGlobalsIn } from './node-globals.ts'

const targets = Object.keys(TARGETS) as (keyof typeof TARGETS)[]

describe.each(targets)('@svc/tracing bundled for %s', (target) => {
  it('imports no Node modules', async () => {
    const { code, imports, nodeImports } = await bundle('everything.mjs', target)
    expect(nodeImports).toEqual([])
    expect(nodeGlobalsIn(code)).toEqual([])
    // One dependency of others: more of them would be more to carry to every edge.
    const packages = imports.filter((source) => !/^[./]|everything\.mjs$/.test(source))
    expect(packages.filter((source) => !/^@svc\/(?:tracing|core\/[\w/-]+)$/.test(source))).toEqual([
      '@opentelemetry/api',
    ])
  })
})

it('the check notices an import of a Node module', async () => {
  const { code, nodeImports } = await bundle('for-node.mjs', 'an edge runtime')
  expect(nodeImports.toSorted()).toEqual(['node:crypto', 'node:fs/promises'])
  expect(nodeGlobalsIn(code)).toEqual(['Buffer'])
})
