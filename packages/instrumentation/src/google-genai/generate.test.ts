import { expect, it } from 'vitest'
import type { ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import { generateContent } from './rest.ts'

const candidate = (...parts: readonly Fields[]) => ({ candidates: [{ content: { role: 'model', parts } }] })
const asked = (...parts: readonly Fields[]) => generateContent.readRequest({ contents: [{ role: 'user', parts }] })

function streamed(...chunks: readonly Fields[]): ResponseContent {
  const accumulator = generateContent.createAccumulator()
  for (const chunk of chunks) accumulator.add(chunk)
  return accumulator.response
}

it('arguments that arrive in pieces are those of one call', () => {
  const { messages } = streamed(
    candidate({ functionCall: { id: 'c1', name: 'weather', willContinue: true }, thoughtSignature: 'x' }),
    candidate({ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'Par' }], willContinue: true } }),
    candidate({ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'is' }], willContinue: true } }),
    candidate({
      functionCall: {
        partialArgs: [
          { jsonPath: '$.days[0].hour', numberValue: 7 },
          { jsonPath: "$['rain']", boolValue: true },
          { jsonPath: '$.days.__proto__.polluted', boolValue: true },
          { jsonPath: '$.days.length', numberValue: -1 },
        ],
        willContinue: true,
      },
    }),
    candidate({ functionCall: {} }),
    candidate({ functionCall: { name: 'time', args: { zone: 'CET' } } }),
  )
  expect(messages?.[0]?.parts).toEqual([
    { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris', days: [{ hour: 7 }], rain: true } },
    { type: 'tool_call', name: 'time', arguments: { zone: 'CET' } },
  ])
  expect(Reflect.get([], 'polluted')).toBeUndefined()
})

it("the vendor's own tools are read, whatever stands before them in their parts", () => {
  const code = { language: 'PYTHON', code: 'print(1)' }
  const parts = [
    { thoughtSignature: 'x', executableCode: code },
    { thoughtSignature: 'x' },
    { toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['Paris'] } } },
    { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: { found: 1 } } },
  ]
  for (const { messages } of [generateContent.readResponse(candidate(...parts)), streamed(candidate(...parts))]) {
    expect(messages?.[0]?.parts).toEqual([
      { type: 'executableCode', content: code },
      { type: 'tool_call', id: 't1', name: 'GOOGLE_SEARCH_WEB', arguments: { queries: ['Paris'] } },
      { type: 'tool_call_response', id: 't1', name: 'GOOGLE_SEARCH_WEB', response: { found: 1 } },
    ])
  }
})

it('the image of a function is a part of its result', () => {
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'AQ==' } }]
  const { messages } = asked({ functionResponse: { name: 'look', response: { seen: true }, parts } })
  expect(messages?.[0]?.parts).toEqual([
    {
      type: 'tool_call_response',
      name: 'look',
      response: [
        { type: 'text', content: { seen: true } },
        { type: 'uri', modality: 'image', uri: 'data:image/png;base64,AQ==' },
      ],
    },
  ])
})

it('what the vendor says of an end, and how it served the call, is recorded', () => {
  const finished = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: x' }
  const answer = { candidates: [finished], usageMetadata: { promptTokenCount: 1, trafficType: 'ON_DEMAND_FLEX' } }
  for (const read of [generateContent.readResponse(answer), streamed(answer)]) {
    expect(read.metadata).toEqual({ finish_message: 'Malformed function call: x' })
    expect(read.served).toEqual({ service_tier: 'flex' })
  }
  const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'No.' }
  expect(generateContent.readResponse({ promptFeedback })).toMatchObject({
    finishReasons: ['SAFETY'],
    metadata: { finish_message: 'No.' },
  })
  expect(generateContent.readParameters({ service_tier: 'flex' })).toEqual({ 'gen_ai.request.service_tier': 'flex' })
})

it("requests in the names of the API's examples are read as those in the library's", () => {
  const ofExamples = {
    system_instruction: { parts: [{ text: 'Be kind.' }] },
    generation_config: { max_output_tokens: 5, thinking_config: { thinking_budget: 7 } },
    tool_config: { function_calling_config: { mode: 'ANY' } },
    cached_content: 'cachedContents/1',
    contents: [
      { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AQ==' } }] },
      { role: 'model', parts: [{ function_call: { name: 'f', args: { a_b: 1 } } }] },
      { role: 'user', parts: [{ function_response: { name: 'f', response: { c_d: 1 } } }] },
    ],
  }
  const ofLibrary = {
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    generationConfig: { maxOutputTokens: 5, thinkingConfig: { thinkingBudget: 7 } },
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    cachedContent: 'cachedContents/1',
    contents: [
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AQ==' } }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a_b: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { c_d: 1 } } }] },
    ],
  }
  expect(generateContent.readParameters(ofExamples)).toEqual(generateContent.readParameters(ofLibrary))
  expect(generateContent.readRequest(ofExamples)).toEqual(generateContent.readRequest(ofLibrary))
  expect(generateContent.readRequest(ofExamples).messages?.[2]?.parts[0]).toMatchObject({ arguments: { a_b: 1 } })
})
