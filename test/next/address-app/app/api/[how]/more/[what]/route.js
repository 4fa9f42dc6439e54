import { unstable_cache } from 'next/cache'
import { cookies } from 'next/headers'
import { notFound, permanentRedirect, redirect } from 'next/navigation'
import { after, connection } from 'next/server'
import { inBoth } from '../../../../../answer.js'
import { ask } from '../../../../../ask.js'

// Each process has its own: the cache is on disk.
const kept = unstable_cache(async (how) => ask().then(() => how), [String(process.pid)])

const text = (piece) => new TextEncoder().encode(piece)

/** Ways to answer, or not to. */
const WAYS = {
  moves: () => redirect('/shop/'),
  'moves-for-good': () => permanentRedirect('/shop/'),
  'is-missing': () => notFound(),
  throws() {
    throw new Error('it broke')
  },
  'sets-a-cookie': async () => (await cookies()).set('seen', 'yes'),
  connects: () => connection(),
  'works-later': () => after(ask),
  'fails-later': () =>
    after(() => {
      throw new Error('it broke later')
    }),
  breaks: () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(text('a piece')),
        pull: () => Promise.reject(new Error('the stream broke')),
      }),
    ),
  'has-no-body': () => new Response(null, { status: 204 }),
}

export const GET = inBoth(async (_, { params }) => {
  const { how, what } = await params
  if (what === 'keeps') return new Response(await kept(how))
  await ask()
  const response = await WAYS[what]()
  return response instanceof Response ? response : new Response(what)
})
