import * as SLOTS from '@svc/core/slots'
import type { EditSource } from '../hook/edit-source.ts'

/** The symbol under which edited code finds {@link NativeContent}. */
export const SLOT = SLOTS.ANTHROPIC

/** Settings that edited code reads. */
export interface NativeContent {
  /** The content mode of a client whose `openTelemetry` option sets none; undefined for the library's default. */
  readonly contentMode: 'content' | 'metadata_only' | undefined
}

/** Matches the place where a client with an `openTelemetry` option falls back to the library's default mode. */
const UNSET = /(?<=contentMode: )contentMode(?= === 'content')/

/** Makes the library's own spans record content by default, as ours do. Line numbers do not change. */
export const edit: EditSource = (source) => {
  if (!UNSET.test(source)) return { source, missing: ['the content of its own spans'] }
  const mode = `(contentMode ?? globalThis[Symbol.for(${JSON.stringify(SLOT)})]?.contentMode)`
  return { source: source.replace(UNSET, mode), missing: [] }
}
