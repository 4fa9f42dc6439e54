import { readFileSync } from 'node:fs'

/** A method of the API as the contract (section 3.8) has it. */
export interface ContractRow {
  /** `unstable.skills.get` */
  readonly call: string
  readonly http: string
  readonly path: string
  /** One of the 41 with a request slot that nothing goes into. */
  readonly placeholder?: true
  /** Names of query parameters: `page:int`, `fromStartTime!:date` (needed), `environment[]` (a list). */
  readonly query?: readonly string[]
  /** Type of the body. */
  readonly body?: string
  /** Type of the answer. */
  readonly returns: string
}

export const CONTRACT: readonly ContractRow[] = JSON.parse(
  readFileSync(new URL('./contract/api.v6.json', import.meta.url), 'utf8'),
)

/** Names of the ids in the path. */
export const idsOf = ({ path }: ContractRow): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

type Sample = readonly [given: unknown, onTheWire: string | string[]]

const SAMPLES: Readonly<Record<string, Sample>> = {
  int: [7, '7'],
  num: [0.25, '0.25'],
  bool: [false, 'false'],
  date: [new Date('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z'],
  list: [
    ['a', 'b c'],
    ['a', 'b c'],
  ],
  text: ['ä&b c', 'ä&b c'],
}

/** A value for each query parameter, as it is said in code and as it travels. */
export function queryOf({ query = [] }: ContractRow): { given: Record<string, unknown>; onTheWire: object } {
  const samples = query.map((parameter) => {
    const [, name = '', list, type = ''] = /^(\w+)!?(\[\])?(?::(\w+))?$/.exec(parameter) ?? []
    return [name, SAMPLES[list ? 'list' : type] ?? SAMPLES.text] as [string, Sample]
  })
  return {
    given: Object.fromEntries(samples.map(([name, [given]]) => [name, given])),
    onTheWire: Object.fromEntries(samples.map(([name, [, onTheWire]]) => [name, onTheWire])),
  }
}

/** A method by its name, without its types: the loop over the contract has none. */
export function methodOf(api: object, call: string): (...args: unknown[]) => Promise<unknown> {
  const found = call.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], api)
  if (typeof found !== 'function') throw new Error(`there is no api.${call}`)
  return found as ReturnType<typeof methodOf>
}
