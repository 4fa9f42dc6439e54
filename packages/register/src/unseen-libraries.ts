import type { ClientRequest } from 'node:http'
import { context, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Environment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { preloadSettings, nextRuntime as runtimeSetting } from '@svc/core/settings'
import { isFirstLine } from '@svc/core/shared-lines'
import { listLoadedPackages, listUnsupportedPackages } from '@svc/instrumentation/hook'
import { LIBRARIES } from '@svc/instrumentation/libraries'
import { isRecorded } from '@svc/instrumentation/record'
import { isDefaultExportSpan, isSvcSpan } from '@svc/otel/filter'

/** Most senders in the cache. */
const SENDERS_KEPT = 1_000

/** How a request is sent: by `fetch`, or by `node:http`. */
type Kind = 'fetch' | 'http'

/** What Node publishes with a request: {@link UndiciRequest} for `fetch`, a `ClientRequest` for `node:http`. */
export interface RequestMessage {
  readonly request: never
}

/** Inspects an outgoing request of this process. @param isCall whether it is recorded as a call */
export type RequestWatch = (kind: Kind, message: RequestMessage, isCall: boolean) => void

/**
 * Warns of calls that are lost, once for each package in the process and its threads: of a library that sends a request
 * without a span because its version is not supported, or although its package was never loaded, since a bundler has
 * included it in the application. The headers of its requests identify it. Of a framework, whose calls are more than
 * their requests, it warns although those are recorded; where it sends none of its own, with the first to a model.
 *
 * @param names the instrumentations that run; undefined for all
 */
export function unseenLibraries(names: readonly string[] | undefined, env: Environment): RequestWatch {
  const senders = LIBRARIES.filter(({ name, requestPattern }) => requestPattern && (names?.includes(name) ?? true))
  const looked = new Set<string>()
  const look = ({ sender, origin }: Sender, isCall: boolean) => {
    const key = `${isCall} ${origin} ${sender}`
    if (looked.has(key)) return
    const text = `${hostOf(origin)} ${sender}`
    const { package: name, isFramework } = senders.find(({ requestPattern }) => requestPattern?.test(text)) ?? {}
    if (name !== undefined && (isFramework || !isCall)) {
      if (isRecordedHere()) return
      warnOf(name, lossOf(name, sender, env))
      warnOfFrameworks()
    }
    if (looked.size === SENDERS_KEPT) looked.clear()
    looked.add(key)
  }
  return (kind, { request }, isCall) => {
    // Most requests to models are those of recorded calls, and there is nothing to say about their senders.
    const isBelowCall = isRecorded(context.active())
    if (!isBelowCall) look(SENDERS[kind](request), isCall)
    if (isBelowCall || isCall) warnOfFrameworks()
  }
}

/** Returns the warning about a request of a library whose calls are not recorded as such. */
function lossOf(name: string, sender: string, env: Environment): string | undefined {
  const unsupported = unsupportedOf(name)
  // A supported copy makes requests that are no calls. Senders name their version.
  const [, line] = unsupported.find(([each]) => sender.includes(each.slice(name.length + 1))) ?? []
  if (line !== undefined || wasShown(name)) return line
  return unsupported[0]?.[1] ?? bundleLine(name, env)
}

function unsupportedOf(name: string): ReturnType<typeof listUnsupportedPackages> {
  return listUnsupportedPackages().filter(([each]) => each.startsWith(`${name} `))
}

function warnOfFrameworks(): void {
  for (const [each, line] of listUnsupportedPackages()) {
    const name = each.slice(0, each.lastIndexOf(' '))
    if (LIBRARIES.every((library) => library.package !== name || !library.requestPattern)) warnOf(name, line)
  }
}

const warned = new Set<string>()

function warnOf(name: string, line: string | undefined): void {
  if (line === undefined || warned.has(name)) return
  warned.add(name)
  // The first number is that of the settings.
  if (isFirstLine(LIBRARIES.findIndex((library) => library.package === name) + 1)) warnOnce(line)
}

interface Sender {
  readonly sender: string
  readonly origin: string
}

const SENDERS: Readonly<Record<Kind, (request: never) => Sender>> = {
  fetch({ headers, origin }: UndiciRequest) {
    const isAnthropics = headerIn(headers, 'anthropic-version') !== undefined
    return { sender: senderOf(headerIn(headers, 'user-agent'), isAnthropics), origin: String(origin) }
  },
  http(request: ClientRequest) {
    const isAnthropics = request.hasHeader('anthropic-version')
    return { sender: senderOf(request.getHeader('user-agent'), isAnthropics), origin: request.host }
  },
}

interface UndiciRequest {
  readonly origin: unknown
  /** Alternating names and values; in older versions the raw header text. */
  readonly headers: readonly unknown[] | string
}

/** The host of an origin, or a host unchanged. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : origin
}

function senderOf(agent: unknown, isAnthropics: boolean): string {
  return `${agent}${isAnthropics ? ' anthropic-version' : ''}`
}

function headerIn(headers: UndiciRequest['headers'], name: string): unknown {
  if (typeof headers === 'string') return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]
  for (let at = 0; at < headers.length; at += 2) {
    const header = String(headers[at])
    if (header.length === name.length && header.toLowerCase() === name) return headers[at + 1]
  }
  return undefined
}

function wasShown(name: string): boolean {
  return listLoadedPackages().some((each) => each.startsWith(`${name} `))
}

/** Whether the call is recorded otherwise, by the library itself or another instrumentation. */
function isRecordedHere(): boolean {
  const above = trace.getActiveSpan() as ReadableSpan | undefined
  return above?.attributes !== undefined && !isSvcSpan(above) && isDefaultExportSpan(above)
}

function bundleLine(name: string, env: Environment): string {
  const rows = { wire: preloadSettings.wire, nextRuntime: runtimeSetting }
  const { wire, nextRuntime } = readSettings(rows, {}, env, () => {})
  const loss =
    wire === 'off' ? 'its calls are not recorded' : 'of its calls only requests that svc recognizes are recorded'
  const remedy =
    nextRuntime === undefined
      ? `Leave ${name} out of the bundle, or give it to instrument() of @svc/instrumentation.`
      : `Add "${name}" to serverExternalPackages in next.config, or wrap the options with withSvcConfig.`
  return `${name} is part of a bundle, so ${loss}. ${remedy}`
}
