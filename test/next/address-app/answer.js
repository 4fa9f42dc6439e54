import { withSvc } from '@svc/next'
import { ask } from './ask.js'

/** What somebody gets to see of a file and its parameters, after a call of a model. */
export async function answer(file, params) {
  await ask()
  return `${file} ${JSON.stringify(await params)}`
}

/** A route handler, without us and with us around it. */
export function inBoth(handler) {
  const how = { bare: handler, svc: withSvc({}, handler) }
  return async (request, context) => how[(await context.params).how](request, context)
}

export const route = inBoth(async (request, { params }) =>
  Response.json([await answer('route', params), request.nextUrl.pathname, request.nextUrl.search]),
)
