import { describe, expect, it } from 'vitest'
import { catchLog } from '../../packages/otel/test/support/console.ts'
import { run, sending } from '../../packages/otel/test/support/endpoint.ts'
import { reportedLosses } from '../../packages/otel/test/support/health.ts'
import { ok, type Reply, startIntake } from '../../packages/otel/test/support/intake.ts'

const log = catchLog()

describe('the export to a failing service:', () => {
  const failing = (times: number, status: number, headers: Record<string, string> = {}): Reply => {
    return (response, arrived, index) => {
      if (index < times) response.writeHead(status, headers).end()
      else ok(response, arrived, index)
    }
  }

  it('503 with Retry-After is waited for, and the spans arrive', async () => {
    const { requests, health } = await run(failing(1, 503, { 'retry-after': '0' }))
    expect(requests.map(({ spans }) => spans.length)).toEqual([1, 1])
    expect(health).toMatchObject({ ended: 1, sent: 1, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it.each([408, 429, 500, 502, 503, 504])('%d twice and then success loses nothing', async (status) => {
    await using intake = await startIntake(failing(2, status))
    const { end, flush } = sending(intake.url)
    end('a', 'b', 'c')
    expect(await flush()).toMatchObject({ state: 'ok', sent: 3, pending: 0, dropped: {}, pendingBytes: 0 })
    expect(intake.requests.map(({ spans }) => spans.length)).toEqual([3, 3, 3])
    expect(log.lines()).toEqual([])
  })

  it('429 is retried no earlier than Retry-After', async () => {
    const at: number[] = []
    await using intake = await startIntake((response, arrived, index) => {
      at.push(performance.now())
      failing(1, 429, { 'retry-after': '1' })(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end('a')
    expect(await flush()).toMatchObject({ sent: 1, pending: 0 })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(999)
  })

  it('queued spans are sent once it is back, without a flush', async () => {
    await using intake = await startIntake(failing(2, 503))
    const { end, look } = sending(intake.url, { flushAt: 1 })
    end('a')
    await intake.arrived(1)
    end('b', 'c')
    await intake.arrived(5)
    await expect.poll(look).toMatchObject({ state: 'ok', sent: 3, pending: 0 })
    expect(intake.spans.slice(2).map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })

  it('a flush keeps the queue that waits for a Retry-After', async () => {
    await using intake = await startIntake(failing(1, 503, { 'retry-after': '60' }))
    const { end, flush } = sending(intake.url)
    end('a')
    expect(await flush()).toMatchObject({ state: 'paused', sent: 0, pending: 1, dropped: {} })
    expect(intake.requests).toHaveLength(1)
    expect(log.lines()).toEqual([])
  })

  it('a shutdown does not wait for a Retry-After beyond its deadline, and reports the loss', async () => {
    const { requests, host, health } = await run(failing(9, 503, { 'retry-after': '60' }))
    expect(requests).toHaveLength(1)
    expect(health).toMatchObject({ pending: 0, dropped: { shutdown: 1 } })
    expect(log.lines()).toEqual([
      expect.stringContaining(`${host} did not accept a batch of spans: it answered 503. 1 span is lost.`),
    ])
  })

  it('401 keeps the spans, and a shutdown reports them in one line with the host and without the secret', async () => {
    await using intake = await startIntake((response) =>
      response.writeHead(401).end('{"message":"Invalid credentials"}'),
    )
    const { end, flush, shutdown } = sending(intake.url, { flushAt: 1 })
    end('a', 'b', 'c', 'd', 'e')
    expect(await flush()).toMatchObject({ state: 'refused', sent: 0, pending: 5, dropped: {} })
    expect(log.lines()).toEqual([])
    expect(await shutdown()).toMatchObject({ pending: 0, pendingBytes: 0, dropped: { shutdown: 5 } })
    expect(log.lines()).toEqual([
      expect.stringMatching(
        /127\.0\.0\.1:\d+ refuses the keys \(401.*SVC_PUBLIC_KEY and SVC_SECRET_KEY.* 5 spans are lost\.$/,
      ),
    ])
    expect(log.lines('sk-test')).toEqual([])
  })

  it('413 reduces the request size, and all spans arrive', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.spans.length > 20) response.writeHead(413).end()
      else ok(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end(...Array.from({ length: 100 }, (_, at) => `s${at}`))
    expect(await flush()).toMatchObject({ sent: 100, pending: 0, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it('400 for one span loses only that span', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.spans.some(({ name }) => name === 'poison')) response.writeHead(400).end('bad span')
      else ok(response, arrived, index)
    })
    const { end, flush, shutdown, look } = sending(intake.url)
    end(...Array.from({ length: 100 }, (_, at) => (at === 33 ? 'poison' : `s${at}`)))
    // Nothing else is here that could tell whether it is the span.
    expect(await flush()).toMatchObject({ sent: 99, pending: 1, dropped: {} })
    end('next')
    await flush()
    await expect.poll(look).toMatchObject({ sent: 100, pending: 0, dropped: { rejected: 1 } })
    expect(reportedLosses(log.lines('it answered 400: bad span.'))).toBe(1)
    await shutdown()
    expect(reportedLosses(log.lines())).toBe(1)
  })

  it('415 switches compression off', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.headers['content-encoding'] === 'gzip') response.writeHead(415).end()
      else ok(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end('a')
    await flush()
    end('b')
    expect(await flush()).toMatchObject({ sent: 2, pending: 0, dropped: {} })
    expect(intake.requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined, undefined])
  })

  it('rejected spans are counted and reported, and are not a success', async () => {
    const { health, host } = await run(
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}'),
      {},
      5,
    )
    expect(health).toMatchObject({ ended: 5, sent: 3, dropped: { rejected: 2 } })
    expect(log.lines()).toEqual([expect.stringContaining(`${host} rejected spans: too old. 2 spans are lost.`)])
  })

  it('a 200 of an intermediary is not a success, and the spans arrive later', async () => {
    const portal: Reply = (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    await using intake = await startIntake((response, arrived, index) =>
      (index === 0 ? portal : ok)(response, arrived, index),
    )
    const { end, flush } = sending(intake.url)
    end('a')
    expect(await flush()).toMatchObject({ state: 'ok', sent: 1, pending: 0, dropped: {} })
    expect(intake.requests).toHaveLength(2)
    const { health } = await run(portal, { shutdownTimeout: 2 })
    expect(health).toMatchObject({ sent: 0, dropped: { shutdown: 1 }, lastSuccess: undefined })
    expect(log.lines()).toEqual([
      expect.stringMatching(
        /answers 200, but not as the OTLP endpoint does: <html>Sign in<\/html>.* 1 span is lost\.$/,
      ),
    ])
  })

  it('a redirect is refused and named', async () => {
    const { requests } = await run((response) => response.writeHead(308, { location: 'https://new.example/' }).end())
    expect(requests).toHaveLength(1)
    expect(log.lines('redirects (308) to https://new.example/, which is not followed')).toHaveLength(1)
  })
})
