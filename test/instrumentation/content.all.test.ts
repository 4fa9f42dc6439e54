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

/** Libraries that read their content by code of their own. */
const LIBRARIES = [
  'langgraph-sdk-2',
  'bedrock-agent-1163',
  'weaviate-3.14',
  'milvus-3',
  'openrouter-1',
  'watsonx-1.7',
  'replicate-1',
  'huggingface-4',
]

it.each(LIBRARIES)('%s: content is not recorded if content is switched off', async (name) => {
  const folder = fileURLToPath(new URL(name.replace(/-[\d.]+$/, ''), import.meta.url))
  const [recorded = []] = await recordedWithoutContent([{ folder, name, kind: 'import' }])
  expect(recorded.length).toBeGreaterThan(2)
  expect(recorded.filter(({ input, output }) => input !== null || output !== null)).toEqual([])
})
