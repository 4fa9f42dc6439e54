// Everything that an application asks of the package, and what it gets back: the same with and without a preload.
import { work } from './work-of.cjs'

console.log(JSON.stringify(await work(await import('@svc/tracing'))))
