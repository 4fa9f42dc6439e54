import { expect, it } from 'vitest'
import { serverAttributes } from './server.ts'

class AzureOpenAI {
  baseURL = 'https://proxy.example.com/azure'
}

const at = (baseURL: unknown) => serverAttributes({ baseURL }, 'openai')

it.each([
  ['https://api.openai.com/v1', 'openai'],
  ['https://me.openai.azure.com/openai', 'azure.ai.openai'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.x.ai/v1', 'x_ai'],
  ['https://api.deepseek.com', 'deepseek'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://europe-west1-aiplatform.googleapis.com/v1', 'gcp.vertex_ai'],
  ['https://aiplatform.eu.rep.googleapis.com/v1', 'gcp.vertex_ai'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'gcp.gemini'],
  ['https://models.inference.ai.azure.com', 'azure.ai.inference'],
  ['https://me.services.ai.azure.com/anthropic/', 'azure.ai.inference'],
  ['https://api.perplexity.ai', 'perplexity'],
  ['https://api.moonshot.ai/v1', 'moonshot_ai'],
  ['https://api.mistral.ai/v1', 'mistral_ai'],
  ['https://api.together.ai/v1', 'together_ai'],
  ['https://api.cohere.com/compatibility/v1', 'cohere'],
  ['https://eu-de.ml.cloud.ibm.com/ml/gateway/v1', 'ibm.watsonx.ai'],
  ['https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1', 'aws.bedrock'],
  ['https://notgroq.com/v1', 'openai'],
  ['https://api.groq.com.example.com/v1', 'openai'],
  ['https://constructor/v1', 'openai'],
  ['http://127.0.0.1:8088/v1', 'openai'],
])('the provider of %s is %s', (url, provider) => {
  expect(at(url)['gen_ai.provider.name']).toBe(provider)
})

it('the server port is that of the scheme unless the URL has one', () => {
  expect(at('https://api.openai.com/v1')).toMatchObject({ 'server.address': 'api.openai.com', 'server.port': 443 })
  expect(at('http://localhost/v1')).toMatchObject({ 'server.address': 'localhost', 'server.port': 80 })
  expect(at('http://127.0.0.1:8088/v1')).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': 8088 })
})

it('a client class for one provider names it whatever its URL is', () => {
  expect(serverAttributes(new AzureOpenAI(), 'openai')).toMatchObject({
    'gen_ai.provider.name': 'azure.ai.openai',
    'server.address': 'proxy.example.com',
  })
})

it('a client class for one provider names it without a URL', () => {
  class BedrockClient {}
  expect(serverAttributes(new BedrockClient(), 'cohere')).toEqual({ 'gen_ai.provider.name': 'aws.bedrock' })
})

it('an invalid server URL is omitted', () => {
  expect(at('not a URL')).toEqual({ 'gen_ai.provider.name': 'openai' })
  expect(at(undefined)).toEqual({ 'gen_ai.provider.name': 'openai' })
})
