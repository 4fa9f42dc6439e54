import type { ClientRequest } from 'node:http'
import { context, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Environment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { hostSettings } from '@svc/core/settings'
import { shownPackages } from '@svc/instrumentation/hook'
import { LIBRARIES } from '@svc/instrumentation/libraries'
import { isRecorded } from '@svc/instrumentation/record'
import { isDefaultExportSpan, isSvcSpan } from '@svc/otel'

/** Looks at requests that leave this process. */
export interface RequestWatch {
  fetch(message: { readonly request: UndiciRequest }): void
  http(message: { readonly request: ClientRequest }): void
}

/**
 * Warns, once a library, where a library that the hook was never shown sends a request which nobody records: a bundler
 * has made it part of the application. Its requests say who sent them.
 *
 * @param names the instrumentations that run
 */
export function unseenLibraries(names: readonly string[], env: Environment): RequestWatch {
  const unseen = LIBRARIES.filter(({ name, sends }) => sends && names.includes(name))
  const look = (host: string, agent: unknown, isAnthropics: boolean) => {
    const text = `${host} ${agent}${isAnthropics ? ' anthropic-version' : ''}`
    const at = unseen.findIndex(({ sends }) => sends?.test(text))
    const { package: name } = unseen[at] ?? {}
    if (name === undefined) return
    if (!wasShown(name)) {
      if (isRecordedHere()) return
      warnOnce(`${name} is part of a bundle, so its calls are not recorded. ${remedy(name, env)}`)
    }
    // There is nothing more to say about it.
    unseen.splice(at, 1)
  }
  return {
    fetch({ request }) {
      if (unseen.length === 0) return
      const { headers, origin } = request
      look(new URL(String(origin)).hostname, headerIn(headers, 'user-agent'), !!headerIn(headers, 'anthropic-version'))
    },
    http({ request }) {
      if (unseen.length > 0) look(request.host, request.getHeader('user-agent'), request.hasHeader('anthropic-version'))
    },
  }
}

interface UndiciRequest {
  readonly origin: unknown
  /** Names and values in turn; in older versions as they are written on the wire. */
  readonly headers: readonly unknown[] | string
}

function headerIn(headers: UndiciRequest['headers'], name: string): unknown {
  if (typeof headers === 'string') return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]
  const at = headers.findIndex((each, index) => index % 2 === 0 && String(each).toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

function wasShown(name: string): boolean {
  return shownPackages().some((each) => each.startsWith(`${name} `))
}

/** Whether the call is recorded all the same: by `instrument()`, by the library itself, or by somebody else. */
function isRecordedHere(): boolean {
  if (isRecorded(context.active())) return true
  const above = trace.getActiveSpan() as ReadableSpan | undefined
  return above?.attributes !== undefined && !isSvcSpan(above) && isDefaultExportSpan(above)
}

function remedy(name: string, env: Environment): string {
  const { nextRuntime } = readSettings({ nextRuntime: hostSettings.nextRuntime }, {}, env, () => {})
  return nextRuntime === undefined
    ? `Leave ${name} out of the bundle, or give it to instrument() of @svc/instrumentation.`
    : `Add "${name}" to serverExternalPackages in next.config, or wrap the options with withSvcConfig.`
}
