// A CommonJS application that speaks OpenTelemetry's API, and has a meter provider of its own.
const { metrics, trace } = require('@opentelemetry/api')
require('./speak.cjs')(trace, metrics)
