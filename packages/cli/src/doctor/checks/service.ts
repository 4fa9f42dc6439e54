import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { foreignText } from '@svc/core/foreign-text'
import { type HttpResponse, isRedirect, isSuccess } from '@svc/core/http-exchange'
import { messageOf } from '@svc/core/log'
import { proxyFor } from '@svc/core/proxy'
import { readSettings } from '@svc/core/setting'
import { exportSettings, networkSettings } from '@svc/core/settings'
import { compareVersions } from '@svc/instrumentation/hook/target'
import type { App } from '../app/app.ts'
import type { Finding } from '../finding.ts'
import { jsonOf, largestRequest, Requests, testTrace } from './requests.ts'
import { whyUnreachable } from './unreachable.ts'

/** The oldest self-hosted version of the service that supports version 6. */
const OLDEST_SERVICE = '4.59.0'
/** Seconds of difference between the clocks that are not reported. */
const CLOCK_LIMIT_S = 60
/** Bytes of the largest batch, see `RequestForm` of `@svc/core`. */
const LARGEST_BATCH = 1_000_000

/**
 * Sends requests to the service of the app, step by step. Stops at the first error, because the next steps would fail,
 * too.
 *
 * @param readBackMs time-out in milliseconds until the test trace can be read
 */
export async function checkService(app: App, { readBackMs = 15_000 } = {}): Promise<Finding[]> {
  const { baseUrl } = app.service
  if (baseUrl === undefined) return []
  const requests = new Requests(app, baseUrl)
  const found: Finding[] = []
  try {
    for (const step of [reach, checkKeys, sendTrace, checkSize]) {
      found.push(...(await step(requests, app, readBackMs)))
      if (found.some(({ severity }) => severity === 'error')) break
    }
  } catch (error) {
    found.push(whyUnreachable(error, baseUrl, proxyOf(app, baseUrl)))
  } finally {
    requests.close()
  }
  return found
}

async function reach(requests: Requests, app: App): Promise<Finding[]> {
  const { baseUrl } = requests
  const proxy = proxyOf(app, baseUrl)
  const by = proxy ? ` by way of the proxy ${proxy}` : ''
  const sent = Date.now()
  const response = await requests.get('/api/public/health')
  const wrong = wrongAnswer(response, baseUrl)
  if (wrong) return [wrong]
  const version = String(jsonOf(response)?.version)
  const found: Finding[] = [{ id: 'service', severity: 'ok', seen: `${baseUrl} answers${by}: version ${version}` }]
  if (/^v?\d+\.\d+\.\d+/.test(version) && compareVersions(version, OLDEST_SERVICE) < 0) {
    found.push({
      id: 'service-version',
      severity: 'error',
      seen: `the service has version ${version}`,
      means: `Version 6 of the SDK needs version ${OLDEST_SERVICE} or later of the service.`,
      remedy: 'Update the service, or stay on version 5 of the SDK.',
    })
  }
  return [...found, ...checkClock(response, sent)]
}

function proxyOf({ variables }: App, baseUrl: string): string | undefined {
  return proxyFor(
    new URL(baseUrl),
    readSettings(networkSettings, {}, variables.env, () => {}),
  )?.host
}

/** Returns a finding if the response is not from the service. */
function wrongAnswer(response: HttpResponse, baseUrl: string): Finding | undefined {
  const { status, headers } = response
  if (isRedirect(response)) {
    return {
      id: 'service-redirect',
      severity: 'error',
      seen: `${baseUrl} redirects (${status})${headers.location ? ` to ${foreignText(headers.location)}` : ''}`,
      means: 'Redirects are not followed, so that keys are never sent to another address.',
      remedy: 'Set SVC_BASE_URL to the final address.',
    }
  }
  if (isSuccess(response) && typeof jsonOf(response)?.status === 'string') return undefined
  return {
    id: 'service-other',
    severity: 'error',
    seen: `${baseUrl}/api/public/health answers ${status}, but not as svc does`,
    means: 'Another program, a login page or a gateway responds, or svc has another path.',
    remedy: 'Check SVC_BASE_URL: it is the address where you view traces, with its path and without /api.',
  }
}

/** Compares the clocks by the `Date` header, in whole seconds. */
function checkClock({ headers }: HttpResponse, sent: number): Finding[] {
  const there = headers.date === undefined ? Number.NaN : Date.parse(headers.date)
  if (Number.isNaN(there)) return []
  const seconds = Math.round(((sent + Date.now()) / 2 - there) / 1_000)
  if (Math.abs(seconds) <= CLOCK_LIMIT_S) return [{ id: 'clock', severity: 'ok', seen: 'the clocks agree' }]
  return [
    {
      id: 'clock',
      severity: 'warning',
      seen: `the clock here is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the service`,
      means:
        'Traces have wrong times: they are not listed as the latest, and requests of several machines are out of order.',
      remedy: 'Let the system set the clock (NTP).',
    },
  ]
}

