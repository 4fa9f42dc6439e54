/** Makes a span in a span, and registers a meter provider. */
module.exports = (trace, metrics) => {
  const tracer = trace.getTracer('svc-sdk')
  tracer.startActiveSpan('outer', (outer) => {
    tracer.startActiveSpan('inner', (inner) => inner.end())
    outer.end()
  })
  const provider = { getMeter: () => undefined }
  const isTaken = metrics.setGlobalMeterProvider(provider)
  console.log(isTaken && metrics.getMeterProvider() === provider ? 'own meters' : 'no meters')
}
