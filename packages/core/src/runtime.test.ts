import { describe, expect, it } from 'vitest'
import { environmentOf } from './environment.ts'
import { detectRuntime } from './runtime.ts'

const node = { process: { versions: { node: '24.0.0' } } }

describe('detectRuntime', () => {
  it('knows the Node.js it runs on', () => {
    expect(detectRuntime(environmentOf({}))).toEqual({ node: true, compressionStream: true })
  })

  it.each<[host: string, globals: Record<string, unknown>, variables: Record<string, string>, isNode: boolean]>([
    ['Node.js', node, {}, true],
    ['Bun', { process: { versions: { bun: '1.2.0' } } }, {}, true],
    ['the Edge runtime of Next.js', { EdgeRuntime: 'edge-runtime' }, {}, false],
    ['Next.js saying so', node, { NEXT_RUNTIME: 'edge' }, false],
    ['Next.js on Node.js', node, { NEXT_RUNTIME: 'nodejs' }, true],
    ['a worker that imitates Node.js', { ...node, navigator: { userAgent: 'Cloudflare-Workers' } }, {}, false],
    ['a browser', { window: {}, document: {} }, {}, false],
    ['a bundle that brings its own process', { process: { env: {} } }, {}, false],
  ])('%s', (_, globals, variables, isNode) => {
    expect(detectRuntime(environmentOf(variables), globals)).toEqual({ node: isNode, compressionStream: false })
  })
})
