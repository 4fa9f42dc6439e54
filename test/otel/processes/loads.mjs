// Prints which modules of others are asked for when the package is loaded: by name, not by a path or one of its `imports`.
import { createRequire, registerHooks } from 'node:module'

const imported = new Set()
registerHooks({
  resolve(specifier, context, next) {
    if (!/^[./#]|^file:/.test(specifier)) imported.add(specifier)
    return next(specifier, context)
  },
})
const loaded = process.argv[2] === 'require' ? createRequire(import.meta.url)('@svc/otel') : await import('@svc/otel')
console.log(JSON.stringify({ imported: [...imported].sort(), exported: Object.keys(loaded).sort() }))
