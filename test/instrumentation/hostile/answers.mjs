// Answers that no server should give: those of the model, each with one thing wrong. Prints what the library made of it.
import { inspect } from 'node:util'
import { collect } from '../harness/kit.mjs'
import { libraries } from './libraries.mjs'

const WRONG = [null, 5, 'x', [], {}, [null], { type: 'x', text: {}, content: 7 }, -1e300, [[['deep']]], true]
const BODIES = ['', '{', '<html>', '\u0000', '"x"', '[]']
const GARBAGE = [
  'data: {\n\n',
  'data: [DONE]\n\n',
  ': hello\n\n',
  'event: nothing\n\n',
  '\r\n\r\n',
  'x'.repeat(100_000),
]

/** Every copy of a value in which one thing is wrong, or missing. */
function* mutants(value) {
  yield* WRONG
  if (typeof value !== 'object' || value === null) return
  const copy = () => (Array.isArray(value) ? [...value] : { ...value })
  for (const key of Object.keys(value)) {
    for (const mutant of mutants(value[key])) yield Object.assign(copy(), { [key]: mutant })
    const without = copy()
    if (Array.isArray(without)) without.splice(Number(key), 1)
    else delete without[key]
    yield without
  }
}

const { fetch } = globalThis
let reply
globalThis.fetch = async (...args) => reply(...args)

/** A call that the model answers, and its answer as a text. */
async function recorded(call) {
  let taken
  reply = async (...args) => {
    const response = await fetch(...args)
    const text = (await response.text()).replace(/"created(_at)?":("[^"]+"|\d+)/g, '"created$1":"then"')
    taken = { type: response.headers.get('content-type'), text }
    return new Response(taken.text, { headers: { 'content-type': taken.type } })
  }
  await call()
  return taken
}

const { ask, stream } = await libraries[process.argv[2]]()
const read = async () => collect(await stream('gpt-test', 'Hi'))
const seen = []
async function meet(call, text, type) {
  reply = () => new Response(text, { headers: { 'content-type': type } })
  const outcome = await call().then(
    (value) => inspect(value, { depth: 6 }),
    (error) => `${error.constructor.name}: ${error.message}`,
  )
  seen.push(outcome)
}

const whole = await recorded(() => ask('gpt-test', 'Hi'))
for (const mutant of mutants(JSON.parse(whole.text))) {
  await meet(() => ask('gpt-test', 'Hi'), JSON.stringify(mutant), whole.type)
}
for (const body of BODIES) await meet(() => ask('gpt-test', 'Hi'), body, whole.type)

const streamed = await recorded(read)
const events = streamed.text.split('\n').flatMap((line) => /^(?:data: )?(\{.*\})$/.exec(line)?.[1] ?? [])
const kinds = new Map(events.map((event) => [Object.keys(JSON.parse(event)) + JSON.parse(event).type, event]))
for (const event of kinds.values()) {
  for (const mutant of mutants(JSON.parse(event))) {
    await meet(
      read,
      streamed.text.replace(event, () => JSON.stringify(mutant)),
      streamed.type,
    )
  }
}
for (const garbage of GARBAGE) await meet(read, garbage + streamed.text, streamed.type)
process.stdout.write(JSON.stringify(seen), () => process.kill(process.pid, 'SIGTERM'))
