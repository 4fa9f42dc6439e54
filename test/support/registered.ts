import { logThrough } from '@svc/core/log'
import { getRuntime, releaseRuntime } from '@svc/core/registry'
import { AI_SDK, INSTRUMENTED, NESTJS_TESTING } from '@svc/core/slots'
import { afterAll } from 'vitest'

// Files that start something share a process: the runtime of one ends with it, and so does what it has registered with
// Nest's logger and in slots that are read anew with each use.
const OURS = [AI_SDK, INSTRUMENTED, NESTJS_TESTING].map((name) => Symbol.for(name))
const slots = globalThis as unknown as Record<symbol, unknown>

afterAll(async () => {
  logThrough(undefined)
  await getRuntime()?.shutdown()
  releaseRuntime()
  for (const slot of OURS) delete slots[slot]
  Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS')
})
