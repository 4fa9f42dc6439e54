import { svcObserve, svcUser, withSvc } from '@svc/next'
import { startActiveObservation } from '@svc/tracing'
import { unstable_cache } from 'next/cache'
import { ask } from '../../../ask.js'

/** What is asked here is kept for whoever asks next. */
async function held(question) {
  'use cache'
  await svcUser()
  return startActiveObservation('inside', () => ask(question))
}

const kept = unstable_cache((question) => startActiveObservation('kept', () => ask(question)))

export const POST = withSvc({ name: 'held' }, async (request) => {
  const question = await request.text()
  const text = await svcObserve('around', () => held(question))
  return Response.json({ text, again: await kept(question) })
})
