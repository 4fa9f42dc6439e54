globalThis.earlier.startActiveSpan('outer', (outer) => {
  globalThis.earlier.startSpan('inner').end()
  outer.end()
})
