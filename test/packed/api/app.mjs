// The same as an ES module.
import { metrics, trace } from '@opentelemetry/api'
import speak from './speak.cjs'

speak(trace, metrics)
