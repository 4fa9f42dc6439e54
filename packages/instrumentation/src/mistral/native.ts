import { defaultVariable } from '@svc/core/environment'
import type { EditedSource } from '../hook/edit-source.ts'
import { corrections, ENABLED } from './corrections.ts'
import { SLOT, withCorrections } from './edit.ts'

const slots = globalThis as unknown as Record<symbol, object | undefined>

/**
 * Enables the spans that `@mistralai/mistralai` creates from version 2.3 on, for the global tracer provider, unless the
 * user configured them. They are suppressed within calls that we record, so they cover all other operations:
 * conversations, OCR. Any value but `global`, `dedicated` and `false` makes its calls throw.
 *
 * @param source of the module that creates them
 */
export function edit(source: string): EditedSource {
  const corrected = withCorrections(source)
  // Without the corrections they would record content even if that is off.
  if (!corrected) return { source, missing: ['conversations and OCR'] }
  defaultVariable(ENABLED, 'global')
  slots[Symbol.for(SLOT)] ??= corrections
  return { source: corrected, missing: [] }
}
