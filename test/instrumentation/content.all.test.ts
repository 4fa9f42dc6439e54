import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { recordedWithoutContent } from './harness/content.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

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

it('content is not recorded if content is switched off', async () => {
  const variants = LIBRARIES.map((name) => {
    const folder = fileURLToPath(new URL(name.replace(/-[\d.]+$/, ''), import.meta.url))
    return { folder, name, kind: 'import' } as const
  })
  for (const [index, recorded] of (await recordedWithoutContent(variants)).entries()) {
    expect(recorded.length, LIBRARIES[index]).toBeGreaterThan(2)
    expect(recorded.filter(({ input, output }) => input !== null || output !== null)).toEqual([])
  }
})
