// Preload of the peers in bench/request.mjs: a provider that exports in batches, and the instrumentation that is named.
import './otel-provider.mjs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { OpenAIInstrumentation } = require(process.env.BENCH_PEER)
const instrumentation = new OpenAIInstrumentation()
globalThis.benchedOpenAI = (OpenAI) => instrumentation.manuallyInstrument(OpenAI)
