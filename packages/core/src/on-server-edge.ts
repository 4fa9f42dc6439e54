// Replaces on-server.ts in bundles for edge runtimes and browsers.

export const ON_SERVER: boolean = false
