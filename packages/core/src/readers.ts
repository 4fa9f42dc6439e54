import { isEnvironmentName } from './environment-name.ts'

/** Readers of one value each, for the rows of `settings.ts`: text or a native value in, the value or undefined out. */

export const text = (said: unknown): string | undefined =>
  typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined

/** A text that can be sent in an HTTP header: what was pasted with typographic quotes or a line break cannot. */
export function printable(said: unknown): string | undefined {
  const value = text(said)
  return value !== undefined && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}

export function boolean(said: unknown): boolean | undefined {
  if (typeof said === 'boolean') return said
  const word = text(said)?.toLowerCase()
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  return undefined
}

function number(said: unknown): number | undefined {
  const value = typeof said === 'number' ? said : text(said) === undefined ? Number.NaN : Number(said)
  return Number.isFinite(value) ? value : undefined
}

export function positive(said: unknown): number | undefined {
  const value = number(said)
  return value !== undefined && value > 0 ? value : undefined
}

export function nonNegative(said: unknown): number | undefined {
  const value = number(said)
  return value !== undefined && value >= 0 ? value : undefined
}

/** The longest wait that a timer can be set to, in seconds: some 24 days. */
const LONGEST = 2_147_483

/** Seconds above 0, up to some 24 days. */
export function seconds(said: unknown): number | undefined {
  const value = positive(said)
  return value !== undefined && value <= LONGEST ? value : undefined
}

/** Seconds from 0 up to some 24 days. */
export function secondsOrNone(said: unknown): number | undefined {
  const value = nonNegative(said)
  return value !== undefined && value <= LONGEST ? value : undefined
}

export function count(said: unknown): number | undefined {
  const value = positive(said)
  return Number.isSafeInteger(value) ? value : undefined
}

export function ratio(said: unknown): number | undefined {
  const value = number(said)
  return value !== undefined && value >= 0 && value <= 1 ? value : undefined
}

/** One of `words`, compared without case and surrounding space. */
export function oneOf<const W extends string>(...words: W[]): (said: unknown) => W | undefined {
  return (said) => {
    const word = text(said)?.toLowerCase()
    return words.find((known) => known.toLowerCase() === word)
  }
}

export function ingestionVersion(said: unknown): 3 | 4 | undefined {
  const value = number(said)
  return value === 3 || value === 4 ? value : undefined
}

/** Comma-separated names, or an array of names. */
export function list(said: unknown): readonly string[] | undefined {
  const items = typeof said === 'string' ? said.split(',') : Array.isArray(said) ? said : undefined
  const names = items?.map((item) => text(item)).filter((name): name is string => name !== undefined)
  return names && names.length > 0 ? names : undefined
}

/** Origins of http(s) URLs, comma-separated or as an array; what is none spoils the lot. */
export function origins(said: unknown): readonly string[] | undefined {
  const read = list(said)?.map((name) => (endpoint(name) === undefined ? undefined : new URL(name).origin))
  return read?.every((origin) => origin !== undefined) ? read : undefined
}

/** A text that begins like an http(s) URL, kept as it is. */
export function endpoint(said: unknown): string | undefined {
  const url = text(said)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}

/** Some of `words`, comma-separated or as an array; a word that is none of them spoils the lot. */
export function someOf<const W extends string>(...words: W[]): (said: unknown) => readonly W[] | undefined {
  const known = oneOf(...words)
  return (said) => {
    const read = list(said)?.map(known)
    return read?.every((word) => word !== undefined) ? read : undefined
  }
}

/** An http(s) URL without credentials, query and fragment; trailing slashes are cut. */
export function httpUrl(said: unknown): string | undefined {
  try {
    const url = new URL(text(said) ?? '')
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
    return (url.origin + url.pathname).replace(/\/+$/, '')
  } catch {
    return undefined
  }
}

/** The http(s) URL of a proxy, with user and password where it wants them; `http://` may be left out. */
export function proxyUrl(said: unknown): string | undefined {
  const value = text(said)
  const url = value?.includes('://') ? value : `http://${value}`
  return value !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined
}

/** A tracing environment. Capitals are lowered, as the service does. */
export function environmentName(said: unknown): string | undefined {
  const name = text(said)?.toLowerCase()
  return name !== undefined && isEnvironmentName(name) ? name : undefined
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * HTTP headers: an object, or `name=value,name2=value2` with percent-encoded values
 * (OpenTelemetry's rule for `OTEL_EXPORTER_OTLP_HEADERS`, which is the W3C baggage format). One bad pair spoils the lot.
 */
export function headers(said: unknown): Readonly<Record<string, string>> | undefined {
  const read = pairs(said)
  const fit = ([name, value]: [string, string]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value)
  return read && Object.entries(read).every(fit) ? read : undefined
}

/** Names and texts: an object, or `name=value,name2=value2` with percent-encoded values. One bad pair spoils the lot. */
export function pairs(said: unknown): Readonly<Record<string, string>> | undefined {
  const entries = typeof said === 'string' ? splitPairs(said) : isRecord(said) ? Object.entries(said) : undefined
  if (!entries) return undefined
  const read: Record<string, string> = {}
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') return undefined
    read[name] = value
  }
  return read
}

function splitPairs(said: string): [string, string][] | undefined {
  try {
    return said
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const cut = pair.indexOf('=')
        if (cut < 1) throw new SyntaxError('a pair needs a name and a value')
        return [decodeURIComponent(pair.slice(0, cut).trim()), decodeURIComponent(pair.slice(cut + 1).trim())]
      })
  } catch {
    return undefined
  }
}

function isRecord(said: unknown): said is Record<string, unknown> {
  return typeof said === 'object' && said !== null && !Array.isArray(said)
}
