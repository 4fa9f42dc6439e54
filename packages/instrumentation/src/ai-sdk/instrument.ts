import { createRequire } from 'node:module'
import type { EditedSource } from '../hook/edit-source.ts'
import { fillWhenAsked } from '../hook/slot.ts'
import { edited } from './apply-edits.ts'
import { SLOT, STREAM_HOOKS, streamsHeard, telemetryOn } from './source-edits.ts'

const require = createRequire(import.meta.url)

/**
 * Switches the telemetry of the AI SDK 5 and 6 on for all calls that do not say otherwise: `experimental_telemetry`
 * with `isEnabled: false` keeps a call unrecorded, and a tracer given there is used in the place of the global one.
 * Hears the streams of these and of version 7.
 *
 * @param source of the package's entry point; that of other versions comes back as it is
 */
export function edit(source: string, version = ''): EditedSource {
  fillWhenAsked(SLOT, () => (require('./telemetry-5-6.js') as typeof import('./telemetry-5-6.ts')).defaults)
  const [telemetry, streams] = [telemetryOn(source), streamsHeard(source)]
  // From version 7 on there is a registry of telemetry.
  const isOff = telemetry.length === 0 && Number.parseInt(version, 10) < 7
  const isDeaf = STREAM_HOOKS.some((hook) => !streams.some(({ text }) => text.includes(`?.${hook}`)))
  return {
    source: edited(source, [...telemetry, ...streams]),
    missing: [...(isOff ? ['its calls'] : []), ...(isDeaf ? ['how a stream ends that is not read to its end'] : [])],
  }
}
