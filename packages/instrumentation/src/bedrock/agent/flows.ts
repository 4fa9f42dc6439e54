import type { StreamSchema } from '../../gen-ai/accumulator.ts'
import { countsAsOutput, last, list, object } from '../../gen-ai/merge.ts'
import { asArray, asRecord } from '../../gen-ai/read.ts'

/** Reads the documents of a flow with the names of their nodes; a single one without. */
export function readDocuments(nodes: unknown): unknown {
  const documents = asArray(nodes).map((node) => {
    const { nodeName, content } = asRecord(node)
    return { node: nodeName, document: asRecord(content).document }
  })
  return documents.length === 1 ? documents[0]?.document : documents
}

/** The events of a flow: its output, or a request for more input. */
export function createFlowStream(): StreamSchema {
  let count = 0
  return {
    toDelta({ flowOutputEvent, flowMultiTurnInputRequestEvent, flowCompletionEvent }) {
      const output = flowOutputEvent ?? flowMultiTurnInputRequestEvent
      const outputs = output === undefined ? undefined : [{ index: count++, output }]
      return { outputs, end: flowCompletionEvent }
    },
    table: { outputs: list(countsAsOutput({ output: last })), end: object },
    isComplete: ({ end }) => end !== undefined,
    readResponse({ outputs, end }) {
      const { completionReason } = asRecord(end)
      const reasons = typeof completionReason === 'string' ? [completionReason] : []
      const documents = asArray(outputs).map((each) => asRecord(each).output)
      return {
        result: documents.length > 0 ? readDocuments(documents) : undefined,
        finishReasons: reasons,
        ...(completionReason === 'INPUT_REQUIRED' && { isInterrupted: true }),
      }
    },
  }
}
