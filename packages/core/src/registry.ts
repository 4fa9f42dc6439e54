import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { SvcHealth } from './health.ts'
import * as SLOTS from './slots.ts'
import { VERSION } from './version.ts'

/** Called for every recorded span, in the async context in which it starts or ends. */
export interface SpanWatcher {
  started(span: Pick<Span, 'spanContext'>): void
  ended(span: Pick<Span, 'spanContext'>): void
}

/** A span of the application, and the one that is recorded in its place. */
export interface BesideSpans {
  readonly theirs: Span
  readonly ours: Span | undefined
}

/** The interface of a running pipeline for other packages of the process. */
export interface Runtime {
  /** The package that started it, for messages: `@svc/register`, `@svc/next`, … */
  readonly owner: string
  /** Version of the `@svc` packages that started it. */
  readonly version: string
  /** Adds options to the running pipeline. */
  attach(options: Readonly<Record<string, unknown>>): void
  /**
   * Resolves when all spans that have ended are delivered or given up. Never rejects.
   *
   * @param limitMs longest time, after which what is left waits for the next delivery. Default: that of each destination
   */
  forceFlush(limitMs?: number): Promise<void>
  /** Returns the state of delivery; undefined if nothing is sent to the service. */
  health?(): SvcHealth | undefined
  /**
   * Returns the tracer of our own instrumentations, whose spans no other provider gets; undefined if there is none. Not
   * all runtimes have one: then it is the global provider's.
   */
  getTracer?(scope: string, version: string): Tracer | undefined
  /** Whether spans of the application go to a tracer provider of its own, and are not to be written on. */
  hasHost?(): boolean
  /** Calls `listener` when {@link hasHost} becomes true, at once if it is. */
  onHost?(listener: () => void): void
  /** Whether a span is for this pipeline, and may be written on. */
  isOurs?(span: Span): boolean
  /**
   * Starts a span of the application, which stays as it is, and one of ours that is recorded in its place, with its ids.
   *
   * @param theirs starts it by the tracer that the application has
   * @param ours starts ours by a tracer of {@link getTracer}
   * @returns the application's span, and ours, where theirs has a trace
   */
  startBeside?(parent: Context, theirs: (parent: Context) => Span, ours: (parent: Context) => Span): BesideSpans
  /** Registers a watcher for every span recorded from now on. */
  watch?(watcher: SpanWatcher): void
  /** Flushes and stops. Later spans are not recorded. Never rejects. */
  shutdown(): Promise<void>
}

/** On globalThis, because copies of this module (bundlers, several installed versions) have to share the runtime. */
export const RUNTIME_SLOT = Symbol.for(SLOTS.RUNTIME)
const slots = globalThis as unknown as Record<symbol, Runtime | undefined>

/** Returns the pipeline of this process, if one is running. */
export function getRuntime(): Runtime | undefined {
  return slots[RUNTIME_SLOT]
}

/**
 * Registers `runtime` as the pipeline of this process, unless there is one already.
 *
 * @returns the registered runtime: `runtime` itself, or the earlier one.
 */
export function claimRuntime(runtime: Omit<Runtime, 'version'>): Runtime {
  slots[RUNTIME_SLOT] ??= { version: VERSION, ...runtime }
  return slots[RUNTIME_SLOT]
}

/** Whether the application has a tracer provider of its own: see {@link Runtime.hasHost}. */
export function hasHost(): boolean {
  return getRuntime()?.hasHost?.() === true
}

/** Undoes {@link claimRuntime}, after a shutdown. */
export function releaseRuntime(): void {
  slots[RUNTIME_SLOT] = undefined
}

/** The health if nothing is sent. */
export const OFF: SvcHealth = {
  state: 'off',
  ended: 0,
  sent: 0,
  pending: 0,
  dropped: {},
  pendingBytes: 0,
  lastSuccess: undefined,
  lastFailure: undefined,
}

/**
 * Returns the state of delivery in this process and the counts of all ended spans, for health checks and tests. `state`
 * is `off` if nothing is sent.
 *
 * @example
 * app.get('/health', (_request, response) => response.json(getSvcHealth()))
 */
export function getSvcHealth(): SvcHealth {
  return getRuntime()?.health?.() ?? OFF
}
