import { createRequire } from 'node:module'
import { fillWhenAsked } from '../hook/slot.ts'
import { SLOT, streamsHeard, telemetryOn } from './edit.ts'
import { edited } from './edits.ts'

const require = createRequire(import.meta.url)

/**
 * Switches the telemetry of the AI SDK 5 and 6 on for all calls that do not say otherwise: `experimental_telemetry`
 * with `isEnabled: false` keeps a call unrecorded, and a tracer given there is used in the place of the global one.
 * Hears the streams of these and of version 7.
 *
 * @param source of the package's entry point; that of other versions comes back as it is
 */
export function edit(source: string): string {
  fillWhenAsked(SLOT, () => (require('./defaults.js') as typeof import('./defaults.ts')).defaults)
  return edited(source, [...telemetryOn(source), ...streamsHeard(source)])
}
