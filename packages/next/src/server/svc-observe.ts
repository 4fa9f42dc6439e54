import { isInactive } from '#implementation'
import type { WorkOptions } from '../work.ts'
import { observeRender } from './observe-render.ts'
import { identityOfRender } from './svc-user.ts'

/** Options of {@link svcObserve}. */
export interface SvcObserveOptions extends Omit<WorkOptions, 'name' | 'captureInput'> {
  /** The input to record. */
  readonly input?: unknown
}

/**
 * Observes work in a server component: everything `work` does becomes part of the trace of the request, for the user
 * that {@link svcUser} knows. Not inside a function with `'use cache'`: nothing of the request is visible there, and a
 * hit does not run it. Call that function inside `work` instead.
 *
 * @returns what `work` returns
 * @example
 * const documents = await svcObserve('search', () => index.find(query), { asType: 'retriever', input: query })
 */
export async function svcObserve<R>(
  name: string,
  work: () => R | Promise<R>,
  { input, ...options }: SvcObserveOptions = {},
): Promise<R> {
  return isInactive() ? work() : observeRender(name, options, input, work, identityOfRender())
}
