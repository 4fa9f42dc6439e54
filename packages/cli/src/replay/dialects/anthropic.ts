import { type Dialect, EVENT_STREAM, named, parsedArguments, piecesOf, type RecordedAnswer } from '../answer.ts'

/** Anthropic's messages. */
export const anthropicMessages: Dialect = {
  path: /\/v1\/messages$/,
  streamType: EVENT_STREAM,
  whole: (answer) => messageOf(answer, blocksOf(answer), finishOf(answer), answer.usage.output),
  stream: (answer) =>
    [
      { type: 'message_start', message: messageOf(answer, [], null, 0) },
      ...blocksOf(answer).flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: EMPTY[block.type](block) },
        ...DELTAS[block.type](block).map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: finishOf(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      },
      { type: 'message_stop' },
    ].map(named),
  withSystem: (request, system) => ({ ...request, system }),
}

type Block = Readonly<Record<string, unknown>> & { readonly type: 'thinking' | 'text' | 'tool_use' }

const blocksOf = ({ messages }: RecordedAnswer): Block[] =>
  messages.flatMap(({ thinking, text, calls }): Block[] => [
    // Signatures are not recorded.
    ...(thinking ? [{ type: 'thinking' as const, thinking, signature: '' }] : []),
    ...(text ? [{ type: 'text' as const, text, citations: null }] : []),
    ...calls.map(({ id, name, arguments: input }) => ({
      ...{ type: 'tool_use' as const, id, name, input: parsedArguments(input) },
    })),
  ])

const EMPTY: Readonly<Record<Block['type'], (block: Block) => object>> = {
  thinking: (block) => ({ ...block, thinking: '' }),
  text: () => ({ type: 'text', text: '' }),
  tool_use: (block) => ({ ...block, input: {} }),
}

const DELTAS: Readonly<Record<Block['type'], (block: Block) => readonly object[]>> = {
  thinking: ({ thinking }) => piecesOf(String(thinking)).map((text) => ({ type: 'thinking_delta', thinking: text })),
  text: ({ text: whole }) => piecesOf(String(whole)).map((text) => ({ type: 'text_delta', text })),
  tool_use: ({ input }) => [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
}

const messageOf = (
  { id, model, usage, tier }: RecordedAnswer,
  content: Block[],
  stop_reason: string | null,
  output: number,
) => ({
  ...{ id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null },
  usage: {
    input_tokens: usage.input - usage.cached - (usage.written ?? 0),
    cache_creation_input_tokens: usage.written ?? 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: output,
    ...(tier && { service_tier: tier }),
  },
})

const REASONS = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']

function finishOf({ finish = '', messages }: RecordedAnswer): string {
  if (REASONS.includes(finish)) return finish
  return messages.some(({ calls }) => calls.length > 0) ? 'tool_use' : 'end_turn'
}
