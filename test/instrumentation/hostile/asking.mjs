// Asks every library for an answer and a stream.
import { libraries } from './libraries.mjs'

// All of them first: a connection that is idle while others load may be closed under the next request.
const connected = await Promise.all(Object.values(libraries).map((connect) => connect()))
for (const { ask, stream } of connected) {
  await ask('gpt-test', 'Tell NOBODY-ELSE.')
  for await (const _ of await stream('gpt-test', 'Tell NOBODY-ELSE.'));
}
process.kill(process.pid, 'SIGTERM')
