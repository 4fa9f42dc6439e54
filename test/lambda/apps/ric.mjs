// The runtime interface client of AWS Lambda, as its container images start it: node ric.mjs index.handler. Its native part
// is three functions over the Runtime API, which are those of native.cjs here.
import { registerHooks } from 'node:module'
import { join } from 'node:path'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === './rapid-client.node' ? join(import.meta.dirname, 'native.cjs') : specifier, context),
})
const { run } = await import('aws-lambda-ric')
await run(process.cwd(), process.argv[2])
