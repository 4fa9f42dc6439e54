// Ends in the middle of a call of the library that the first argument names, in the way that the second one names.
import { libraries } from './libraries.mjs'

const [library, way] = process.argv.slice(2)
const { ask, stream } = await libraries[library]()
const fail = () => {
  throw new Error('the application failed')
}

/** Reads a stream that stalls after the second word, and does something then. */
async function reading(then) {
  for await (const item of await stream('stall', 'Tell me.')) if (/word/.test(JSON.stringify(item))) then()
}

const WAYS = {
  'exit after an answer': () => ask('gpt-test', 'Hi').then(() => process.exit(0)),
  'exit in a loop': () => reading(() => process.exit(3)),
  'exit with a stream just made': () => stream('stall', 'Tell me.').then(() => process.exit(3)),
  'exit with a call just made': () => {
    ask('hang', 'Hi').catch(() => console.log('failed'))
    process.exit(3)
  },
  'throw in a loop': () => reading(() => setImmediate(fail)),
  'throw out of a loop': () => reading(fail),
  'reject in a loop': () => reading(() => Promise.reject(new Error('the application failed'))),
  'reject of a call': () => {
    ask('hang', 'Hi').catch(() => {})
    ask('error-400', 'Hi')
  },
  'signal in a loop': () => reading(() => console.log('open')),
  'signal in a loop, handled': () => {
    process.on('SIGTERM', () => process.exit(5))
    return reading(() => console.log('open'))
  },
}
process.on('exit', (code) => console.log(`exit ${code}`))
await WAYS[way]()
