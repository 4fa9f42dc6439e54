import { expect, it } from 'vitest'
import { LIBRARIES } from './libraries.ts'

it.each([
  ['api.openai.com OpenAI/JS 7.1.0', 'openai'],
  ['one.openai.azure.com AzureOpenAI/JS 7.1.0', 'openai'],
  ['api.openai.com e/JS 7.1.0', 'openai'],
  ['models.example e/JS 7.1.0', 'openai'],
  ['api.groq.com e/JS 1.0.0', 'groq-sdk'],
  ['models.example Groq/JS 1.0.0', 'groq-sdk'],
  ['api.together.xyz t$/JS 1.0.0', 'together-ai'],
  ['models.example Cerebras/JS 1.0.0', '@cerebras/cerebras_cloud_sdk'],
  ['models.example AnthropicBedrock/JS 1.0.0', '@anthropic-ai/sdk'],
  ['models.example e/JS 1.0.0 anthropic-version', '@anthropic-ai/sdk'],
  ['api.openai.com ai/6.0.1 ai-sdk/openai/3.0.0 runtime/node.js/24', 'ai'],
  ['api.openai.com ai/7.0.1 ai-sdk/openai/4.0.0 runtime/node.js/24', undefined],
  ['api.github.com undici', undefined],
  ['shop.example node', undefined],
  ['shop.example undefined', undefined],
])('a request of %s belongs to %s', (text, name) => {
  const senders = LIBRARIES.filter(({ requestPattern }) => requestPattern?.test(text)).map((library) => library.package)
  expect(senders).toEqual(name === undefined ? [] : [name])
})
