import { ON_SERVER } from '@svc/core/on-server'
import { rangesIn } from './address-ranges.ts'
import { isEnvironmentName } from './environment-name.ts'
import { isFields } from './is-fields.ts'
import { ownFields } from './own.ts'
import { withoutEnd } from './without-end.ts'

/**
 * Readers for the rows of `settings.ts`: each returns the value of a variable or option, or undefined if it is invalid.
 */

export const text = (raw: unknown): string | undefined =>
  typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined

/** Reads text for an HTTP header: printable ASCII, without typographic quotes and line breaks. */
export function printable(raw: unknown): string | undefined {
  const value = text(raw)
  return value !== undefined && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}

export function boolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const word = text(raw)?.toLowerCase()
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  return undefined
}

function number(raw: unknown): number | undefined {
  const value = typeof raw === 'number' ? raw : text(raw) === undefined ? Number.NaN : Number(raw)
  return Number.isFinite(value) ? value : undefined
}

export function positive(raw: unknown): number | undefined {
  const value = number(raw)
  return value !== undefined && value > 0 ? value : undefined
}

export function nonNegative(raw: unknown): number | undefined {
  const value = number(raw)
  return value !== undefined && value >= 0 ? value : undefined
}

/** The longest time-out of a timer, in seconds: about 24 days. */
const LONGEST = 2_147_483

/** Reads seconds above 0, up to about 24 days. */
export function seconds(raw: unknown): number | undefined {
  const value = positive(raw)
  return value !== undefined && value <= LONGEST ? value : undefined
}

/** Reads seconds from 0 to about 24 days. */
export function secondsOrNone(raw: unknown): number | undefined {
  const value = nonNegative(raw)
  return value !== undefined && value <= LONGEST ? value : undefined
}

export function count(raw: unknown): number | undefined {
  const value = positive(raw)
  return Number.isSafeInteger(value) ? value : undefined
}

export function ratio(raw: unknown): number | undefined {
  const value = number(raw)
  return value !== undefined && value >= 0 && value <= 1 ? value : undefined
}

/** Returns a reader of one of `words`, regardless of case and surrounding space. */
export function oneOf<const W extends string>(...words: W[]): (raw: unknown) => W | undefined {
  return (raw) => {
    const word = text(raw)?.toLowerCase()
    return words.find((known) => known.toLowerCase() === word)
  }
}

export function ingestionVersion(raw: unknown): 3 | 4 | undefined {
  const value = number(raw)
  return value === 3 || value === 4 ? value : undefined
}

/** Reads comma-separated names, or an array of names. */
export function list(raw: unknown): readonly string[] | undefined {
  const items = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : undefined
  const names = items?.map((item) => text(item)).filter((name): name is string => name !== undefined)
  return names && names.length > 0 ? names : undefined
}

/** Reads the origins of http(s) URLs, comma-separated or as an array; one invalid entry invalidates the list. */
export function origins(raw: unknown): readonly string[] | undefined {
  const read = list(raw)?.map((name) => (endpoint(name) === undefined ? undefined : new URL(name).origin))
  return read?.every((origin) => origin !== undefined) ? read : undefined
}

/** Reads `true`, `false`, or addresses and ranges of them, comma-separated or as an array; one invalid entry invalidates all. */
export function trust(raw: unknown): boolean | readonly string[] | undefined {
  const names = list(raw)?.map((name) => name.toLowerCase())
  // On the edge no address is known, so none is compared.
  const ranges = ON_SERVER ? names?.map(rangesIn) : names
  return boolean(raw) ?? (ranges?.every((each) => each !== undefined) ? ranges.flat() : undefined)
}

/** Reads an http(s) URL and returns it unchanged. */
export function endpoint(raw: unknown): string | undefined {
  const url = text(raw)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}

/** Returns a reader of several of `words`, comma-separated or as an array; one unknown word invalidates the list. */
export function someOf<const W extends string>(...words: W[]): (raw: unknown) => readonly W[] | undefined {
  const known = oneOf(...words)
  return (raw) => {
    const read = list(raw)?.map(known)
    return read?.every((word) => word !== undefined) ? read : undefined
  }
}

const KEEP_RULE =
  /^(?:errors|scored|slow:\d+(?:\.\d+)?(?:ms|s|m)?|cost:(?:\d+(?:\.\d+)?|\.\d+)|users:\s*[^|\s][^|]*(?:\|\s*[^|\s][^|]*)*|rest:(?:0?\.\d+|[01](?:\.0+)?))$/

/** Reads the rules of `SVC_KEEP`, comma-separated or as an array; one invalid rule invalidates the list. */
export function keepRules(raw: unknown): readonly string[] | undefined {
  const rules = list(raw)
  return rules?.every((rule) => KEEP_RULE.test(rule)) ? rules : undefined
}

/** Reads an http(s) URL without credentials; removes query, fragment and trailing slashes. */
export function httpUrl(raw: unknown): string | undefined {
  try {
    const url = new URL(text(raw) ?? '')
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
    return withoutEnd(url.origin + url.pathname, '/')
  } catch {
    return undefined
  }
}

/** Reads the http(s) URL of a proxy, which may have user and password; `http://` may be omitted. */
export function proxyUrl(raw: unknown): string | undefined {
  const value = text(raw)
  const url = value?.includes('://') ? value : `http://${value}`
  return value !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined
}

/** Reads a tracing environment and converts it to lower case, as the service does. */
export function environmentName(raw: unknown): string | undefined {
  const name = text(raw)?.toLowerCase()
  return name !== undefined && isEnvironmentName(name) ? name : undefined
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Reads HTTP headers: an object, or `name=value,name2=value2` with percent-encoded values (OpenTelemetry's rule for
 * `OTEL_EXPORTER_OTLP_HEADERS`, the W3C baggage format). One invalid pair invalidates all.
 */
export function headers(raw: unknown): Readonly<Record<string, string>> | undefined {
  const read = pairs(raw)
  const fit = ([name, value]: [string, string]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value)
  return read && Object.entries(read).every(fit) ? read : undefined
}

/**
 * Reads names and values: an object, or `name=value,name2=value2` with percent-encoded values. One invalid pair
 * invalidates all.
 */
export function pairs(raw: unknown): Readonly<Record<string, string>> | undefined {
  const entries = typeof raw === 'string' ? splitPairs(raw) : isFields(raw) ? Object.entries(raw) : undefined
  if (!entries) return undefined
  const read: Record<string, string> = ownFields({})
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') return undefined
    read[name] = value
  }
  return read
}

function splitPairs(raw: string): [string, string][] | undefined {
  try {
    return raw
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const cut = pair.indexOf('=')
        if (cut < 1) throw new SyntaxError(pair)
        return [decodeURIComponent(pair.slice(0, cut).trim()), decodeURIComponent(pair.slice(cut + 1).trim())]
      })
  } catch {
    return undefined
  }
}
