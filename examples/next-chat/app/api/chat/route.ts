import { openai } from '@ai-sdk/openai'
import { withSvc } from '@svc/next'
import { getActiveTraceId, updateActiveObservation } from '@svc/tracing'
import { convertToModelMessages, createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai'
import { type ChatMessage, textOf } from '../../message'

export const POST = withSvc({ name: 'chat' }, async (request) => {
  const { messages }: { messages: ChatMessage[] } = await request.json()
  // Without this line it is the whole body of the request.
  updateActiveObservation({ input: messages.slice(-1).map(textOf).join() })
  const traceId = getActiveTraceId()
  const { stream } = streamText({
    model: openai('gpt-4.1-mini'),
    instructions: 'You answer in a few sentences.',
    messages: await convertToModelMessages(messages),
    // A user who presses stop pays for no more tokens.
    abortSignal: request.signal,
  })
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({
      stream,
      // The page needs it to say which answer a thumb is for.
      messageMetadata: ({ part }) => (part.type === 'start' ? { traceId } : undefined),
    }),
  })
})
