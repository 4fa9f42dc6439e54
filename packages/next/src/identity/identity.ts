import { fieldsOf } from '@svc/core/json'
import { log, messageOf } from '@svc/core/log'
import { inTime } from '@svc/core/timers'

/** The user and session of some work. Undefined and empty values are left out. */
export interface Identity {
  /** Whose request this is: at most 200 characters. */
  readonly userId?: string | undefined
  /** The conversation or session it belongs to: at most 200 characters. */
  readonly sessionId?: string | undefined
  /** Tags of the trace, at most 200 characters each. */
  readonly tags?: readonly string[] | undefined
  /** Metadata of the trace: JSON values of at most 200 characters. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Version of the application at work: at most 200 characters. */
  readonly version?: string | undefined
}

/** A value, or a function that returns it within two seconds. The first error of each option is logged. */
export type Resolvable<T, Args extends readonly unknown[]> =
  | T
  | undefined
  | ((...args: Args) => T | null | undefined | Promise<T | null | undefined>)

/** The sources of {@link Identity} for one request. */
export interface IdentityOptions<Args extends readonly unknown[]> {
  /** Whose request this is: at most 200 characters. Default: what `svcProxy` found out. */
  readonly user?: Resolvable<string, Args>
  /** The conversation or session it belongs to: at most 200 characters. Default: what `svcProxy` found out. */
  readonly session?: Resolvable<string, Args>
  /** Tags of the trace, joined with those of `svcProxy`. */
  readonly tags?: Resolvable<readonly string[], Args>
  /** Metadata of the trace, merged over that of `svcProxy`. */
  readonly metadata?: Resolvable<Readonly<Record<string, unknown>>, Args>
  /** Version of the application at work. */
  readonly version?: Resolvable<string, Args>
}

/** Milliseconds that the handler waits for a resolver. */
const LIMIT_MS = 2_000

const FIELDS = {
  user: 'userId',
  session: 'sessionId',
  tags: 'tags',
  metadata: 'metadata',
  version: 'version',
} as const satisfies Record<keyof IdentityOptions<[]>, keyof Identity>
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

/** Returns whether options have anything to resolve. */
export function hasIdentity(options: IdentityOptions<never>): boolean {
  return givenIn(options).length > 0
}

const givenIn = (options: IdentityOptions<never>) =>
  NAMES.filter((name) => options[name] !== undefined && options[name] !== null)

/** Asks every resolver once, all at the same time. Never rejects. */
export async function resolveIdentity<Args extends readonly unknown[]>(
  options: IdentityOptions<Args>,
  args: Args,
): Promise<Identity> {
  const resolving = givenIn(options).map(async (name) => [FIELDS[name], await resolved(name, options[name], args)])
  const found = await Promise.all(resolving)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null && value !== ''))
}

/** Both, the second over the first: tags are joined, metadata is merged by key. */
export function mergeIdentities(outer: Identity | undefined, inner: Identity): Identity {
  if (!outer) return inner
  return {
    ...outer,
    ...inner,
    // Not spread: what an option gives may be no list.
    tags: [outer.tags ?? [], inner.tags ?? []].flat(),
    metadata: { ...outer.metadata, ...fieldsOf(inner.metadata ?? {}) },
  }
}

async function resolved(name: string, value: unknown, args: readonly unknown[]): Promise<unknown> {
  if (typeof value !== 'function') return value
  try {
    return await inTime(Promise.resolve(value(...args)), LIMIT_MS)
  } catch (error) {
    // Once, whatever the error is: its message may have the id of the request.
    log.once('warn', `the resolver of ${name} failed, so a request has none: ${messageOf(error)}`, name)
    return undefined
  }
}
