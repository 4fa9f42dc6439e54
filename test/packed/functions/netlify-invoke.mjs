// Invokes the function of a bundle of Netlify's for two users at once, as AWS Lambda does, and is killed when it is frozen:
// `node netlify-invoke.mjs <folder>`.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (stream) => stream },
}
const { handler } = await import(`${process.argv[2]}/ask/___netlify-entry-point.mjs`)

async function invoke(user) {
  const stream = new PassThrough()
  const event = {
    rawUrl: `https://example.com/users/${user}`,
    path: `/users/${user}`,
    route: '/users/:user',
    httpMethod: 'GET',
    headers: {},
    isBase64Encoded: false,
  }
  const context = { awsRequestId: user, getRemainingTimeInMillis: () => 60_000, clientContext: {} }
  const answer = text(stream)
  await handler(event, stream, context)
  console.log(`answer: ${await answer}`)
}
await Promise.all(['ann', 'bob'].map(invoke))
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))
