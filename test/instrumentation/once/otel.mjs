// An application's own set-up of OpenTelemetry: instrumentations of other vendors, in the way that their pages say.
import module, { createRequire } from 'node:module'
import { registerInstrumentations } from '@opentelemetry/instrumentation'

const require = createRequire(import.meta.url)
const VENDORS = {
  openinference: ['openai', 'anthropic', 'bedrock', 'langchain', 'mcp'].map(
    (name) => `@arizeai/openinference-instrumentation-${name}`,
  ),
  traceloop: ['openai', 'anthropic', 'bedrock', 'cohere', 'langchain', 'llamaindex', 'mcp', 'together'].map(
    (name) => `@traceloop/instrumentation-${name}`,
  ),
  contrib: ['@opentelemetry/instrumentation-openai'],
}
const instrumentations = [...VENDORS[process.env.X_VENDOR], '@opentelemetry/instrumentation-undici'].map((name) => {
  const found = Object.entries(require(name)).find(([key]) => key.endsWith('Instrumentation'))[1]
  return new found()
})
if (process.env.X_MANUALLY) {
  const { OpenAI } = await import('openai')
  for (const each of instrumentations) if (/openai$/.test(each.instrumentationName)) each.manuallyInstrument(OpenAI)
} else {
  const include = instrumentations.flatMap((each) => each.getModuleDefinitions?.() ?? []).map(({ name }) => name)
  module.register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include } })
  registerInstrumentations({ instrumentations })
}
