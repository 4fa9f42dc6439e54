import { cache } from 'react'
import { forwardedHere } from '../identity/forwarded.ts'
import { type Identity, type IdentityOptions, type Resolvable, resolveIdentity } from '../identity/identity.ts'

/** The user and session of one render. */
interface Box {
  identity?: Promise<Identity | undefined>
}

/** One box a render, shared by all of its server components: OpenTelemetry's context does not reach them. */
const box: () => Box = cache(() => ({}))

/**
 * Says, or tells, who this render is for. With a value, a resolver or options it is remembered for all server components
 * of the render, and {@link svcObserve} gives it to what it observes. Without, it is what `svcProxy` found out, which
 * takes a look at the headers and so makes the page dynamic.
 *
 * @returns the user id
 * @example
 * const userId = await svcUser(async () => (await auth())?.user.id)
 */
export async function svcUser(user?: Resolvable<string, []> | IdentityOptions<[]>): Promise<string | undefined> {
  const here = box()
  if (user !== undefined) here.identity = resolveIdentity(optionsOf(user), [])
  else here.identity ??= forwardedHere().then((forwarded) => forwarded?.identity)
  return (await here.identity)?.userId
}

/** Returns the values that {@link svcUser} was given in this render, if any. */
export async function identityOfRender(): Promise<Identity> {
  return (await box().identity) ?? {}
}

function optionsOf(user: Resolvable<string, []> | IdentityOptions<[]>): IdentityOptions<[]> {
  return typeof user === 'object' && user !== null ? user : { user }
}
