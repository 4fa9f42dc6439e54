// Helpers that need an active span, used twice each where there may be none.
import { setActiveTraceAsPublic, startActiveObservation, updateActiveObservation } from '@svc/tracing'

startActiveObservation('work', () => {
  for (let time = 0; time < 2; time++) {
    updateActiveObservation({ output: time })
    setActiveTraceAsPublic()
  }
})
