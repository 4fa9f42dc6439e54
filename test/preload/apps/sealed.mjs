// Nothing can be added to the global object once the application runs.
Object.preventExtensions(globalThis)
await import('./chat.mjs')
