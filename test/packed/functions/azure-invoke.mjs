// In place of the worker of Azure Functions, which npm does not have: invokes the function for two users at once, and is
// killed with the last answer.
import Module from 'node:module'

let model
let metadata
let callback
const hooks = { preInvocation: [], postInvocation: [] }
const core = {
  version: '3.0.0',
  hostVersion: '4.1040.0',
  log() {},
  setProgrammingModel: (given) => {
    model = given
  },
  registerFunction: (...given) => {
    ;[metadata, callback] = given
  },
  registerHook: (name, hook) => hooks[name]?.push(hook),
}
const { require } = Module.prototype
Module.prototype.require = function (id) {
  return id === '@azure/functions-core' ? core : Reflect.apply(require, this, [id])
}
await import('./azure.mjs')

async function invoke(user) {
  const [[trigger]] = Object.entries(metadata.bindings).filter(([, { type }]) => type === 'httpTrigger')
  const http = {
    method: 'GET',
    url: `https://example.com/api/ask?user=${user}`,
    headers: {},
    query: { user },
    params: {},
  }
  const request = { inputData: [{ name: trigger, data: { http } }], triggerMetadata: {} }
  const invocation = model.getInvocationModel({ invocationId: user, metadata, request, log() {} })
  const { context, inputs } = await invocation.getArguments()
  const hook = { hookData: {}, invocationContext: context, inputs, functionCallback: callback }
  for (const call of hooks.preInvocation) await call(hook)
  const result = await invocation.invokeFunction(context, hook.inputs, hook.functionCallback)
  const after = { ...hook, result, error: null }
  for (const call of hooks.postInvocation) await call(after)
  const { returnValue } = await invocation.getResponse(context, after.result)
  console.log(`answer: ${Buffer.from(returnValue.http.body.bytes)}`)
}
await Promise.all(['ann', 'bob'].map(invoke))
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))
