// Prints what of the instrumentation is loaded, before and after the package is.
const loaded = () => Object.keys(require.cache).some((path) => /openai[\\/]instrument\.js$/.test(path))
const before = loaded()
require('openai')
console.log(`before: ${before}, after: ${loaded()}`)
