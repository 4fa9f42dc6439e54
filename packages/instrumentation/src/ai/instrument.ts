import { createRequire } from 'node:module'
import { attempt } from '@svc/core/attempt'
import { SLOT, type StreamSightings, streamsHeard, type TelemetryDefaults, telemetryOn } from './edit.ts'
import { edited } from './edits.ts'

const require = createRequire(import.meta.url)

type Defaults = TelemetryDefaults & StreamSightings

const slots = globalThis as unknown as Record<symbol, Partial<Defaults> | undefined>

/**
 * Stands in the slot until the edited code asks. Not loaded before: Node 22 cannot require modules while it links those
 * of the application that have dependencies in common with them.
 */
const awaited = new Proxy<Partial<Defaults>>({}, { get: (_, name) => Reflect.get(loaded() ?? {}, name) })

function loaded(): Defaults | undefined {
  return attempt('load what observes the AI SDK', () => {
    const { defaults } = require('./defaults.js') as typeof import('./defaults.ts')
    slots[Symbol.for(SLOT)] = defaults
    return defaults
  })
}

/**
 * Switches the telemetry of the AI SDK 5 and 6 on for all calls that do not say otherwise: `experimental_telemetry`
 * with `isEnabled: false` keeps a call unrecorded, and a tracer given there is used in the place of the global one.
 * Hears the streams of these and of version 7.
 *
 * @param source of the package's entry point; that of other versions comes back as it is
 */
export function editAi(source: string): string {
  slots[Symbol.for(SLOT)] ??= awaited
  return edited(source, [...telemetryOn(source), ...streamsHeard(source)])
}
