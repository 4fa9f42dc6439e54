import { describe, expect, it } from 'vitest'
import { messages } from '../anthropic/messages.ts'
import { converse } from '../bedrock/converse.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { readContentResponse, readParameters } from '../google-genai/generate.ts'
import { generateContent } from '../google-genai/rest.ts'
import { chat } from '../openai/chat.ts'
import { responses } from '../openai/responses.ts'
import { responseAttributes, withParameters } from './write.ts'

/** What the service prices a call by. */
function priced(answer: ResponseContent): Record<string, unknown> {
  const attributes = responseAttributes(answer)
  const read = (name: string) => {
    const text = attributes[`svc.observation.${name}`]
    return typeof text === 'string' ? JSON.parse(text) : undefined
  }
  return { usage: read('usage_details'), served: read('model.parameters'), cost: read('cost_details') }
}

describe('the usage details that determine the price of a call', () => {
  it.each<[what: string, answer: ResponseContent, expected: object]>([
    [
      'OpenAI: the tier that served it, sound and predictions',
      chat.readResponse({
        service_tier: 'priority',
        usage: {
          prompt_tokens: 20,
          completion_tokens: 12,
          total_tokens: 32,
          prompt_tokens_details: { cached_tokens: 5, audio_tokens: 6 },
          completion_tokens_details: {
            audio_tokens: 4,
            reasoning_tokens: 0,
            accepted_prediction_tokens: 2,
            rejected_prediction_tokens: 1,
          },
        },
      }),
      {
        served: { service_tier: 'priority' },
        usage: {
          input: 9,
          output: 8,
          input_cached_tokens: 5,
          input_audio_tokens: 6,
          output_audio_tokens: 4,
          accepted_prediction_tokens: 2,
          rejected_prediction_tokens: 1,
          total: 32,
        },
      },
    ],
    [
      'xAI through openai: reasoning that its completion leaves out',
      chat.readResponse({
        usage: {
          prompt_tokens: 32,
          completion_tokens: 9,
          total_tokens: 135,
          completion_tokens_details: { reasoning_tokens: 94 },
        },
      }),
      { usage: { input: 32, output: 9, output_reasoning_tokens: 94, total: 135 } },
    ],
    [
      'OpenRouter: what it cost',
      chat.readResponse({ usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.00042 } }),
      { cost: { total: 0.00042 }, usage: { input: 1, output: 1, total: 2 } },
    ],
    [
      'Perplexity: what it cost, and its searches',
      chat.readResponse({
        usage: { prompt_tokens: 1, completion_tokens: 1, num_search_queries: 2, cost: { total_cost: 0.006 } },
      }),
      { cost: { total: 0.006 }, usage: { input: 1, output: 1, web_search_requests: 2, total: 2 } },
    ],
    [
      'OpenAI responses: the tier, and searches',
      responses.readResponse({
        service_tier: 'flex',
        output: [{ type: 'web_search_call', id: 'ws_1', status: 'completed' }],
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
      { served: { service_tier: 'flex' }, usage: { input: 1, output: 2, web_search_requests: 1, total: 3 } },
    ],
    [
      'Anthropic: tier and speed, cache writes by how long they are kept, searches; thoughts stay with the output',
      messages.readResponse({
        model: 'claude-opus-4-6',
        usage: {
          input_tokens: 3,
          output_tokens: 9,
          cache_read_input_tokens: 2,
          cache_creation_input_tokens: 7,
          cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
          output_tokens_details: { thinking_tokens: 5 },
          server_tool_use: { web_search_requests: 1 },
          service_tier: 'standard',
          speed: 'fast',
        },
      }),
      {
        served: { service_tier: 'standard', speed: 'fast' },
        usage: {
          input: 3,
          output: 9,
          input_cached_tokens: 2,
          input_cache_creation_5m: 4,
          input_cache_creation_1h: 3,
          web_search_requests: 1,
          total: 21,
        },
      },
    ],
    [
      'Gemini: sound, cached or not, and searches',
      readContentResponse({
        candidates: [{ content: { parts: [{ text: 'Hi' }] }, groundingMetadata: { webSearchQueries: ['a', 'b'] } }],
        usageMetadata: {
          promptTokenCount: 20,
          candidatesTokenCount: 4,
          cachedContentTokenCount: 5,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 10 },
            { modality: 'AUDIO', tokenCount: 10 },
          ],
          cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 5 }],
          candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 3 }],
        },
      }),
      {
        usage: {
          input: 10,
          output: 1,
          input_cached_tokens: 5,
          input_audio_tokens: 5,
          output_audio_tokens: 3,
          web_search_requests: 2,
          total: 24,
        },
      },
    ],
    [
      'Bedrock: the tier, and cache writes by how long they are kept',
      converse.readResponse({
        serviceTier: { type: 'priority' },
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          cacheWriteInputTokens: 3,
          cacheDetails: [
            { ttl: '5m', inputTokens: 1 },
            { ttl: '1h', inputTokens: 2 },
          ],
        },
      }),
      {
        served: { service_tier: 'priority' },
        usage: { input: 1, output: 2, input_cache_creation_5m: 1, input_cache_creation_1h: 2, total: 6 },
      },
    ],
  ])('%s', (_, answer, expected) => {
    expect(priced(answer)).toEqual({ served: undefined, cost: undefined, ...expected })
  })
})

describe('request parameters besides content', () => {
  const request = (attributes: ReturnType<typeof withParameters>) =>
    JSON.parse(String(withParameters(attributes)['svc.observation.model.parameters']))

  it('of Anthropic', () => {
    expect(
      request(
        messages.readParameters({
          max_tokens: 5,
          tool_choice: { type: 'auto', disable_parallel_tool_use: true },
          thinking: { type: 'enabled', budget_tokens: 1_024 },
          service_tier: 'auto',
          speed: 'fast',
          metadata: { user_id: 'u-1' },
        }),
      ),
    ).toEqual({
      max_tokens: 5,
      tool_choice: '{"type":"auto","disable_parallel_tool_use":true}',
      thinking_budget: 1_024,
      service_tier: 'auto',
      speed: 'fast',
      user: 'u-1',
    })
  })

  it('of Gemini', () => {
    expect(
      request(
        readParameters({
          thinkingConfig: { thinkingBudget: 0 },
          toolConfig: { functionCallingConfig: { mode: 'ANY' } },
          responseLogprobs: true,
          logprobs: 3,
          responseSchema: { type: 'OBJECT' },
        }),
      ),
    ).toEqual({
      thinking_budget: 0,
      tool_choice: 'any',
      logprobs: true,
      top_logprobs: 3,
      response_format: '{"type":"OBJECT"}',
    })
  })

  it('of Gemini: the content that it has kept', () => {
    const cachedContent = 'cachedContents/abc'
    const expected = { 'svc.observation.metadata.cached_content': '"cachedContents/abc"' }
    expect(readParameters({ cachedContent })).toEqual(expected)
    expect(generateContent.readParameters({ cachedContent })).toEqual(expected)
  })

  it('of Bedrock', () => {
    const additionalModelRequestFields = { thinking: { type: 'enabled', budget_tokens: 2_000 } }
    expect(
      request(
        converse.readParameters({
          additionalModelRequestFields,
          toolConfig: { toolChoice: { auto: {} } },
          serviceTier: { type: 'flex' },
        }),
      ),
    ).toEqual({ tool_choice: '{"auto":{}}', service_tier: 'flex', thinking_budget: 2_000 })
  })
})
