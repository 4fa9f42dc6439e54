import { byType, type StreamSchema } from '../gen-ai/accumulator.ts'
import { each, list, object, shallow, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { readInteractionResponse } from './interactions.ts'
import { isMedia } from './steps.ts'

const readEvent = byType('event_type', {
  'interaction.created': ({ interaction }) => ({ interaction }),
  'interaction.status_update': ({ interaction_id: id, status, usage }) => ({ interaction: { id, status, usage } }),
  'interaction.completed': (end) => ({ interaction: end.interaction, end }),
  'step.start': ({ index, step }) => ({ steps: [{ index, started: asRecord(step) }] }),
  'step.delta': ({ index, delta }) => ({ steps: [{ index, ...readDelta(asRecord(delta)) }] }),
  // The library yields it as any other event.
  error: ({ error }) => ({ interaction: { status: 'failed', errors: [error] } }),
})

/** Events of a streamed interaction. */
export const interactionStream: StreamSchema = {
  toDelta(event) {
    const { total_usage: usage } = asRecord(event.metadata)
    const added = readEvent(event)
    return usage ? { ...added, interaction: { usage, ...defined(asRecord(added?.interaction)) } } : added
  },
  table: {
    interaction: shallow,
    steps: list({ started: object, text, input: text, media: object, annotations: each, rest: shallow }),
    end: object,
  },
  isComplete: ({ end }) => end !== undefined,
  readResponse: ({ interaction, steps }) =>
    readInteractionResponse({
      ...asRecord(interaction),
      steps: asArray(steps).flatMap((step) => readStep(asRecord(step))),
    }),
}

/** Deltas of thoughts have a content; those of the vendor's own tools have whole fields. */
function readDelta(delta: Fields): Fields {
  const { text, type, mime_type, content, annotations, arguments: input, result, is_error } = delta
  const media = isMedia(type) ? { type, mime_type } : undefined
  const rest = defined({ arguments: isObject(input) ? input : undefined, result, is_error })
  return { text: text ?? asRecord(content).text, input, media, annotations, rest }
}

/** Returns the received part of a step; none if its start is missing. */
function readStep({ started, text, input, media, annotations, rest }: Fields): Fields[] {
  if (started === undefined) return []
  const step = asRecord(started)
  const texts = text === undefined ? [] : [{ type: 'text', text, annotations: asArray(annotations).flat() }]
  if (step.type === 'model_output') return [{ ...step, content: media ? [...texts, media] : texts }]
  if (step.type === 'thought') return [{ ...step, summary: texts }]
  return [{ ...step, ...asRecord(rest), ...(input === undefined ? {} : { arguments: input }) }]
}
