import type { Attributes } from '@opentelemetry/api'
import { Accumulator, byType, type StreamAccumulator } from '../../gen-ai/accumulator.ts'
import type { Message, RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { describeResponseFailure } from '../../gen-ai/failure.ts'
import { object, text } from '../../gen-ai/merge.ts'
import { referencePart, textPart, toolCallPart, toolResponsePart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields } from '../../gen-ai/read.ts'
import { isOverStatus, type Job } from '../../jobs/job.ts'
import { metadataAttributes } from '../../record/metadata.ts'
import { readRequestParameters } from '../parameters.ts'
import { toParts } from '../parts.ts'
import { readOpenAiUsage } from '../usage.ts'

/** Reads what is streamed of a run: its messages, and itself whenever something happens to it. */
export const accumulateRun = (): StreamAccumulator =>
  new Accumulator({
    toDelta: ({ event, data }) => byType('event', EVENTS)({ event: eventOf(event), data }),
    table: { run: object, text },
    isComplete: ({ run }) => isOver(asRecord(run)),
    readResponse: ({ run, text }) => readRun(asRecord(run), text === undefined ? [] : [textPart(text)]),
  })

export const readRunParameters = ({ assistant_id, prompt: _, ...body }: Fields): Attributes => ({
  ...readRequestParameters(body),
  ...metadataAttributes({ assistant_id: asName(assistant_id) }),
})

const EVENTS = {
  'thread.message.delta': ({ data }: Fields) => ({ text: textIn(asRecord(asRecord(data).delta).content) }),
  'thread.run': ({ data }: Fields) => ({ run: data }),
}

/** Whatever happens to a run, its event has all of it. */
const eventOf = (event: unknown) => asName(event)?.replace(/^(thread\.run)\.(?!step)\w+$/, '$1')

function textIn(content: unknown): string {
  return asArray(content)
    .map((part) => asString(asRecord(asRecord(part).text).value) ?? '')
    .join('')
}

/** The thread and the assistant have more, which is known to the service only. */
export function readRunRequest({
  instructions,
  additional_instructions,
  thread,
  tools,
  ...body
}: Fields): RequestContent {
  const { assistant_id, additional_messages, tool_outputs } = body
  const sent = [...asArray(asRecord(thread).messages), ...asArray(additional_messages)].map(asRecord)
  const messages = sent.map(({ role, content, attachments }): Message => {
    const files = asArray(attachments).map((file) => ({ type: 'file', file_id: asRecord(file).file_id }))
    return { role: asName(role) ?? 'user', parts: [...toParts(content), ...files] }
  })
  for (const { tool_call_id, output } of asArray(tool_outputs).map(asRecord)) {
    messages.push({ role: 'tool', parts: [toolResponsePart(tool_call_id, output)] })
  }
  if (assistant_id) messages.unshift({ role: 'user', parts: [referencePart('assistant', assistant_id)] })
  const system = [instructions, additional_instructions].filter(Boolean).map(textPart)
  return { ...(system.length > 0 ? { instructions: system } : {}), messages, tools }
}

export function readRun(run: Fields, texts: Message['parts'] = []): ResponseContent {
  const { id, thread_id, assistant_id, model, status, usage, last_error, required_action, incomplete_details } = run
  const finish = asName(asRecord(incomplete_details).reason) ?? asName(status)
  const calls = asArray(asRecord(asRecord(required_action).submit_tool_outputs).tool_calls).map((call) => {
    const { name, arguments: input } = asRecord(asRecord(call).function)
    return toolCallPart(asRecord(call).id, name, input)
  })
  const parts = [...texts, ...calls]
  return {
    id: asName(id),
    model: asName(model),
    conversation: asName(thread_id),
    metadata: defined({ thread_id: asName(thread_id), run_id: asName(id), assistant_id: asName(assistant_id) }),
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts }] : [],
    usage: readOpenAiUsage(usage),
    failure: status === 'failed' ? describeResponseFailure(asRecord(last_error)) : undefined,
  }
}

const isOver = ({ status }: Fields) => isOverStatus(status) || status === 'requires_action'

export function readRunJob(run: Fields): Job | undefined {
  const id = asName(run.id)
  return id === undefined ? undefined : { id, isOver: isOver(run) }
}
