import { instrumentLoadedAgents } from './agents/instrument.ts'
import { instrumentAnthropic } from './anthropic/instrument.ts'
import { instrumentBedrock } from './bedrock/instrument.ts'
import { type Fields, isObject } from './calls/read.ts'
import { isMethod } from './calls/shadow.ts'
import { instrumentCohere } from './cohere/instrument.ts'
import { instrumentGoogleGenAI } from './google-genai/instrument.ts'
import { instrumentGroq } from './groq/instrument.ts'
import { instrumentLangChain } from './langchain/instrument.ts'
import { instrumentMcp } from './mcp/instrument.ts'
import { ownerOf } from './methods/patch.ts'
import { instrumentMistral } from './mistral/instrument.ts'
import { instrumentOllama } from './ollama/instrument.ts'
import { instrumentOpenAI } from './openai/instrument.ts'
import { instrumentTogether } from './together/instrument.ts'

/** A library, by what it exports and others do not. */
interface Known {
  readonly isExportedIn: (exports: Fields) => boolean
  /** Default: nothing is to be done. */
  readonly instrument?: (exports: unknown) => boolean
  /** What the user has to do, where nothing can be done here. */
  readonly advice?: string
}

/** What `instrument()` knows. Several clients have a class of the same name: the methods tell them apart. */
export const KNOWN_LIBRARIES: readonly Known[] = [
  { isExportedIn: hasClass('Anthropic', 'post'), instrument: instrumentAnthropic },
  // What extends it for other platforms: `AnthropicVertex`.
  { isExportedIn: hasClass('BaseAnthropic', 'post'), instrument: instrumentAnthropic },
  { isExportedIn: hasClass('Groq', 'post'), instrument: instrumentGroq },
  { isExportedIn: hasClass('Together', 'post'), instrument: instrumentTogether },
  { isExportedIn: hasClass('OpenAI', 'post'), instrument: instrumentOpenAI },
  { isExportedIn: hasClass('Models', 'generateContentInternal'), instrument: instrumentGoogleGenAI },
  { isExportedIn: hasClass('Ollama', 'chat'), instrument: instrumentOllama },
  { isExportedIn: has('CohereClientV2'), instrument: instrumentCohere },
  { isExportedIn: hasClass('BedrockRuntimeClient', 'send'), instrument: instrumentBedrock },
  { isExportedIn: hasClass('TraceProvider', 'registerProcessor'), instrument: instrumentLoadedAgents },
  { isExportedIn: hasClass('Client', 'callTool'), instrument: instrumentMcp },
  {
    isExportedIn: has(
      'CallbackManager',
      'AsyncLocalStorageProviderSingleton',
      'BaseChatModel',
      'BaseLLM',
      'BaseRetriever',
      'IterableReadableStream',
      'RunnableLambda',
      'StructuredTool',
    ),
    instrument: instrumentLangChain,
  },
  // From version 7 on the preload reaches the AI SDK in a bundle, too.
  { isExportedIn: has('registerTelemetry') },
  {
    isExportedIn: has('generateText', 'streamText'),
    advice: 'ai 5 and 6 record a bundled call with experimental_telemetry: { isEnabled: true } alone.',
  },
  { isExportedIn: has('Mistral'), instrument: instrumentMistral },
]

function has(...names: readonly string[]): Known['isExportedIn'] {
  return (exports) => names.some((name) => isMethod(exports[name]) || isObject(exports[name]))
}

function hasClass(name: string, method: string): Known['isExportedIn'] {
  return (exports) => ownerOf(exports[name], method) !== undefined
}
