import type { CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { log, messageOf } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'
import { isObservable } from 'rxjs'
import type { SvcSettings } from '../settings.ts'
import { requestOf } from './http-request.ts'
import { httpWork } from './http-work.ts'
import { type Work, within } from './within.ts'

/** Guards and interceptors of ours that Nest may leave out where they are alone, with the settings of their module. */
const guards = new WeakSet<CanActivate>()
const interceptors = new WeakMap<NestInterceptor, SvcSettings>()

/** Our interceptor, by the empty list that Nest keeps for a handler instead of the list with ours alone. */
const alone = new WeakMap<readonly NestInterceptor[], NestInterceptor>()

/** Has Nest leave out a guard that lets everything pass, on handlers that have no other. */
export function omitAlone(guard: CanActivate): void {
  guards.add(guard)
}

/** Has Nest call HTTP handlers that have this interceptor alone as it calls those without any. */
export function callAlone(interceptor: NestInterceptor, settings: SvcSettings): void {
  interceptors.set(interceptor, settings)
}

/** The three classes of Nest, as far as they are used here. */
interface Creator {
  create(...args: unknown[]): unknown
}
interface Consumer {
  intercept(
    interceptors: readonly NestInterceptor[],
    args: readonly unknown[],
    instance: object,
    callback: (...args: unknown[]) => unknown,
    next: () => Promise<unknown>,
    type?: string,
  ): Promise<unknown>
  createContext(
    args: readonly unknown[],
    instance: object,
    callback: object,
  ): ExecutionContext & { setType(type: string): void }
}

const PATCHED = Symbol.for(SLOTS.NEST_ALONE)

/**
 * Patches Nest: a handler with a guard and an interceptor is called through three Observables and seven promises more than
 * one without, which costs more than all that is recorded of it, also where nothing is. Nest has no other way to run code
 * around a handler, so where the classes are not as expected, everything goes through guards and interceptors.
 */
export async function patchNest(): Promise<void> {
  try {
    const [{ GuardsContextCreator }, { InterceptorsContextCreator }, { InterceptorsConsumer }] = await Promise.all([
      import('@nestjs/core/guards/guards-context-creator.js'),
      import('@nestjs/core/interceptors/interceptors-context-creator.js'),
      import('@nestjs/core/interceptors/interceptors-consumer.js'),
    ])
    patch(
      GuardsContextCreator.prototype as unknown as Creator,
      InterceptorsContextCreator.prototype as unknown as Creator,
      InterceptorsConsumer.prototype as unknown as Consumer,
    )
  } catch (error) {
    log.debug(`handlers are called through interceptors: ${messageOf(error)}`)
  }
}

function patch(ofGuards: Creator, ofInterceptors: Creator, consumer: Consumer & { [PATCHED]?: true }): void {
  const { create: createGuards } = ofGuards
  const { create: createInterceptors } = ofInterceptors
  const { intercept, createContext } = consumer
  if (PATCHED in consumer) return
  if (![createGuards, createInterceptors, intercept, createContext].every((each) => typeof each === 'function')) return
  Object.defineProperty(consumer, PATCHED, { value: true })
  ofGuards.create = function (this: Creator, ...args) {
    const created = createGuards.apply(this, args)
    return Array.isArray(created) && created.length === 1 && guards.has(created[0]) ? [] : created
  }
  ofInterceptors.create = function (this: Creator, ...args) {
    const created = createInterceptors.apply(this, args)
    if (!Array.isArray(created) || created.length !== 1 || !interceptors.has(created[0])) return created
    const none: NestInterceptor[] = []
    alone.set(none, created[0])
    return none
  }
  consumer.intercept = function (this: Consumer, given, args, instance, callback, next, type) {
    const interceptor = given?.length === 0 ? alone.get(given) : undefined
    if (!interceptor) return intercept.call(this, given, args, instance, callback, next, type)
    const settings = interceptors.get(interceptor)
    if (type !== 'http' || !settings) return intercept.call(this, [interceptor], args, instance, callback, next, type)
    const [request] = args
    const known = requestOf(request)
    if (!known) return next()
    const host = this.createContext(args, instance, callback)
    host.setType('http')
    const work = attempt('observe a handler', httpWork, host, known, request, settings)
    return work ? done(work, next) : next()
  }
}

/** Runs a handler as part of `work`. */
async function done(work: Work, next: () => Promise<unknown>): Promise<unknown> {
  let result: unknown
  try {
    result = await context.with(work.scope.workContext, next)
  } catch (error) {
    attempt('record an error', () => work.threw(error))
    throw error
  }
  if (isObservable(result)) return within(work, { handle: () => result })
  const sent = work.emitted ? work.emitted(result) : result
  if (work.completed) attempt('record an end', work.completed)
  return sent
}
