// Two installed copies of the package in one process: ours, and the one whose module the first argument names.
import * as ours from '@svc/tracing'

const theirs = await import(process.argv[2])
console.log(ours.startObservation !== theirs.startObservation)

await ours.propagateAttributes({ userId: 'ada', tags: ['a'] }, () =>
  ours.startActiveObservation('ours', () =>
    theirs.propagateAttributes({ tags: ['b'] }, () =>
      theirs.startActiveObservation('theirs', async () => {
        ours.updateActiveObservation({ output: 'from ours' })
        console.log(ours.getActiveSpanId() === theirs.getActiveSpanId())
        ours.startObservation('ours again').end()
      }),
    ),
  ),
)

const provider = { getTracer: () => ours.getSvcTracer() }
theirs.setSvcTracerProvider(provider)
console.log(ours.getSvcTracerProvider() === provider)
ours.setSvcTracerProvider(null)
console.log(theirs.getSvcTracerProvider() !== provider)
theirs.configureGlobalLogger({ prefix: 'configured by theirs', enableTimestamp: false })
ours.getGlobalLogger().warn('said by ours')
