import { describe, expect, it } from 'vitest'
import { responses } from './responses.ts'

const messagesOf = (...input: unknown[]) => responses.readRequest({ input }).messages

describe('a request to the OpenAI Responses API', () => {
  it('has a text as a user message', () => {
    expect(responses.readRequest({ input: 'Hello' })).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hello' }] }],
    })
  })

  it('has a stored prompt with its variables, and its id and version as metadata', () => {
    const prompt = { id: 'pmpt_1', version: '2', variables: { city: 'Rome' } }
    expect(responses.readRequest({ prompt }).messages).toEqual([
      { role: 'user', parts: [{ type: 'prompt', ...prompt }] },
    ])
    expect(responses.readParameters?.({ prompt })).toMatchObject({
      'svc.observation.metadata.prompt_id': '"pmpt_1"',
      'svc.observation.metadata.prompt_version': '"2"',
    })
  })

  it('has the response that it goes on from, and the key of a cached prompt, as metadata', () => {
    expect(responses.readParameters({ previous_response_id: 'resp_1', prompt_cache_key: 'rules' })).toEqual({
      'svc.observation.metadata.previous_response_id': '"resp_1"',
      'svc.observation.metadata.prompt_cache_key': '"rules"',
    })
  })

  it('has no messages without input', () => {
    expect(responses.readRequest({})).toEqual({})
  })

  it('keeps the URLs of images and files', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_image', file_id: 'file-1' },
      { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    ]
    expect(messagesOf({ role: 'user', content })?.[0]?.parts).toEqual([
      { type: 'uri', modality: 'image', uri: 'data:image/png;base64,AAAA' },
      { type: 'file', modality: 'image', file_id: 'file-1' },
      { type: 'uri', uri: 'https://example.com/a.pdf' },
    ])
  })

  it('has tool calls as assistant messages and their results as tool messages', () => {
    expect(
      messagesOf(
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
        { type: 'custom_tool_call', call_id: 'call_2', name: 'code', input: 'print(1)' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: '1' }] },
        { type: 'mcp_call', id: 'mcp_1', name: 'search', arguments: '{}', output: 'found' },
      ),
    ).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: 'rain' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_2', name: 'code', arguments: 'print(1)' }] },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_2', response: [{ type: 'text', content: '1' }] }],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'mcp_1', name: 'search', arguments: '{}' },
          { type: 'tool_call_response', id: 'mcp_1', response: 'found' },
        ],
      },
    ])
  })

  it('has what the tools of a computer return as their results: an image, a value, or whether it worked', () => {
    const messages = messagesOf(
      {
        type: 'computer_call_output',
        call_id: 'call_1',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' },
      },
      { type: 'local_shell_call_output', id: 'call_2', output: 'a.txt' },
      { type: 'shell_call_output', call_id: 'call_3', output: [{ stdout: 'a.txt', outcome: { type: 'exit' } }] },
      { type: 'apply_patch_call_output', call_id: 'call_4', status: 'completed' },
      { type: 'program', call_id: 'call_5', code: 'tools.f()', fingerprint: 'f' },
      { type: 'program_output', call_id: 'call_5', result: '2' },
      { type: 'tool_search_output', call_id: 'call_6', tools: [{ type: 'function', name: 'f' }] },
    )
    const result = (id: string, response: unknown) => ({ type: 'tool_call_response', id, response })
    expect(messages?.flatMap(({ parts }) => parts)).toEqual([
      result('call_1', [{ type: 'uri', modality: 'image', uri: 'data:image/png;base64,AAAA' }]),
      result('call_2', 'a.txt'),
      result('call_3', [{ stdout: 'a.txt', outcome: { type: 'exit' } }]),
      result('call_4', 'completed'),
      { type: 'tool_call', id: 'call_5', name: 'program', arguments: { code: 'tools.f()' } },
      result('call_5', '2'),
      result('call_6', [{ type: 'function', name: 'f' }]),
    ])
    expect(messages?.map(({ role }) => role)).toEqual(['tool', 'tool', 'tool', 'tool', 'assistant', 'tool', 'tool'])
  })

  it('has approvals of a person as such', () => {
    const item = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false, reason: 'Too dear.' }
    expect(messagesOf(item)).toEqual([
      {
        role: 'tool',
        parts: [{ type: 'tool_approval_response', approval_id: 'mcpr_1', approved: false, reason: 'Too dear.' }],
      },
    ])
  })

  it('has no message for encrypted reasoning', () => {
    expect(messagesOf({ type: 'reasoning', summary: [], encrypted_content: 'AAAA' }, 'Hello')).toHaveLength(1)
  })

  it('has provider-run tools as tool calls, and other items unchanged without their bytes', () => {
    const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' }
    const sealed = { type: 'compaction', id: 'cmp_1', encrypted_content: 'AAAA' }
    expect(messagesOf(picture, sealed)?.map(({ parts }) => parts)).toEqual([
      [{ type: 'tool_call', id: 'ig_1', name: 'image_generation', arguments: {} }],
      [{ type: 'compaction', id: 'cmp_1' }],
    ])
  })
})

