import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { followRuns } from './follow-runs.ts'
import { addHandler, forwardTokens } from './manager.ts'

interface Handler {
  readonly name: string
  handleLLMStart(...args: unknown[]): void
  handleLLMNewToken(...args: unknown[]): void
  handleLLMError(...args: unknown[]): void
}

class Manager {
  handlers: Handler[]

  constructor(handlers: Handler[]) {
    this.handlers = handlers
  }

  static _configureSync(inheritable?: Handler[]): Manager | undefined {
    return inheritable ? new Manager([...inheritable]) : undefined
  }

  addHandler(handler: Handler): void {
    this.handlers.push(handler)
  }
}

class RunManager {
  readonly runId: string
  readonly handlers: Handler[]

  constructor(runId: string, handlers: Handler[]) {
    this.runId = runId
    this.handlers = handlers
  }

  async handleLLMNewToken(token: string, index?: unknown, _id?: unknown, _parent?: unknown, _tags?: unknown) {
    for (const handler of this.handlers) handler.handleLLMNewToken(token, index, this.runId)
  }
}

class Provider {
  runWithConfig(_config: unknown, callback: () => unknown): unknown {
    return [Manager._configureSync(), callback()]
  }
}

addHandler(Manager)
forwardTokens(RunManager)
followRuns({ AsyncLocalStorageProviderSingleton: new Provider() })

const received: unknown[] = []
const other: Handler = {
  name: 'other',
  handleLLMStart() {},
  handleLLMNewToken: (token) => received.push(token),
  handleLLMError() {},
}

/** What is recorded of a call that fails after three tokens. */
async function cutOff(handlers: Handler[] | undefined) {
  const configured = Manager._configureSync(handlers)
  const run = new RunManager(`run-${received.length}-${handlers?.length}`, configured?.handlers ?? [])
  for (const handler of run.handlers) handler.handleLLMStart({}, ['?'], run.runId)
  for (const token of ['a', 'b', 'c']) await run.handleLLMNewToken(token)
  for (const handler of run.handlers) handler.handleLLMError(new Error('cut off'), run.runId)
  return finishedSpans().map(({ attributes }) => attributes['svc.observation.output'])
}

recordSpans()
beforeEach(() => {
  forgetSpans()
  received.length = 0
})

it('each LangChain token is passed once to each handler', async () => {
  const expected = ['[{"role":"assistant","content":"abc"}]']
  expect(await cutOff(undefined)).toEqual(expected)
  forgetSpans()
  expect(await cutOff([other])).toEqual(expected)
  expect(received).toEqual(['a', 'b', 'c'])
})

it('a LangChain configuration that is only looked up has no handler, and the run that follows has', () => {
  const [lookedUp, configured] = new Provider().runWithConfig({}, () => Manager._configureSync()) as (
    | Manager
    | undefined
  )[]
  expect(lookedUp).toBeUndefined()
  expect(configured?.handlers).toHaveLength(1)
  expect(Manager._configureSync()?.handlers).toHaveLength(1)
})
