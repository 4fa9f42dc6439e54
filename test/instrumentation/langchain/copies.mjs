// An application with two copies of LangChain, in two majors, each with a chain of its own.
import { startActiveObservation } from '@svc/tracing'
import { chainOf, connect } from './chain.mjs'
import { load } from './modules.mjs'

const [url] = process.argv.slice(2)
for (const name of ['core-0.3.80', 'core-1']) {
  const exports = await load.import(name)
  await startActiveObservation(name, () => {
    return chainOf({ exports, client: connect({ exports, url }) }).invoke({ question: 'What is a span?' })
  })
}
process.kill(process.pid, 'SIGTERM')
