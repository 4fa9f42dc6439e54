import type { ArgumentsHost, MiddlewareConsumer } from '@nestjs/common'
import { foreignText } from '@svc/core/foreign-text'
import { own, ownFields } from '@svc/core/own'
import { ownOptions } from '@svc/core/own-options'
import { exportSettings, trustTraceparent } from '@svc/core/settings'
import type { Trust } from '@svc/core/trust'
import type { StartOptions } from '@svc/register/start'
import type { PropagateAttributesParams } from '@svc/tracing'
import { isNear } from './near.ts'
import type { WithNumbers } from './scope/ids.ts'

type Eventually<T> = T | PromiseLike<T>

/**
 * Says something about who a request is for. Asked when its spans start and end until there is an answer, and once
 * more when the guards have passed; what it throws is logged once and ignored.
 *
 * @param request the request of Express or Fastify; for WebSockets the client, for other messages their data
 * @param host Nest's own view of it, for everything else
 */
// biome-ignore lint/suspicious/noExplicitAny: which request it is, is decided by the adapter; Nest itself says any.
export type SvcResolver<T, Request = any> = (request: Request, host: ArgumentsHost) => Eventually<T | null | undefined>

/** Nest's own patterns for routes: a path, or a path with a method and a version. */
export type SvcRoute = Parameters<ReturnType<MiddlewareConsumer['apply']>['exclude']>[number]

/** Options that are passed to the pipeline: those of `SvcSpanProcessor`. */
type PipelineOptions = Omit<StartOptions, 'owner' | 'instrument' | 'trustBaggage' | 'trustTraceparent'>

/**
 * Options of `SvcModule`: these, and those of the span processor (`environment`, `release`, `mask`, `shouldExportSpan`,
 * and where `@svc/register` was not preloaded also keys, URL and batching).
 */
// biome-ignore lint/suspicious/noExplicitAny: the same here.
export interface SvcModuleOptions<Request = any> extends PipelineOptions {
  /** The id of the user: a text of at most 200 characters, or a number. */
  readonly user?: SvcResolver<string | number | bigint, Request> | undefined
  /** The id of the session or conversation: a text of at most 200 characters, or a number. */
  readonly session?: SvcResolver<string | number | bigint, Request> | undefined
  /** Everything at once: user, session, tags, metadata, version. `user` and `session` win over it. */
  readonly context?: SvcResolver<WithNumbers<PropagateAttributesParams>, Request> | undefined
  /** Record the body of a request, or the payload of a message, as input of its root. Default false. */
  readonly captureInput?: boolean | undefined
  /** Record what the handler returns as output of the root. Default false. */
  readonly captureOutput?: boolean | undefined
  /** Routes that are left alone: no root observation, no user, no session. */
  readonly exclude?: readonly SvcRoute[] | undefined
  /**
   * Take user, session, tags, … from `svc_*` baggage that arrives with requests: of all, or of callers that connect
   * from these addresses. Default: `SVC_TRUST_BAGGAGE`, else false: a client could decide whose trace it is by a header.
   */
  readonly trustBaggage?: Trust
  /**
   * Continue the trace that `traceparent` of a request names: of all, or of callers that connect from these addresses.
   * Default: `SVC_TRUST_TRACEPARENT`, else false: a client that knows the id of a trace could write into it. A request is
   * then a trace of its own, with a link to the one that was named.
   */
  readonly trustTraceparent?: Trust
  /** Milliseconds that closing the application waits for the last spans. Default 2,000. */
  readonly shutdownTimeoutMs?: number | undefined
}

/** Further parameters of `forRoot` and `forRootAsync`. */
export interface SvcModuleExtras {
  /** Make `SvcService` injectable everywhere. Default true. */
  readonly isGlobal?: boolean | undefined
}

/** Gives the options of the module; for `useClass` and `useExisting` of `forRootAsync`. */
export interface SvcOptionsFactory {
  createSvcOptions(): Eventually<SvcModuleOptions>
}

