import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { recordedWithoutContent } from './harness/content.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

it('no kind of instrumentation records content if content is switched off', async () => {
  const folder = fileURLToPath(new URL('versions', import.meta.url))
  const [recorded = []] = await recordedWithoutContent([{ folder, name: 'all', kind: 'import' }])
  expect(new Set(recorded.map(({ type }) => type))).toEqual(new Set(['GENERATION', 'TOOL', 'AGENT', 'CHAIN', 'SPAN']))
  expect(recorded.filter(({ input, output }) => input !== null || output !== null)).toEqual([])
  expect(JSON.stringify(recorded)).not.toMatch(/What is a span|Paris and Rome/)
})