async function checkKeys(requests: Requests, { service, variables }: App): Promise<Finding[]> {
  const response = await requests.get('/api/public/projects')
  if (response.status === 401 || response.status === 403) {
    const ending = (service.secretKey ?? '').slice(-4)
    return [
      {
        id: 'keys-refused',
        severity: 'error',
        seen: `the service refuses the keys (${response.status}): ${service.publicKey}, and a secret key that ends in ${ending}`,
        means: 'They belong to another project or region, were deleted, or do not belong together.',
        remedy: `Compare them with the settings of your project at ${requests.baseUrl}.`,
      },
    ]
  }
  if (!isSuccess(response)) return [unexpected('GET /api/public/projects', response)]
  const project = (jsonOf(response)?.data as { name?: unknown }[] | undefined)?.[0]?.name
  const from = variables.of(exportSettings.publicKey)?.source
  const seen = `the keys are accepted: project ${String(project ?? 'without a name')}${from ? ` (keys of ${from})` : ''}`
  return [{ id: 'keys', severity: 'ok', seen }]
}

/** Sends a test trace like spans are sent, and reads it back. */
async function sendTrace(requests: Requests, { service }: App, readBackMs: number): Promise<Finding[]> {
  const { traceId, body } = testTrace(service.environment)
  const json = { 'content-type': 'application/json' }
  const found: Finding[] = []
  const isCompressed = service.compression !== 'none'
  let response = isCompressed
    ? await requests.postTraces(gzipSync(body), { ...json, 'content-encoding': 'gzip' })
    : await requests.postTraces(body, json)
  if (isCompressed && response.status >= 400 && response.status < 500) {
    const plain = await requests.postTraces(body, json)
    if (isSuccess(plain)) {
      found.push({
        id: 'gzip-refused',
        severity: response.status === 415 ? 'warning' : 'error',
        seen: `a compressed request is answered ${response.status}, the same one without compression ${plain.status}`,
        means: 'Something between the app and the service does not accept gzip.',
        remedy: 'Set SVC_OTEL_COMPRESSION=none, or fix the gateway.',
      })
      response = plain
    }
  }
  if (!isSuccess(response)) return [...found, unexpected('the trace endpoint', response)]
  return [...found, await readBack(requests, traceId, readBackMs)]
}

async function readBack(requests: Requests, traceId: string, readBackMs: number): Promise<Finding> {
  const started = Date.now()
  const path = `/api/public/v2/observations?traceId=${traceId}&fields=core&limit=1`
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const response = await requests.get(path)
    if (!isSuccess(response)) return unexpected('GET /api/public/v2/observations', response)
    const rows = jsonOf(response)?.data
    const waited = Date.now() - started
    if (Array.isArray(rows) && rows.length > 0) {
      const seen = `a test trace was sent and read back after ${(waited / 1_000).toFixed(1)} s: ${traceId}`
      return { id: 'test-trace', severity: 'ok', seen }
    }
    if (waited > readBackMs) {
      return {
        id: 'test-trace',
        severity: 'warning',
        seen: `the service accepted the test trace ${traceId}, but does not show it after ${readBackMs / 1_000} s`,
        means: 'It stores traces asynchronously: it may be busy, or its worker is not running.',
        remedy: 'Look for the trace in a minute. If you host the service, check the log of its worker.',
      }
    }
    await setTimeout(pauseMs)
  }
}

/** Sends a request as large as the largest batch, without spans. */
async function checkSize(requests: Requests): Promise<Finding[]> {
  const headers = { 'content-type': 'application/x-protobuf' }
  const size = `${LARGEST_BATCH / 1_000_000} MB`
  try {
    const { status } = await requests.postTraces(largestRequest(LARGEST_BATCH - 64), headers)
    if (status !== 413) return [{ id: 'body-limit', severity: 'ok', seen: `requests of ${size} are accepted` }]
    return [tooLarge(`a request of ${size} is answered 413`)]
  } catch (error) {
    return [tooLarge(`a request of ${size} fails: ${messageOf(error)}`)]
  }
}

function tooLarge(seen: string): Finding {
  return {
    id: 'body-limit',
    severity: 'warning',
    seen,
    means: 'Batches that are too large are split, and a single span that is too large is lost.',
    remedy: 'Raise the limit of the gateway (nginx: client_max_body_size 8m).',
  }
}

function unexpected(what: string, { status }: HttpResponse): Finding {
  return {
    id: 'service-answer',
    severity: 'error',
    seen: `${what} answers ${status}`,
    means: status >= 500 ? 'The service, or a gateway before it, fails.' : 'It rejects the requests of svc.',
    remedy:
      status >= 500 ? 'Try again, and check the log of the service.' : 'Check SVC_BASE_URL and SVC_ADDITIONAL_HEADERS.',
  }
}
