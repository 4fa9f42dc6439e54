import { Controller, Inject, Post } from '@nestjs/common'
import { startActiveObservation } from '@svc/tracing'
import { describe, expect, it } from 'vitest'
import { ADAPTERS, startApp } from '../test/app.ts'
import { Observe, type SvcModuleOptions, SvcService, SvcTrace } from './index.ts'

const ask = (input: string, output: string) =>
  startActiveObservation('model', (model) => void model.update({ input, output }), { asType: 'generation' })

@Controller()
class Chats {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}

  @Post('chat') chat() {
    ask('who?', 'which one?')
    ask('the first', 'Ada')
    return { answer: 'Ada' }
  }
  @Post('quiet') @SvcTrace({ captureInput: false, captureOutput: false }) quiet() {
    return this.chat()
  }
  @Post('job') @Observe({ name: 'job', root: true }) job() {
    return this.chat()
  }
  @Post('hidden') @Observe({ name: 'hidden', root: true, captureOutput: false }) hidden() {
    return this.chat()
  }
  @Post('updated') updated() {
    this.svc.updateTrace({ input: 'mine' })
    return this.chat()
  }
}

describe.each(ADAPTERS)('the root of a request in which models were called, %s', (adapter) => {
  const rootOf = async (path: string, options: SvcModuleOptions = {}, name = `Chats.${path}`) => {
    await using app = await startApp({ adapter, controllers: [Chats], options })
    await fetch(`${app.url}/${path}`, { method: 'POST' }).then((response) => response.text())
    const { input, output } = await app.span(name)
    return [input, output]
  }

  it('has the first user message and the last response of the model calls below it', async () => {
    expect(await rootOf('chat')).toEqual(['who?', 'Ada'])
  })

  it('has the captured input and output instead, if any', async () => {
    expect(await rootOf('chat', { captureOutput: true })).toEqual(['who?', '{"answer":"Ada"}'])
  })

  it('has no input and output if capturing is switched off', async () => {
    expect(await rootOf('chat', { captureInput: false })).toEqual([undefined, 'Ada'])
    expect(await rootOf('quiet')).toEqual([undefined, undefined])
  })

  it('may be a method of its own', async () => {
    expect(await rootOf('job', {}, 'job')).toEqual(['who?', 'Ada'])
    expect(await rootOf('hidden', {}, 'hidden')).toEqual(['who?', undefined])
  })

  it('has the input and output set in code', async () => {
    expect(await rootOf('updated')).toEqual(['mine', 'Ada'])
  })
})
