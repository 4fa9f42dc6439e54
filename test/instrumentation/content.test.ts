import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { nodeOf } from '../support/nodes.ts'
import { run } from './harness/run.ts'
import type { RecordedTrace } from './harness/tree.ts'

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
  const variant = { folder, name, kind: 'import', node: nodeOf(process.versions.node) } as const
  const { traces } = await run(variant, true, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' })
  const recorded = Object.values(traces).flatMap((roots) => roots.flatMap(({ below }) => below.flatMap(withBelow)))
  expect(recorded.length).toBeGreaterThan(2)
  expect(recorded.filter(({ input, output }) => input !== null || output !== null)).toEqual([])
})

function withBelow({ observation, below }: RecordedTrace): RecordedTrace['observation'][] {
  return [observation, ...below.flatMap(withBelow)]
}
