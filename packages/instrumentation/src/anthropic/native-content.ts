import type { EditSource } from '../hook/edit-source.ts'

/** Where the edited code finds {@link NativeContent}. */
export const SLOT = 'svc.anthropic.6'

/** What the edited code asks. */
export interface NativeContent {
  /** What a client records that does not say so in its `openTelemetry` option. */
  readonly contentMode: 'content' | 'metadata_only'
}

/** A client that is given an option at all has the library's default for whatever the option leaves unset. */
const UNSET = /(?<=contentMode: )contentMode(?= === 'content')/

/** The library's own spans with content where nobody has said otherwise, as everywhere. No line moves. */
export const edit: EditSource = (source) => {
  if (!UNSET.test(source)) return { source, missing: ['the content of its own spans'] }
  const mode = `(contentMode ?? globalThis[Symbol.for(${JSON.stringify(SLOT)})]?.contentMode)`
  return { source: source.replace(UNSET, mode), missing: [] }
}
