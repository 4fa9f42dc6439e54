import { mainWay } from '../../instrumentation/harness/ways.ts'

/** The cases of a library, in test/instrumentation. */
export const replayed = (library: string) => ({ library, folder: library, file: 'cases.mjs', ...mainWay(library)[0] })

const LIBRARIES = [
  ...['openai', 'anthropic', 'google-genai', 'groq', 'together', 'cerebras', 'openrouter', 'mistral', 'huggingface'],
  ...['ollama', 'cohere', 'ai-5', 'ai-6', 'ai-7', 'langchain', 'agents', 'generative-ai', 'vertexai', 'perplexity'],
]

/** Models by the clients of frameworks, of `once/models.mjs`. */
const LAYERS = [
  ...['anthropic', 'google-genai', 'groq', 'ollama', 'mistral'].map((client) => `LangChain over ${client}`),
  ...['AI SDK over its anthropic provider', 'AI SDK over ollama', 'LlamaIndex over openai'],
]

/** Libraries whose requests are answered from a trace. */
export const REPLAYED = [
  ...LIBRARIES.map(replayed),
  ...LAYERS.map((name) => ({ library: name, folder: 'once', file: 'models.mjs', name, kind: 'import' })),
]
