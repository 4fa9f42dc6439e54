import { Controller, Get } from '@nestjs/common'
import { propagation } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { startApp } from '../test/app.ts'

// In its own file, and in this order: what one application says of baggage counts for the process.
@Controller()
class Ping {
  @Get() ping() {
    return propagation
      .getActiveBaggage()
      ?.getAllEntries()
      .map(([key]) => key)
  }
}

const baggage = 'svc_user_id=ada,svc_session_id=s1,tenant=blue'

describe('baggage', { shuffle: false }, () => {
  it('svc baggage of a request is removed without trustBaggage, and other entries are kept', async () => {
    await using app = await startApp({ controllers: [Ping] })
    const keys = (await (await fetch(app.url, { headers: { baggage } })).json()) as string[]
    expect(keys.filter((key) => key !== 'svc_trace_id')).toEqual(['tenant'])
    expect(await app.span('Ping.ping')).toMatchObject({ userId: undefined, sessionId: undefined })
  })

  it('baggage of other services is used with trustBaggage', async () => {
    await using app = await startApp({ controllers: [Ping], options: { trustBaggage: true } })
    await fetch(app.url, { headers: { baggage } })
    expect(await app.span('Ping.ping')).toMatchObject({ userId: 'ada', sessionId: 's1' })
  })

  it('the value of a resolver wins over baggage', async () => {
    await using app = await startApp({ controllers: [Ping], options: { trustBaggage: true, user: () => 'eve' } })
    await fetch(app.url, { headers: { baggage } })
    expect(await app.span('Ping.ping')).toMatchObject({ userId: 'eve', sessionId: 's1' })
  })
})