/** An option of `SvcModule` is unknown or of the wrong type: a mistake in the code. One line for each. */
export class SvcOptionsError extends TypeError {
  override readonly name = 'SvcOptionsError'
  /** Describes each problem in one line. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Returns the options, if they are valid.
 *
 * @throws {SvcOptionsError} naming every unknown key and every wrong type
 */
export function checked(options: unknown): SvcModuleOptions {
  if (options === undefined || options === null) return ownFields({})
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw new SvcOptionsError([`svc: the options of SvcModule are ${shown(options)}: expected an object.`])
  }
  const read: SvcModuleOptions = ownOptions(options)
  const problems = Object.entries(read).flatMap(([name, value]) => problemWith(name, value) ?? [])
  if (problems.length > 0) throw new SvcOptionsError(problems)
  return read
}

interface Check {
  readonly fits: (value: unknown) => boolean
  readonly expected: string
}

const isFunction = (value: unknown) => typeof value === 'function'
const resolver = (of: string): Check => ({ fits: isFunction, expected: `a function (request, host) => ${of}` })
const isRoute = (value: unknown) =>
  typeof value === 'string' || typeof (value as { path?: unknown } | null)?.path === 'string'
const flag: Check = { fits: (value) => typeof value === 'boolean', expected: 'true or false' }
const trust: Check = {
  fits: (value) => trustTraceparent.read(value) !== undefined,
  expected: trustTraceparent.expected,
}
const anything: Check = { fits: () => true, expected: '' }

// What a variable can say too (`exportSettings`) is checked where it is read: nonsense there is a warning.
const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(
    [...Object.keys(exportSettings), 'serviceName', 'scopes', 'exportMode'].map((name) => [name, anything]),
  ),
  user: resolver('user id'),
  session: resolver('session id'),
  context: resolver('{ userId, sessionId, tags, metadata, version }'),
  captureInput: flag,
  captureOutput: flag,
  exclude: {
    fits: (value) => Array.isArray(value) && value.every(isRoute),
    expected: "an array of routes, such as ['/health', { path: 'metrics', method: RequestMethod.GET }]",
  },
  trustBaggage: trust,
  trustTraceparent: trust,
  isGlobal: flag,
  shutdownTimeoutMs: {
    fits: (value) => typeof value === 'number' && value >= 0,
    expected: 'a number of milliseconds, 0 or more',
  },
  mask: { fits: isFunction, expected: 'a function ({ data }) => data' },
  redactPatterns: {
    fits: (value) => typeof value === 'object',
    expected: 'patterns by their words: { order: /ORD-\\d+/ }',
  },
  shouldExportSpan: { fits: isFunction, expected: 'a function ({ otelSpan }) => true or false' },
  exporter: { fits: (value) => typeof value === 'object', expected: 'an OpenTelemetry SpanExporter' },
}

function problemWith(name: string, value: unknown): string | undefined {
  const check = own(CHECKS, name)
  if (!check) {
    const near = nearest(name)
    const remedy = near ? `did you mean ${near}?` : `known are ${Object.keys(CHECKS).join(', ')}.`
    return `svc: ${JSON.stringify(foreignText(name))} is not an option of SvcModule: ${remedy}`
  }
  if (value === undefined || value === null || check.fits(value)) return undefined
  return `svc: option ${name} of SvcModule is ${shown(value)}: expected ${check.expected}.`
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(foreignText(value, 80))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? shownList(value) : `of type ${typeof value}`
}

function shownList(list: readonly unknown[]): string {
  const [odd] = list.filter((value) => !isRoute(value))
  return odd === undefined || Array.isArray(odd) ? 'an array' : `an array with ${shown(odd)}`
}

/** Returns the option that was probably meant: `user` for `userId`, `captureInput` for `captureinput` or `captureImput`. */
function nearest(name: string): string | undefined {
  const key = name.toLowerCase()
  return Object.keys(CHECKS).find((known) => {
    const word = known.toLowerCase()
    return word === key || (key.length >= 3 && (word.startsWith(key) || key.startsWith(word) || isNear(key, word)))
  })
}
