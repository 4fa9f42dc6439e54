import { byType, type Stream } from '../gen-ai/accumulator.ts'
import { last, list, name, object, said, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import { answerOf } from './messages.ts'

/** The events of a streamed chat. */
export const chatStream: Stream = {
  delta: byType('type', {
    'message-start': ({ id }) => ({ id }),
    'tool-plan-delta': ({ delta }) => ({ toolPlan: messageIn(delta).toolPlan }),
    'content-start': contentDelta,
    'content-delta': contentDelta,
    'tool-call-start': callDelta,
    'tool-call-delta': callDelta,
    'message-end': ({ delta }) => ({ end: asRecord(delta) }),
  }),
  table: {
    id: last,
    toolPlan: text,
    content: list({ thinking: text, text }),
    toolCalls: list(said({ id: last, function: { name, arguments: text } })),
    end: object,
  },
  complete: ({ end }) => end !== undefined,
  answer({ id, toolPlan, content, toolCalls, end }) {
    const parts = asArray(content).flatMap((part) => partsOf(asRecord(part)))
    const { finishReason, usage } = asRecord(end)
    return answerOf({ id, finishReason, usage, message: { toolPlan, content: parts, toolCalls } })
  },
}

function contentDelta({ index, delta }: Fields): Fields {
  return { content: [{ ...asRecord(messageIn(delta).content), index }] }
}

function callDelta({ index, delta }: Fields): Fields {
  return { toolCalls: [{ ...asRecord(messageIn(delta).toolCalls), index }] }
}

/** Fields that a version does not know yet keep the name they have on the wire. */
function messageIn(delta: unknown): Fields {
  const {
    content,
    tool_plan,
    tool_calls,
    toolPlan = tool_plan,
    toolCalls = tool_calls,
  } = asRecord(asRecord(delta).message)
  return { content, toolPlan, toolCalls }
}

function partsOf({ thinking, text }: Fields): Fields[] {
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
  ]
}
