// The names of the server for modules that both sides share: in a page nothing is traced, and everything runs as it is.

/** Does nothing in a page. */
export async function registerSvc(): Promise<void> {}

/** Does nothing in a page. */
export function onRequestError(): void {}

/** Gives back what it was given. */
export const withSvc = <Handler>(_options: unknown, handler: Handler): Handler => handler

/** Gives back what it was given. */
export const withSvcAction = <Action>(_options: unknown, action: Action): Action => action

/** Gives back what it was given. */
export const svcProxy = <Handler>(_options: unknown, handler: Handler): Handler => handler

/** Undefined: a page has no current user. */
export async function svcUser(): Promise<undefined> {}

/** Runs the work. */
export async function svcObserve<R>(_name: string, work: () => R | Promise<R>): Promise<R> {
  return work()
}

/** Nothing, in a page. */
export async function svcShare(): Promise<undefined> {}

/** Nothing is sent from a page. */
export const getSvcHealth = () => ({ state: 'off', ended: 0, sent: 0, pending: 0, dropped: {}, pendingBytes: 0 })