describe('a response of the OpenAI Responses API', () => {
  it('has its finish reason if it is incomplete', () => {
    const answer = responses.readResponse({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    expect(answer.finishReasons).toEqual(['max_output_tokens'])
  })

  it('waits for a person if it asks for the approval of a call, which is its output', () => {
    const asked = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'shop', name: 'buy', arguments: '{}' }
    const { isInterrupted, messages, metadata } = responses.readResponse({ status: 'completed', output: [asked] })
    expect({ isInterrupted, metadata }).toEqual({ isInterrupted: true, metadata: { approval_ids: ['mcpr_1'] } })
    expect(messages?.[0]?.parts).toEqual([{ type: 'tool_call', id: 'mcpr_1', name: 'buy', arguments: '{}' }])
    expect(responses.readResponse({ status: 'completed', output: [] }).isInterrupted).toBeUndefined()
  })

  it('is an error if it has failed, although the request succeeded', () => {
    const answer = responses.readResponse({ status: 'failed', error: { code: 'server_error', message: 'It broke.' } })
    expect(answer.failure).toEqual({ type: 'server_error', message: 'It broke.' })
  })
})

describe('a streamed response of the OpenAI Responses API', () => {
  const streamed = (...events: readonly object[]) => {
    const listener = responses.createAccumulator()
    listener.add({ type: 'response.created', response: { id: 'resp_1', model: 'gpt-5', status: 'in_progress' } })
    const spoken = events.map((event) => listener.add(event))
    return { listener, spoken, answer: listener.response }
  }
  const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item })
  const delta = (kind: string, output_index: number, text: string) => ({
    type: `response.${kind}.delta`,
    output_index,
    delta: text,
  })

  it('without its last event has the received texts, refusals, reasoning and tool calls', () => {
    const { answer, listener } = streamed(
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      delta('reasoning_summary_text', 0, 'Hm'),
      delta('reasoning_summary_text', 0, 'm.'),
      added(1, { type: 'message', role: 'assistant', content: [] }),
      delta('output_text', 1, 'Let me '),
      delta('output_text', 1, 'look.'),
      delta('refusal', 1, 'No.'),
      added(2, { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '' }),
      delta('function_call_arguments', 2, '{"city":'),
    )
    expect(listener.isComplete).toBe(false)
    expect(answer).toMatchObject({ id: 'resp_1', model: 'gpt-5', finishReasons: [] })
    expect(answer.messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hmm.' },
          { type: 'text', content: 'Let me look.' },
          { type: 'refusal', content: 'No.' },
          { type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":' },
        ],
      },
    ])
  })

  it("without its last event has what the provider's own tools were called with", () => {
    const { answer } = streamed(
      added(0, { type: 'code_interpreter_call', id: 'ci_1', code: '' }),
      delta('code_interpreter_call_code', 0, 'print('),
      delta('code_interpreter_call_code', 0, '1)'),
      added(1, { type: 'shell_call', call_id: 'call_1', action: { commands: [] } }),
      { ...delta('shell_call_command', 1, 'l'), command_index: 0 },
      { ...delta('shell_call_command', 1, 'pwd'), command_index: 1 },
      { ...delta('shell_call_command', 1, 's'), command_index: 0 },
      added(2, { type: 'code_interpreter_call', id: 'ci_2', code: 'print(2)' }),
    )
    expect(answer.messages?.[0]?.parts).toEqual([
      { type: 'tool_call', id: 'ci_1', name: 'code_interpreter', arguments: { code: 'print(1)' } },
      { type: 'tool_call', id: 'call_1', name: 'shell', arguments: { action: { commands: ['ls', 'pwd'] } } },
      { type: 'tool_call', id: 'ci_2', name: 'code_interpreter', arguments: { code: 'print(2)' } },
    ])
  })

  it('replaces the chunks of an item by the complete item', () => {
    const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }
    const { answer } = streamed(added(0, { type: 'message', content: [] }), delta('output_text', 0, 'Do'), {
      type: 'response.output_item.done',
      output_index: 0,
      item,
    })
    expect(answer.messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Done.' }])
  })

  it('is the response of the last event', () => {
    const response = {
      id: 'resp_1',
      model: 'gpt-5',
      status: 'completed',
      output: [],
      usage: { input_tokens: 3, output_tokens: 4 },
    }
    const { answer, listener } = streamed(delta('output_text', 0, 'Hi'), { type: 'response.completed', response })
    expect(listener.isComplete).toBe(true)
    expect(answer).toMatchObject({ finishReasons: ['completed'], usage: { input: 3, output: 4 } })
  })

  it.each(['response.failed', 'response.incomplete'])('keeps what was said before an empty %s', (type) => {
    const response = { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'm' }, output: [] }
    const { answer } = streamed(delta('output_text', 0, 'Half'), { type, response })
    expect(answer.messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Half' }])
    expect(answer.failure).toEqual({ type: 'server_error', message: 'm' })
  })

  it('has its first token with the first output, not with the start of the response', () => {
    const { spoken } = streamed(added(0, { type: 'message' }), delta('output_text', 0, 'Hi'), delta('unknown', 0, 'x'))
    expect(spoken).toEqual([false, true, false])
  })

  it('is an error with the output received so far if an event reports an error', () => {
    const { answer } = streamed(delta('output_text', 0, 'Hi'), {
      type: 'error',
      code: 'overloaded',
      message: 'Too much.',
    })
    expect(answer.failure).toEqual({ type: 'overloaded', message: 'Too much.' })
    expect(answer.messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Hi' }])
  })
})
