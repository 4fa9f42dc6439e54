// An application with a meter provider of its own. Prints who takes a meter.
import { createNoopMeter, metrics } from '@opentelemetry/api'

metrics.setGlobalMeterProvider({
  getMeter(name) {
    console.log(`meter: ${name}`)
    return createNoopMeter()
  },
})
await import('./chat.mjs')
const { start } = await import('@svc/register/start')
await start()?.forceFlush()
