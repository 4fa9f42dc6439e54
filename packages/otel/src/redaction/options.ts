import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { edgeSettings, type Redacted } from '@svc/core/settings'

/** What is hidden, as the options of the span processor say it. */
export interface RedactionOptions {
  readonly redact?: readonly Redacted[] | undefined
  /** Further patterns, by the word for their marks: `{ order: /\bORD-\d{8}\b/ }`. */
  readonly redactPatterns?: Readonly<Record<string, RegExp>> | undefined
}

const ROW = { redact: edgeSettings.redact }

/** Reads options that come while spans flow. Without `redact` they say nothing about it. */
export function laterRedaction({ redact, redactPatterns }: RedactionOptions): RedactionOptions {
  if (redact === undefined) return { redactPatterns }
  return { ...readSettings(ROW, { redact }, () => undefined, warnOnce), redactPatterns }
}
