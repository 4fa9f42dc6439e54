import { attempt } from '@svc/core/attempt'
import { settleNativeSpans } from './anthropic/native.ts'
import { defined, exportOf, fieldsOf } from './calls/read.ts'
import { isMethod, type Method, shadow } from './calls/shadow.ts'
import { type Observing, ownerOf, patchMethods, whenRead } from './methods/patch.ts'
import { patchClient } from './stainless/patch.ts'

type Patch = (exports: unknown, load: () => Observing) => boolean

/** Where each library is patched, by its folder. What is put there is loaded when the first call is made. */
const PLACES = {
  openai: client('OpenAI'),
  anthropic: (exports, load) => {
    attempt('switch the spans of @anthropic-ai/sdk off', settleNativeSpans)
    return patchClient(exportOf(exports, 'Anthropic'), load)
  },
  groq: client('Groq'),
  together: client('Together'),
  'google-genai': (exports, load) => {
    const { Models, GoogleGenAI } = fieldsOf(exports)
    // From version 2 on; a first try of version 1 has promises with helpers, and is left alone.
    whenRead(GoogleGenAI, 'interactions', (value) => {
      if ('getClient' in value) patchMethods(value.constructor, ['create'], load)
    })
    // What `generateContent`, chats, and each turn of automatic function calling end up in.
    const names = ['generateContentInternal', 'generateContentStreamInternal', 'generateImagesInternal']
    const embed = ownerOf(Models, 'embedContentInternal') ? 'embedContentInternal' : 'embedContent'
    return patchMethods(Models, [...names, embed], load)
  },
  ollama: (exports, load) =>
    patchMethods(exportOf(exports, 'Ollama'), ['chat', 'generate', 'embed', 'embeddings'], load),
  cohere: (exports, load) =>
    patchCohere(fieldsOf(exports).V2Client ?? fieldsOf(exports).V2, ['chat', 'chatStream', 'embed'], load),
  'cohere-v1': (exports, load) =>
    patchCohere(fieldsOf(exports).CohereClient, ['chat', 'chatStream', 'generate', 'generateStream', 'embed'], load),
  mistral: (exports, load) => {
    const { Agents, Chat, Embeddings, Fim } = fieldsOf(exports)
    const chats = patchMethods(Chat, ['complete', 'stream', 'parse', 'parseStream'], load)
    const agents = patchMethods(Agents, ['complete', 'stream'], load)
    const embeds = patchMethods(Embeddings, ['create'], load)
    // Its methods are called like those of chats, and ask for something else.
    const fim = patchMethods(Fim, ['complete', 'stream'], () => {
      const { fimComplete: complete, fimStream: stream } = load()
      return defined({ complete, stream })
    })
    return chats || agents || embeds || fim
  },
  bedrock: (exports, load) => {
    const client = fieldsOf(exports).BedrockRuntimeClient
    // The method is that of all clients of AWS, and the others are left alone.
    ownMethod(client, 'send')
    return patchMethods(client, ['send'], load)
  },
  mcp: (exports, load) => {
    const { Client, ExperimentalClientTasks } = fieldsOf(exports)
    const called = patchMethods(Client, ['callTool'], load)
    return patchMethods(ExperimentalClientTasks, ['callToolStream'], load) || called
  },
} satisfies Readonly<Record<string, Patch>>

/** A library whose calls are observed, by its folder. */
export type Place = keyof typeof PLACES

/**
 * Makes a library record its calls. Never throws.
 *
 * @param load gives what observes them, when the first call is made
 * @returns whether there was something that was not instrumented yet
 */
export function patchLibrary(place: Place, exports: unknown, load: () => Observing): boolean {
  return attempt(`instrument ${place}`, () => PLACES[place](exports, load)) ?? false
}

function client(name: string): Patch {
  return (exports, load) => patchClient(exportOf(exports, name), load)
}

/** In newer versions a method puts its promise into another with helpers, and what stands behind it does the work. */
function patchCohere(client: unknown, names: readonly string[], load: () => Observing): boolean {
  return patchMethods(client, ownerOf(client, '__chat') ? names.map((name) => `__${name}`) : names, load)
}

/** Gives a class a method of its own that does what the inherited one does. */
function ownMethod(owner: unknown, name: string): void {
  const prototype = typeof owner === 'function' ? fieldsOf(owner.prototype) : {}
  const base = Object.getPrototypeOf(prototype)
  const inherited = prototype[name]
  if (!isMethod(inherited) || Object.hasOwn(prototype, name)) return
  const own: Method = function (...args) {
    return Reflect.apply(base[name], this, args)
  }
  for (const property of ['name', 'length'] as const) {
    Object.defineProperty(own, property, { value: inherited[property], configurable: true })
  }
  shadow(prototype, name, own)
}
