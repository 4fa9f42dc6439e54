// Values of every kind as input, output and metadata: what arrives of them is the rule of serialisation.
import { startObservation } from '@svc/tracing'

const cycle = { name: 'cycle' }
cycle.self = cycle
const deep = { top: 'a' }
for (let at = deep, level = 0; level < 20_000; level++) {
  at.below = {}
  at = at.below
}
const broken = {
  toJSON() {
    throw new Error('no JSON today')
  },
}

const VALUES = {
  text: 'plain',
  'text that is JSON': '{"a":1}',
  'empty text': '',
  number: 5,
  'digits as text': '3',
  zero: 0,
  boolean: false,
  list: ['a', 1, null],
  nested: { a: { b: [1, 2] } },
  date: new Date(0),
  'small bigint': 12n,
  'large bigint': 12345678901234567890n,
  'not a number': Number.NaN,
  infinity: Number.NEGATIVE_INFINITY,
  undefined: undefined,
  null: null,
  function: () => {},
  symbol: Symbol('s'),
  'toJSON giving undefined': { toJSON: () => undefined },
  cycle,
  deep,
  broken,
}

for (const [name, value] of Object.entries(VALUES))
  startObservation(`input ${name}`, { input: value, output: value }).end()
startObservation('metadata', { metadata: VALUES }).end()
startObservation('metadata that is a list', { metadata: ['a', 1] }).end()
startObservation('metadata that is a text', { metadata: 'note' }).end()
startObservation('metadata that is a number', { metadata: 7 }).end()
startObservation('dotted metadata', { metadata: { 'a.b': 1, a: { b: 2 } } }).end()

const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`key${at}`, at]))
startObservation('too much metadata', { input: 'in', metadata: many }).update({ output: 'out' }).end()

startObservation('64 KB', { input: 'é'.repeat(32 * 1024) }).end()
