import type { EditedSource } from '../hook/edit-source.ts'
import { edited } from './apply-edits.ts'
import { SLOT, STREAM_HOOKS, streamEdits, telemetryEdits } from './source-edits.ts'
import { defaults } from './telemetry-5-6.ts'

const slots = globalThis as unknown as Record<symbol, object | undefined>

/**
 * Enables the telemetry of the AI SDK 5 and 6 by default: `experimental_telemetry` with `isEnabled: false` keeps a call
 * unrecorded, and a tracer given there is used instead of the global one. Taps the streams of versions 5 to 7.
 *
 * @param source of the package's entry point; that of other versions is returned unchanged
 */
export function edit(source: string, version = ''): EditedSource {
  slots[Symbol.for(SLOT)] ??= defaults
  const [telemetry, streams] = [telemetryEdits(source), streamEdits(source)]
  // From version 7 on there is a registry of telemetry.
  const isOff = telemetry.length === 0 && Number.parseInt(version, 10) < 7
  const isUnchecked = telemetry.length > 0 && !telemetry.some(({ text }) => text.includes('?.objectFailed'))
  const isUntapped = STREAM_HOOKS.some((hook) => !streams.some(({ text }) => text.includes(`?.${hook}`)))
  return {
    source: edited(source, [...telemetry, ...streams]),
    missing: [
      ...(isOff ? ['its calls'] : []),
      ...(isUnchecked ? ['whether a streamed object fits its schema'] : []),
      ...(isUntapped ? ['how a stream ends that is not read to its end'] : []),
    ],
  }
}
