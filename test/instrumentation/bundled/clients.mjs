import { Anthropic } from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { CohereClient, CohereClientV2 } from 'cohere-ai'
import { Groq } from 'groq-sdk'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import Together from 'together-ai'

const messages = [{ role: 'user', content: 'Say hello.' }]
const apiKey = 'none'

export const clients = {
  openai: (url) => openai(url).chat.completions.create({ model: 'gpt-test', messages }),
  'openai, refused': (url) => openai(url).chat.completions.create({ model: 'error-429', messages }).catch(ignore),
  'openai, aborted': (url) => {
    const controller = new AbortController()
    const { signal } = controller
    const abort = (...args) => {
      setImmediate(() => controller.abort())
      return fetch(...args)
    }
    return openai(url, abort).chat.completions.create({ model: 'hang', messages }, { signal }).catch(ignore)
  },
  anthropic: (url) =>
    new Anthropic({ baseURL: url, apiKey }).messages.create({ model: 'claude-test', max_tokens: 100, messages }),
  groq: (url) => new Groq({ baseURL: url, apiKey }).chat.completions.create({ model: 'llama-test', messages }),
  together: (url) =>
    new Together({ baseURL: `${url}/v1`, apiKey }).chat.completions.create({ model: 'llama-test', messages }),
  mistral: (url) =>
    new Mistral({ apiKey, serverURL: `${url}/mistral` }).chat.complete({ model: 'mistral-test', messages }),
  'google-genai': (baseUrl) =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl } }).models.generateContent({
      model: 'gemini-test',
      contents: 'Say hello.',
    }),
  ollama: (host) => new Ollama({ host }).chat({ model: 'llama-test', messages }),
  cohere: (environment) => new CohereClientV2({ token: apiKey, environment }).chat({ model: 'command-test', messages }),
  'cohere, first version': (environment) =>
    new CohereClient({ token: apiKey, environment }).chat({ model: 'command-test', message: 'Say hello.' }),
  bedrock: (endpoint) =>
    new BedrockRuntimeClient({
      endpoint,
      region: 'us-east-1',
      token: { token: 'none' },
      authSchemePreference: ['httpBearerAuth'],
      requestHandler: new NodeHttpHandler(),
    }).send(
      new ConverseCommand({ modelId: 'claude-test', messages: [{ role: 'user', content: [{ text: 'Say hello.' }] }] }),
    ),
}

function openai(url, fetch) {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, ...(fetch && { fetch }) })
}

function ignore() {}
