// The same package as a CommonJS application sees it. Compiled by types.test.ts, never run.
import tracing = require('@svc/tracing')

const tool: tracing.SvcTool = tracing.startObservation('weather', { input: 1 }, { asType: 'tool' })
tool.update({ output: 2 }).end()
// @ts-expect-error a tool calls no model
tool.update({ model: 'gpt-test' })
// @ts-expect-error removed in v6: the input and output of a trace are those of its root observation
tracing.setActiveTraceIO({ input: 1 })
