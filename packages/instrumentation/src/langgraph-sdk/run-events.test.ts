import { expect, it } from 'vitest'
import { RunEvents } from './run-events.ts'

it('the updates of at most 128 nodes of a LangGraph run are kept, each with its last one', () => {
  const run = new RunEvents()
  for (let node = 0; node < 200; node += 1) run.add({ event: 'updates', data: { [`n${node}`]: 1 } })
  run.add({ event: 'updates', data: { n0: 2 } })
  const { result } = run.response
  expect(Object.keys(result as object)).toHaveLength(128)
  expect(result).toMatchObject({ n0: 2, n127: 1 })
})
