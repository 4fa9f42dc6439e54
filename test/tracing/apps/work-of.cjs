// The work of work.mjs and work.cjs, on the package that each of them loads.
exports.work = async (tracing) => {
  const { observe, propagateAttributes, startActiveObservation, startObservation } = tracing
  const did = {}
  const span = startObservation('span', { input: 1 })
  did.chained = span.update({ output: 2 }).setTraceAsPublic() === span
  const child = span.startObservation('generation', { model: 'gpt-test' }, { asType: 'generation' })
  did.class = child instanceof tracing.SvcGeneration
  child.end()
  span.end()
  startObservation('event', { input: 'clicked' }, { asType: 'event' })

  did.awaited = await startActiveObservation(
    'agent',
    async (agent) => {
      agent.update({ input: 'question' })
      return `${agent.type} is done`
    },
    { asType: 'agent' },
  )
  did.thrown = await startActiveObservation('failing', async () => {
    throw new Error('no')
  }).catch(({ message }) => message)

  const counter = {
    from: 40,
    add: observe(function add(more) {
      return this.from + more
    }),
  }
  did.method = counter.add(2)
  did.length = counter.add.length
  did.streamed = []
  const steps = observe(async function* steps(count) {
    for (let step = 0; step < count; step++) yield step
  })
  for await (const step of steps(3)) did.streamed.push(step)
  did.propagated = propagateAttributes({ userId: 'ada', asBaggage: true }, () =>
    startActiveObservation('inside', () => 'ran'),
  )
  did.seeded = await tracing.createTraceId('order-1')
  did.random = (await tracing.createTraceId()).length
  did.outside = [tracing.getActiveTraceId() ?? null, tracing.getActiveSpanId() ?? null]
  did.provider = typeof tracing.getSvcTracerProvider().getTracer
  return did
}
