import * as anthropic from './anthropic.js'
import * as audio from './audio.js'
import * as bedrock from './bedrock.js'
import { invoke } from './bedrock-invoke.js'
import { chat, groqChat } from './chat.js'
import * as cohere from './cohere.js'
import * as cohereV1 from './cohere-v1.js'
import { completions } from './completions.js'
import { embeddings } from './embeddings.js'
import * as gemini from './gemini.js'
import { Refusal } from './http.js'
import { images } from './images.js'
import { interactions } from './interactions.js'
import * as mistral from './mistral.js'
import { models } from './models.js'
import * as ollama from './ollama.js'
import { responses } from './responses.js'

/** What an OpenAI-compatible server says when it refuses. */
const refusal = ({ message, type }) => ({ error: { message, type, param: null, code: null } })

// Method and path → what answers, and who says how it refuses. Gemini has the model, and whether to stream, in the path.
const ROUTES = [
  [/^POST \/v1\/chat\/completions$/, chat, refusal],
  [/^POST \/openai\/v1\/chat\/completions$/, groqChat, refusal],
  [/^POST \/v1\/responses(\/compact)?$/, responses, refusal],
  [/^POST \/v1\/embeddings$/, embeddings, refusal],
  [/^POST \/v1\/completions$/, completions, refusal],
  [/^POST \/v1\/images\/(generations|edits)$/, images, refusal],
  [/^POST \/v1\/audio\/(transcriptions|translations)$/, audio.transcriptions, refusal],
  [/^POST \/v1\/audio\/speech$/, audio.speech, refusal],
  [/^GET \/v1\/models$/, models, refusal],
  [/^POST \/v1\/messages$/, anthropic.messages, anthropic.refusal],
  [
    /^POST \/v1\/projects\/.+\/publishers\/anthropic\/models\/(?<model>[^/:]+):(?<stream>stream)?[rR]awPredict$/,
    anthropic.messages,
    anthropic.refusal,
  ],
  [
    /^POST \/v1(beta)?(\/projects\/.+\/publishers\/google)?\/models\/(?<model>[^/:]+):(?<stream>stream)?[gG]enerateContent$/,
    gemini.generateContent,
    gemini.refusal,
  ],
  [/^POST \/v1(beta)?\/models\/(?<model>[^/:]+):batchEmbedContents$/, gemini.embedContents, gemini.refusal],
  [/^POST \/v1(beta)?\/models\/(?<model>[^/:]+):embedContent$/, gemini.embedContent, gemini.refusal],
  [/^POST \/v1(beta)?\/models\/(?<model>[^/:]+):predict$/, gemini.predict, gemini.refusal],
  [/^POST \/v1(beta)?\/interactions$/, interactions, gemini.refusal],
  [/^POST \/mistral\/v1\/chat\/completions$/, mistral.chat, mistral.refusal],
  [/^POST \/mistral\/v1\/fim\/completions$/, mistral.fim, mistral.refusal],
  [/^POST \/mistral\/v1\/(?<model>agents)\/completions$/, mistral.chat, mistral.refusal],
  [/^POST \/mistral\/v1\/ocr$/, mistral.ocr, mistral.refusal],
  [/^POST \/mistral\/v1\/embeddings$/, mistral.embeddings, mistral.refusal],
  [/^POST \/model\/(?<model>[^/]+)\/converse(?<stream>-stream)?$/, bedrock.converse, bedrock.refusal],
  [/^POST \/v1\/chat$/, cohereV1.chat, cohere.refusal],
  [/^POST \/v1\/generate$/, cohereV1.generate, cohere.refusal],
  [/^POST \/v1\/embed$/, cohereV1.embed, cohere.refusal],
  [/^POST \/model\/(?<model>[^/]+)\/invoke(?<stream>-with-response-stream)?$/, invoke, bedrock.refusal],
  [/^POST \/v2\/chat$/, cohere.chat, cohere.refusal],
  [/^POST \/v2\/embed$/, cohere.embed, cohere.refusal],
  [/^POST \/v2\/rerank$/, cohere.rerank, cohere.refusal],
  [/^POST \/api\/chat$/, ollama.chat, ollama.refusal],
  [/^POST \/api\/generate$/, ollama.generate, ollama.refusal],
  [/^POST \/api\/embed$/, ollama.embed, ollama.refusal],
  [/^POST \/api\/embeddings$/, ollama.embeddings, ollama.refusal],
]

/** Who answers a request; an unknown path is refused as OpenAI does. Most of Azure and Groq leads to the same places. */
export function routeFor(method, path) {
  const name = `${method} ${path.replace(/^\/openai(\/deployments\/[^/]+|\/v1(?!\/chat))/, '/v1')}`
  for (const [pattern, handler, refusal] of ROUTES) {
    const match = pattern.exec(name)
    if (match) return { handler, refusal, asked: askedBy(match.groups) }
  }
  const handler = () => {
    throw new Refusal(404, `Invalid URL (${name})`)
  }
  return { handler, refusal, asked: () => ({ model: 'none' }) }
}

function askedBy(groups) {
  if (!groups) return (body) => body
  return (body) => ({ ...body, model: decodeURIComponent(groups.model), ...(groups.stream ? { stream: true } : {}) })
}
