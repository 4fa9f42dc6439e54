import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { batches } from '../anthropic/batches.ts'
import { patchClient } from './patch.ts'
import { createClientWrappers } from './wrap-client.ts'

recordSpans()
beforeEach(forgetSpans)

class Answer extends Promise<object> {
  async parseResponse(state: object): Promise<object> {
    return state
  }
}

class Client {
  readonly recordsItself: boolean
  constructor(recordsItself: boolean) {
    this.recordsItself = recordsItself
  }
  post(): void {}
  get(path: string): Answer {
    return Answer.resolve({ id: path, processing_status: 'ended' }) as Answer
  }
}

const recordsItself = (client: object) => (client as Client).recordsItself
const library = { scope: 'scope', provider: 'anthropic', operations: [batches], recordsItself }
patchClient(Client, createClientWrappers(library))

it.each([
  [true, []],
  [false, ['batch']],
])('of a batch that a client asks for: a client that records itself = %s, spans = %j', async (records, names) => {
  const promise = new Client(records).get(`/v1/messages/batches/${records}`)
  await promise.parseResponse(await promise)
  expect(finishedSpans().map(({ name }) => name)).toEqual(names)
})
