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

it('a LangGraph run that asks a person is interrupted, and its question is output beside the state', () => {
  const question = { __interrupt__: [{ id: 'i1', value: 'Really?' }] }
  const modes = [
    [
      { event: 'values', data: { plan: 'delete' } },
      { event: 'values', data: question },
    ],
    [
      { event: 'updates', data: { plan: 'delete' } },
      { event: 'updates', data: question },
    ],
  ]
  for (const events of modes) {
    const run = new RunEvents()
    for (const event of events) run.add(event)
    expect(run.response).toMatchObject({ result: { plan: 'delete', ...question }, isInterrupted: true })
  }
  const resumed = new RunEvents()
  resumed.add({ event: 'values', data: question })
  resumed.add({ event: 'values', data: { plan: 'delete', done: true } })
  expect(resumed.response.isInterrupted).toBeUndefined()
})
