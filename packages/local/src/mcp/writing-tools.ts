import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import type { NewItem, NewScore, TraceWriter } from '../questions/reader.ts'
import { failureOf } from './failure.ts'

const text = (description: string) => ({ type: 'string' as const, description })

const SCORE = fromJsonSchema<NewScore>({
  type: 'object',
  properties: {
    traceId: text('whole id of the trace'),
    observationId: text('whole id of an observation in it'),
    name: text('name of the score'),
    value: { type: ['number', 'string'] as never, description: 'a number, or a category' },
    comment: text('why'),
  },
  required: ['traceId', 'name', 'value'],
  additionalProperties: false,
})

const ITEM = fromJsonSchema<NewItem>({
  type: 'object',
  properties: {
    datasetName: text('an existing dataset'),
    input: { description: 'any JSON' },
    expectedOutput: { description: 'any JSON' },
    sourceTraceId: text('whole id of the trace that it comes from'),
    sourceObservationId: text('whole id of the observation that it comes from'),
  },
  required: ['datasetName', 'input'],
  additionalProperties: false,
})

const WRITING = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

/** Adds the tools of `svc mcp --allow-write`: a score, an item of a dataset. Nothing is changed or deleted. */
export function addWritingTools(server: McpServer, writer: TraceWriter): void {
  const about = (description: string) => ({ description, annotations: WRITING })
  server.registerTool('create_score', { ...about('Score a trace or an observation'), inputSchema: SCORE }, (score) =>
    done('The score is stored.', () => writer.scores.create([score])),
  )
  server.registerTool('create_dataset_item', { ...about('Add an item to a dataset'), inputSchema: ITEM }, (item) =>
    done('The item is stored.', () => writer.datasetItems.create(item)),
  )
}

async function done(text: string, write: () => PromiseLike<unknown>) {
  try {
    await write()
    return { content: [{ type: 'text' as const, text }] }
  } catch (error) {
    return failureOf(error)
  }
}
