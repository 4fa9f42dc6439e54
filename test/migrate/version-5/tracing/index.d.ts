// What @svc/tracing exported in version 5, as far as the apps beside it go.
export { configureGlobalLogger, getGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core'
export enum SvcOtelSpanAttributes {
  TRACE_NAME = 'svc.trace.name',
  TRACE_USER_ID = 'user.id',
}
export interface SvcSpanAttributes {
  input?: any
  output?: any
  metadata?: any
  model?: string
}
export interface SvcTraceAttributes {
  name?: string
  userId?: string
  sessionId?: string
  tags?: string[]
  input?: any
  output?: any
}
interface Options {
  asType?: 'span' | 'generation' | 'tool' | 'agent' | 'chain' | 'event'
}
export class SvcSpan {
  readonly id: string
  readonly traceId: string
  update(attributes: SvcSpanAttributes): this
  setTraceIO(attributes: { input?: any; output?: any }): this
  setTraceAsPublic(): this
  startObservation(name: string, attributes?: SvcSpanAttributes, options?: Options): SvcSpan
  end(): void
}
export function startObservation(name: string, attributes?: SvcSpanAttributes, options?: Options): SvcSpan
export function startActiveObservation<T>(
  name: string,
  fn: (span: SvcSpan) => T,
  options?: Options & { endOnExit?: boolean },
): T
export function observe<F extends (...args: any[]) => any>(fn: F, options?: Options & { name?: string }): F
export function updateActiveObservation(attributes: SvcSpanAttributes): void
export function setActiveTraceIO(attributes: { input?: any; output?: any }): void
export function setActiveTraceAsPublic(): void
export function createTraceAttributes(attributes: SvcTraceAttributes): Record<string, string>
export function propagateAttributes<T>(
  params: {
    userId?: string
    sessionId?: string
    tags?: string[]
    traceName?: string
    metadata?: Record<string, string>
  },
  fn: () => T,
): T
