import { expect, it } from 'vitest'
import { createTaskAccumulator } from './task-stream.ts'

const after = (...messages: object[]) => {
  const task = createTaskAccumulator(({ text }) => ({ text }) as object)
  for (const message of messages) task.add(message)
  return { isComplete: task.isComplete, response: task.response }
}

const CREATED = { type: 'taskCreated', task: { taskId: '1' } }
const TASK = { metadata: { task_id: '1' } }

it.each<[string, object[], object]>([
  ['open while there is no outcome', [CREATED], { isComplete: false, response: TASK }],
  ['done with its result', [CREATED, { type: 'result', result: { text: 'a' } }], { response: { ...TASK, text: 'a' } }],
  [
    'done with its error',
    [CREATED, { type: 'error', error: new RangeError('too far') }],
    { response: { ...TASK, failure: { type: 'RangeError', message: 'too far' } } },
  ],
])('the task of a tool is %s', (_, messages, expected) => {
  expect(after(...messages)).toEqual({ isComplete: true, ...expected })
})
