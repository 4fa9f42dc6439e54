/** @param caller named in the error, which would otherwise come from the call of `fn` and name no function */
export function requireFunction(fn: unknown, caller: string): void {
  if (typeof fn !== 'function')
    throw new TypeError(`svc: ${caller} needs a function, got ${fn === null ? 'null' : typeof fn}.`)
}
