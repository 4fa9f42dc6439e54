import { setImmediate as turn } from 'node:timers/promises'
import { wrap } from '#variant'

export const dynamic = 'force-dynamic'

const words = Array.from({ length: 100 }, (_, at) => new TextEncoder().encode(`word ${at} `))

export const GET = wrap('stream', () => {
  let at = 0
  const body = new ReadableStream({
    async pull(controller) {
      await turn()
      if (at < words.length) controller.enqueue(words[at++])
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/plain' } })
})
