// Nothing but an experiment, which has no scores: only its spans are on their way when it returns.
import { SvcClient } from '@svc/client'

const { itemResults } = await new SvcClient().experiment.run({
  name: 'alone',
  data: [{ input: 1 }],
  task: ({ input }) => input + 1,
})
console.log(`${itemResults.length} item`)
