import { defaults } from './defaults.ts'
import { SLOT, type StreamSightings, streamsHeard, type TelemetryDefaults, telemetryOn } from './edit.ts'
import { edited } from './edits.ts'

const slots = globalThis as unknown as Record<symbol, (TelemetryDefaults & StreamSightings) | undefined>

/**
 * Switches the telemetry of the AI SDK 5 and 6 on for all calls that do not say otherwise: `experimental_telemetry`
 * with `isEnabled: false` keeps a call unrecorded, and a tracer given there is used in the place of the global one.
 * Hears the streams of these and of version 7.
 *
 * @param source of the package's entry point; that of other versions comes back as it is
 */
export function editAi(source: string): string {
  slots[Symbol.for(SLOT)] ??= defaults
  return edited(source, [...telemetryOn(source), ...streamsHeard(source)])
}
