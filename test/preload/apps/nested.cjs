// An Express server whose author traces it with OpenTelemetry: HTTP, Express, and a tracer of its own around the model.
const { trace } = require('@opentelemetry/api')
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')

new HttpInstrumentation()
new ExpressInstrumentation()

const express = require('express')
const OpenAI = require('openai')

const client = new OpenAI()
const tracer = trace.getTracer('my-tracer')

const server = express()
  .get('/chat', (_request, response) =>
    tracer.startActiveSpan('answer', async (span) => {
      await client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })
      span.end()
      response.send('done')
    }),
  )
  .listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))

process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
