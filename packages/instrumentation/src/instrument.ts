import { log } from '@svc/core/log'
import { instrumentLoadedAgents } from './agents/instrument.ts'
import { instrumentAnthropic } from './anthropic/instrument.ts'
import { instrumentBedrock } from './bedrock/instrument.ts'
import { fieldsOf } from './calls/read.ts'
import { instrumentCohere } from './cohere/instrument.ts'
import { instrumentGoogleGenAI } from './google-genai/instrument.ts'
import { instrumentGroq } from './groq/instrument.ts'
import { instrumentMcp } from './mcp/instrument.ts'
import { instrumentOllama } from './ollama/instrument.ts'
import { instrumentOpenAI } from './openai/instrument.ts'
import { instrumentTogether } from './together/instrument.ts'

/** What a library exports that no other does → what instruments it. */
const LIBRARIES: readonly (readonly [name: string, instrument: (exports: unknown) => boolean])[] = [
  ['Anthropic', instrumentAnthropic],
  ['Groq', instrumentGroq],
  ['Together', instrumentTogether],
  ['GoogleGenAI', instrumentGoogleGenAI],
  ['Ollama', instrumentOllama],
  ['CohereClientV2', instrumentCohere],
  ['OpenAI', instrumentOpenAI],
  ['BedrockRuntimeClient', instrumentBedrock],
  ['TraceProvider', instrumentLoadedAgents],
  ['Client', instrumentMcp],
]

/**
 * Instruments a library by its exports, for bundled applications, of which the preload sees no packages. To be called
 * once, before the first client is made. Never throws; the line that says what is not known is a warning.
 *
 * @param exports what `import * as library from 'library'` gave
 * @returns whether there was something to instrument that was not yet
 * @example
 * import * as openai from 'openai'
 * import { instrument } from '@svc/instrumentation'
 *
 * instrument(openai)
 */
export function instrument(exports: unknown): boolean {
  const named = typeof exports === 'function' ? { ...exports } : fieldsOf(exports)
  const found = LIBRARIES.find(([name]) => name in named)
  if (found) return found[1](exports)
  log.once('warn', 'instrument() was given no library that is understood. Pass what `import * as` gave.')
  return false
}
